/** @internal Throws unless the condition holds: what is read here is no data, or breaks its rule. */
export function demand(holds: boolean): asserts holds {
  if (!holds) throw new TypeError();
}

/** @internal What `read` gives back, or `undefined` when it throws. */
export function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** @internal The text that the record itself holds under a name. Runs no getter. */
export function ownText(record: object, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(record, name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** @internal Whether the value is an object and no array. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @internal What is read of an intent and of its parameters. */
export interface Members {
  readonly agent_id?: unknown;
  readonly action?: unknown;
  readonly target?: unknown;
  readonly parameters?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
}

/** For a record without a prototype. */
const NOTHING: Members = {};

/** @internal The record, of which none of these members is inherited: that would be no data. Throws where one is. */
export function ownOf(record: Members): Members {
  const { agent_id, action, target, parameters, amount, currency }: Members =
    Object.getPrototypeOf(record) ?? NOTHING;
  demand((agent_id ?? action ?? target ?? parameters ?? amount ?? currency) === undefined);
  return record;
}
