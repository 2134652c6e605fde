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

const MEMBERS: readonly (keyof Members)[] = [
  'agent_id',
  'action',
  'target',
  'parameters',
  'amount',
  'currency',
];

/** Holds nothing but what every object inherits. */
const NOTHING: Members = {};

/**
 * @internal The record itself where it inherits none of these members, else a copy of them. What is inherited is no
 * data: it is taken for `null`, which cannot be read.
 */
export function ownOf(record: Members): Members {
  // By name, not in a loop: V8 then knows the answer beforehand.
  const { agent_id, action, target, parameters, amount, currency } = NOTHING;
  const inherited = agent_id ?? action ?? target ?? parameters ?? amount ?? currency;
  const isPlain = inherited === undefined && Object.getPrototypeOf(record) === Object.prototype;
  return isPlain ? record : copyOf(record);
}

function copyOf(record: Members): Members {
  return Object.fromEntries(
    MEMBERS.map((member) => {
      const value = record[member];
      return [member, value === undefined || Object.hasOwn(record, member) ? value : null];
    }),
  );
}
