import { isActionEntry } from '../base/values/action.ts';
import { isPlainObject } from '../base/values/plain-data.ts';

/** @internal Throws if the condition is false, which means that a value is not plain data or not valid. */
export function demand(holds: boolean): asserts holds {
  if (!holds) throw new TypeError();
}

/** @internal Returns the result of `read`, or `undefined` if it throws. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** @internal Returns an own property of the record if it is text. Runs no getter. */
export function ownText(record: object, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(record, name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** @internal Returns `true` if the value is an object and not an array. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @internal Returns the elements of a list in an array that never changes. */
export type Elements = (list: unknown) => readonly unknown[];

/** @internal Returns the list if all elements are texts that `isEntry` accepts. Throws otherwise. */
export function entries(list: readonly unknown[], isEntry: (text: string) => boolean): readonly string[] {
  demand(list.every((entry) => typeof entry === 'string' && isEntry(entry)));
  return list as readonly string[];
}

/** @internal Returns the members of a plain object, in an object without a prototype. Throws for any other value. */
export function membersOf<Name extends string>(value: unknown): { readonly [_ in Name]?: unknown } {
  demand(isRecord(value) && isPlainObject(value));
  return Object.setPrototypeOf({ ...value }, null);
}

/**
 * @internal Returns the entries of a list of actions. The list must have at least one entry. Returns `undefined`
 * without a list. Throws for any other value.
 */
export function namedActions(list: unknown, elements: Elements): readonly string[] | undefined {
  if (list === undefined) return undefined;
  const namedEntries = entries(elements(list), isActionEntry);
  demand(namedEntries.length > 0);
  return namedEntries;
}

/** @internal The members of the input, of an intent and of its parameters that the rules read. */
export interface Members {
  readonly agent_id?: unknown;
  readonly action?: unknown;
  readonly target?: unknown;
  readonly parameters?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly proof?: unknown;
  readonly ancestors?: unknown;
  readonly approval?: unknown;
  readonly __proto__?: unknown;
}

/** @internal An empty object. Each of these members is `undefined`, unless `Object.prototype` was changed. */
export const NOTHING: Members = {};
// biome-ignore lint/suspicious/noProto: `undefined` where the name is forbidden (`node --disable-proto`, Deno)
const PLAIN = attempt(() => NOTHING.__proto__);

/** @internal Throws if the record is not a plain object, or inherits one of the members in `Members`. */
export function demandOwn(record: Members): void {
  // The common case makes no call, which would cost a tenth of a verdict. A `__proto__` that is data is another object.
  // biome-ignore lint/suspicious/noProto: V8 caches this look-up for several object shapes, a call it does not
  if (!PLAIN || record.__proto__ !== PLAIN) demandPlain(record);
}

function demandPlain(record: Members): void {
  demand(isPlainObject(record));
  demandNone(Object.getPrototypeOf(record) ?? NOTHING);
}

/** @internal Throws if the record has or inherits one of the members in `Members`. */
export function demandNone(members: Members): void {
  demand(
    (members.agent_id ??
      members.action ??
      members.target ??
      members.parameters ??
      members.amount ??
      members.currency) === undefined,
  );
}
