/**
 * Says whether two JSON values are equal. Numbers are compared by value, and objects without regard to the order of
 * members; `"1.0"` differs from `1`. Returns `false` for values that are not plain data.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other && typeof one !== 'function';
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((element, index) => isSameJson(element, other[index]));
  }
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSameJson(Reflect.get(one, name), Reflect.get(other, name)),
    )
  );
}
