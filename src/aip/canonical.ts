/** The text of an envelope that is signed (AIP-1, canonical serialization): compact JSON, names in order throughout. */

/** The bytes that are signed of plain JSON data: without `proof`, in UTF-8. */
export function signedBytes(envelope: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  const { proof: _, ...signed } = envelope;
  return new TextEncoder().encode(canonicalText(signed));
}

/** Put together here: an object of JavaScript moves names that are numbers to its front. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`);
  return `{${members.join()}}`;
}
