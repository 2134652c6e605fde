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
