/**
 * Returns the canonical JSON text of plain data (RFC 8785). Members are sorted by the UTF-16 code units of their names,
 * and there is no white space. A member that is `undefined` is left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  // Not as an object with sorted members: V8 puts names that are numbers first.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join()}}`;
}
