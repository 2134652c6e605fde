/** The arguments of a tool as they are judged and run: one copy of them. */
import { foldedForms, hasDisguise, type KnownName, knownName } from '../base/folded-name.ts';

/**
 * A copy of plain objects and arrays, in which each member is read once. Any other value is kept: a `Date`, a `File`.
 * A value that occurs twice, or contains itself, does so in the copy as well.
 */
export function copyArguments(args: unknown): unknown {
  return isPlain(args) ? copyOf(args, undefined) : args;
}

/** `copies` has the copies of the objects around it. */
function copyOf(args: object, copies: Map<object, object> | undefined): object {
  const copy = emptyLike(args);
  let known = copies?.set(args, copy);
  for (const name of Object.keys(args)) {
    let value = (args as Readonly<Record<string, unknown>>)[name];
    if (isPlain(value)) {
      known ??= new Map([[args, copy]]);
      value = known.get(value) ?? copyOf(value, known);
    } else if (name === 'toJSON' && typeof value === 'function') {
      // JSON would send something else than was judged.
      throw new TypeError();
    }
    // Set in the common way, a member of this name would become the prototype.
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
 * The value at the path, or `undefined`. Throws where the path meets a value that is not plain data, which the tool may
 * read differently, and where a member beside the path may be read as the one on it.
 */
export function valueAt(args: unknown, path: readonly KnownName[]): unknown {
  let value = args;
  for (const known of path) {
    if (isOpaque(value)) throw new TypeError();
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(known.name)) return undefined;
    if (!Array.isArray(value) && hasDisguise(value, known)) throw new TypeError();
    if (!Object.hasOwn(value, known.name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[known.name];
  }
  if (isOpaque(value)) throw new TypeError();
  return value;
}

/**
 * Throws where a function cannot know what the tool will read: for arguments that are no plain data, and for two names
 * of one object that a reader may take for one another.
 */
export function assertReadable(args: unknown, seen: Set<unknown> = new Set()): void {
  if (seen.size === 0 && isOpaque(args)) throw new TypeError();
  if (!isPlain(args) || seen.has(args)) return;
  seen.add(args);
  const forms = new Set<string>();
  for (const [name, value] of Object.entries(args)) {
    const own = Array.isArray(args) ? [] : foldedForms(name);
    if (own.some((form) => forms.has(form))) throw new TypeError();
    for (const form of own) forms.add(form);
    assertReadable(value, seen);
  }
}

/** The names of a JSON Pointer (RFC 6901); `undefined` for text that is not a pointer. */
export function readPointer(text: string): readonly KnownName[] | undefined {
  if (!/^(?:\/(?:[^/~]|~[01])*)+$/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((name) => knownName(name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Whether it is an array, or an object whose members are all that it holds. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of all objects, of any realm, has none itself.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Whether it is handed on as it is, so that what is read of it now may be something else later. */
function isOpaque(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && !isPlain(value));
}
