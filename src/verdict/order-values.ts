/** Reads the values by which rules of order group intents, and creates the reasons for missing values. */
import type { Reason } from '../records.ts';
import { givenOf, valueAtSteps } from './condition-value.ts';
import { CONDITION_MESSAGES } from './conditions.ts';
import { type OrderTaking, ordersOn, type PolicyOrder, type SameValue } from './order.ts';
import { isRecord } from './read.ts';
import { RULES } from './rules.ts';

/** @internal The parts of an intent that a rule of order reads. */
export interface OrderAsked {
  readonly action: string;
  /** The target as `readTarget` returns it: a DID, `null` for another value, or `undefined` if there is none. */
  readonly target: string | null | undefined;
  readonly parameters: unknown;
  readonly intent: object;
}

/** @internal A value by which rules of order group intents. */
export type OrderValue = string | number | boolean;

const MAX_VALUE = 256;

/**
 * @internal Returns the values of an intent for a rule of order. Returns `undefined` if a value is missing or not
 * valid.
 */
export function orderValues(order: PolicyOrder, askedOrder: OrderAsked): readonly OrderValue[] | undefined {
  const values: OrderValue[] = [];
  for (const entry of order.same) {
    const value = sameValue(entry, askedOrder);
    if (!isValue(value)) return undefined;
    values.push(value);
  }
  return values;
}

function sameValue({ text, steps }: SameValue, { target, parameters, intent }: OrderAsked): unknown {
  if (text === 'session') return Object.getOwnPropertyDescriptor(intent, 'session')?.value;
  if (text === 'target') return target;
  return isRecord(parameters) ? valueAtSteps(givenOf(parameters), steps) : undefined;
}

function isValue(value: unknown): value is OrderValue {
  if (typeof value === 'string') return value.length <= MAX_VALUE;
  // JSON cannot carry the others: they could count apart here and together elsewhere.
  return typeof value === 'boolean' || (Number.isFinite(value) && !Object.is(value, -0));
}

const NO_REASONS: readonly Reason[] = [];

/** @internal Returns the reasons for missing values, in the order of the rules. */
export function orderReasons(
  orders: readonly PolicyOrder[] | undefined,
  order: OrderAsked,
  reasonsBefore: readonly Reason[],
): readonly Reason[] {
  if (orders === undefined) return NO_REASONS;
  const reasons = new Map<string, Reason>();
  for (const taking of ordersOn('', orders, order.action)) {
    for (const reason of lacksOf(taking, order)) reasons.set(JSON.stringify(reason), reason);
  }
  // A passport with `allowed_targets` has said so before.
  return [...reasons.values()].filter(
    ({ code }) => code !== TARGET_REQUIRED.code || reasonsBefore.every((reason) => reason.code !== code),
  );
}

function lacksOf({ order }: OrderTaking, askedOrder: OrderAsked): readonly Reason[] {
  return order.same.flatMap((entry): readonly Reason[] => {
    const value = sameValue(entry, askedOrder);
    // The target is invalid: another rule denies.
    if (isValue(value) || (entry.text === 'target' && value === null)) return [];
    if (entry.text === 'session') return [lack('session_required', { order: order.name })];
    if (entry.text === 'target') return [TARGET_REQUIRED];
    if (value === undefined) return [lack('parameter_required', { at: entry.text })];
    return [lack('parameter_not_allowed', { at: entry.text, test: 'same' })];
  });
}

function lack(code: keyof typeof CONDITION_MESSAGES, facts: Readonly<Record<string, string>>): Reason {
  return { code, message: CONDITION_MESSAGES[code], ...facts };
}

const { code, message } = RULES.find((rule) => rule.code === 'target_required') ?? {
  code: 'target_required',
  message: '',
};
const TARGET_REQUIRED: Reason = { code, message };
