export interface PlainLimits {
  readonly maxMembers?: number;
  /** Says whether a name or a primitive value is accepted. By default, everything except functions is accepted. */
  readonly takes?: (value: unknown) => boolean;
  /**
   * The name of a member inside which `undefined` is kept as a value. By default, a member that is `undefined` is left
   * out.
   */
  readonly undefinedBelow?: string;
  /** Throws the error for the part at this path, which is not plain data. By default, it throws a `TypeError`. */
  readonly refuse?: (path: readonly string[]) => never;
}

export const MAX_DEPTH = 32;

/**
 * The maximum number of elements of a list. It is more than any evaluated list has, and few enough to read them all.
 */
const MAX_ELEMENTS = 100_000;

/**
 * Says whether the object has no prototype, or `Object.prototype` of any realm. Other objects may contain data outside
 * their members, such as the entries of a `Map` or the private fields of a class.
 */
export function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || (Object.getPrototypeOf(prototype) === null && 'isPrototypeOf' in prototype);
}

/** Says whether the value is a number that JSON can represent. Infinities, NaN and `-0` are not. */
export function isJsonNumber(value: unknown): value is number {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/**
 * Returns the elements of a list in a new array, without calling a method of the list. Throws for anything else, and
 * for more than 100,000 elements.
 */
export function elementsOf(list: unknown): unknown[] {
  const { length }: readonly unknown[] = Array.isArray(list) ? list : fail();
  if (length > MAX_ELEMENTS) fail();
  const elements: unknown[] = [];
  for (let index = 0; index < length; index += 1) elements.push((list as readonly unknown[])[index]);
  return elements;
}

/**
 * Returns a deep, frozen copy without the members that are `undefined`. Refuses anything except plain data:
 *
 * - an accessor, a hidden member or a member named by a symbol
 * - an object with another prototype
 * - a list with holes or with extra members
 * - more than 32 levels
 */
export function plainCopy(
  whole: unknown,
  { maxMembers = 10_000, takes = isNoFunction, undefinedBelow, refuse = fail }: PlainLimits = {},
): unknown {
  const path: string[] = [];
  let membersLeft = maxMembers;

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: each intent is copied here, and a call for each check would cost every verdict.
  function copyOf(value: object): object {
    const isList = Array.isArray(value);
    // The prototype of arrays, of any realm, is an array.
    const isPlain = isList ? Array.isArray(Object.getPrototypeOf(value)) : isPlainObject(value);
    if (!isPlain || path.length === MAX_DEPTH || (isList && value.length > membersLeft)) refuse(path);
    // The value is read once, here.
    const copy = (isList ? elementsOf(value) : { ...value }) as Record<string, unknown>;
    const names = Object.keys(copy);
    membersLeft -= names.length;
    // The value has no hidden members, and a list has nothing besides its elements and its length.
    const hiddenCount = Object.getOwnPropertyNames(value).length - names.length - Number(isList);
    if (membersLeft < 0 || hiddenCount !== 0 || Object.getOwnPropertySymbols(value).length > 0) refuse(path);
    for (const name of names) {
      const part = copy[name];
      path.push(name);
      // An accessor has no value, and an object that answers with another value than it shows is a Proxy.
      const ownDescriptor = isList ? { value: part } : Object.getOwnPropertyDescriptor(value, name);
      if (
        !ownDescriptor ||
        !('value' in ownDescriptor) ||
        !Object.is(ownDescriptor.value, part) ||
        !takes(name)
      )
        refuse(path);
      if (typeof part === 'object' && part !== null) copy[name] = copyOf(part);
      else if (part === undefined && !isList) {
        if (undefinedBelow === undefined || !path.slice(0, -1).includes(undefinedBelow)) delete copy[name];
      } else if (part === undefined || !takes(part)) refuse(path);
      path.pop();
    }
    return Object.freeze(copy);
  }

  if (typeof whole === 'object' && whole !== null) return copyOf(whole);
  return takes(whole) ? whole : refuse(path);
}

function isNoFunction(value: unknown): boolean {
  return typeof value !== 'function';
}

function fail(): never {
  throw new TypeError();
}
