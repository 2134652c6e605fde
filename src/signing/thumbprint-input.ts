/** Returns the text to hash for the thumbprint of a key (RFC 7638 section 3): its required members, sorted by name. */
export function thumbprintInput(members: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}
