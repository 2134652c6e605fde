/** Copies the arguments of a tool. The same copy is evaluated and passed to the tool. */
import { foldedForms, hasDisguise, type KnownName, knownName } from '../base/values/folded-name.ts';

/**
 * Copies plain objects and arrays, and reads each member once. Other values stay the same, such as a `Date` or a
 * `File`. Repeated and circular references are kept in the copy.
 */
export function copyArguments(args: unknown): unknown {
  return isPlain(args) ? copyOf(args, undefined) : args;
}

/** Copies one object. `copies` has the copies of the objects that contain this object. */
function copyOf(args: object, copies: Map<object, object> | undefined): object {
  const copy = emptyLike(args);
  let knownCopies = copies?.set(args, copy);
  for (const name of Object.keys(args)) {
    let value = (args as Readonly<Record<string, unknown>>)[name];
    if (isPlain(value)) {
      knownCopies ??= new Map([[args, copy]]);
      value = knownCopies.get(value) ?? copyOf(value, knownCopies);
    } else if (name === 'toJSON' && typeof value === 'function') {
      // JSON would send something else than was judged.
      throw new TypeError();
    }
    // A plain assignment to this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value, ...AS_MEMBER });
    else (copy as Record<string, unknown>)[name] = value;
  }
  if (Array.isArray(args)) (copy as unknown[]).length = args.length;
  return copy;
}

function emptyLike(value: object): object {
  if (Array.isArray(value)) return [];
  return Object.getPrototypeOf(value) === null ? Object.create(null) : {};
}

const AS_MEMBER = { writable: true, enumerable: true, configurable: true };

/**
 * Returns the value at the path, or `undefined`. Throws if a value on the path is not plain data, because the tool may
 * read it differently. Also throws if a program could confuse another member with the member on the path.
 */
export function valueAt(args: unknown, path: readonly KnownName[]): unknown {
  let value = args;
  for (const name of path) {
    if (isOpaque(value)) throw new TypeError();
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name.name)) return undefined;
    if (!Array.isArray(value) && hasDisguise(value, name)) throw new TypeError();
    if (!Object.hasOwn(value, name.name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name.name];
  }
  if (isOpaque(value)) throw new TypeError();
  return value;
}

/**
 * Throws if it is uncertain which arguments the tool will read: they are not plain data, or an object has two names
 * that a program could confuse.
 */
export function assertReadable(args: unknown, seenSet: Set<unknown> = new Set()): void {
  if (seenSet.size === 0 && isOpaque(args)) throw new TypeError();
  if (!isPlain(args) || seenSet.has(args)) return;
  seenSet.add(args);
  const forms = new Set<string>();
  for (const [name, value] of Object.entries(args)) {
    const ownForms = Array.isArray(args) ? [] : foldedForms(name);
    if (ownForms.some((form) => forms.has(form))) throw new TypeError();
    for (const form of ownForms) forms.add(form);
    assertReadable(value, seenSet);
  }
}

export function readPointer(text: string): readonly KnownName[] | undefined {
  if (!/^(?:\/(?:[^/~]|~[01])*)+$/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((name) => knownName(name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Returns `true` for an array, and for an object that has no data except its members. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of all objects, of any realm, has none itself.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Returns `true` if the value is passed on without a copy, so that it may still change after it was read. */
function isOpaque(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && !isPlain(value));
}
