/**
 * Estimates the length of plain data as JSON. It ignores escapes, so it adds little to the cost of reading the data.
 */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 2;
  if (Array.isArray(value)) {
    for (const element of value) size += jsonSize(element) + 1;
    return size;
  }
  for (const [name, member] of Object.entries(value)) size += name.length + 4 + jsonSize(member);
  return size;
}
