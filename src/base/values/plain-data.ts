/** The limits and checks of a copy of plain data. */
export interface PlainLimits {
  /** The most members and elements in the whole; 10,000 by default. */
  readonly maxMembers?: number;
  /** Says whether a name or a primitive value is accepted; by default everything but a function. */
  readonly takes?: (value: unknown) => boolean;
  /** The member below which `undefined` stays a value; by default a member that is `undefined` is left out. */
  readonly undefinedBelow?: string;
  /** Throws for a part that is not plain data, at this path; by default a `TypeError`. */
  readonly refuse?: (path: readonly string[]) => never;
}

/** The most levels of objects and arrays, as in a body over HTTP. */
export const MAX_DEPTH = 32;

/** The most elements of a list: more than any list that is evaluated, and few enough to walk. */
const MAX_ELEMENTS = 100_000;

/**
 * Says whether the object has the prototype of all objects (of any realm) or none. Any other may hold data that is not
 * among its members: the entries of a `Map`, the private fields of a class.
 */
export function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || (Object.getPrototypeOf(prototype) === null && 'isPrototypeOf' in prototype);
}

/** Says whether the value is a number that JSON can carry: neither an infinity, NaN nor `-0`. */
export function isJsonNumber(value: unknown): value is number {
  return Number.isFinite(value) && !Object.is(value, -0);
}

/**
 * Returns the elements of a list in a new array. Calls no method of the list. Throws for anything else, and beyond
 * 100,000.
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
 * - an accessor, or a member that is hidden or named by a symbol
 * - an object with another prototype
 * - a list with holes, or with more than its elements
 * - more than 32 levels
 */
export function plainCopy(
  whole: unknown,
  { maxMembers = 10_000, takes = isNoFunction, undefinedBelow, refuse = fail }: PlainLimits = {},
): unknown {
  const path: string[] = [];
  let membersLeft = maxMembers;

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
    const hidden = Object.getOwnPropertyNames(value).length - names.length - Number(isList);
    if (membersLeft < 0 || hidden !== 0 || Object.getOwnPropertySymbols(value).length > 0) refuse(path);
    for (const name of names) {
      const part = copy[name];
      path.push(name);
      // An accessor has no value, and an object that answers with another value than it shows is a Proxy.
      const own = isList ? { value: part } : Object.getOwnPropertyDescriptor(value, name);
      if (!own || !('value' in own) || !Object.is(own.value, part) || !takes(name)) refuse(path);
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
