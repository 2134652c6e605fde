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

/**
 * Says whether two JSON values are equal. Numbers are compared by value, and objects without regard to the order of
 * members; `"1.0"` differs from `1`. Returns `false` for values that are not plain data.
 */
export function isSameJson(first: unknown, second: unknown): boolean {
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) {
    return first === second && typeof first !== 'function';
  }
  if (Array.isArray(first) || Array.isArray(second)) {
    if (!Array.isArray(first) || !Array.isArray(second) || first.length !== second.length) return false;
    return first.every((element, index) => isSameJson(element, second[index]));
  }
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length &&
    names.every(
      (name) =>
        Object.hasOwn(second, name) && isSameJson(Reflect.get(first, name), Reflect.get(second, name)),
    )
  );
}

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
