/** Prepares the rules of order of a passport for evaluation. */
import { type ActionSet, actionSet, matchesAction } from '../base/values/action.ts';
import { type Step, stepsOf } from '../base/values/conditions/condition.ts';
import { orderFaults } from '../base/values/order.ts';
import { plainCopy } from '../base/values/plain-data.ts';
import type { Order } from '../records.ts';
import { demand } from './read.ts';

/**
 * @internal The kind of a rule of order, by the earlier action for which it looks: a success (`needs`), an `ALLOW`
 * (`forbids`), or failures (`failed`).
 */
export type OrderKind = 'needs' | 'forbids' | 'failed';

/** @internal A rule of order, prepared for evaluation. */
export interface PolicyOrder {
  readonly name: string;
  readonly kind: OrderKind;
  readonly actions: ActionSet | undefined;
  /** The earlier actions that the rule counts, by their `ALLOW` or their outcome. */
  readonly earlier: ActionSet | undefined;
  readonly seconds: number;
  /** The number of failures from which the rule denies. 1 for the other kinds. */
  readonly failed: number;
  readonly same: readonly SameValue[];
}

/** @internal A value by which intents are grouped. */
export interface SameValue {
  /** The text in the passport: `session`, `target` or a JSON Pointer. */
  readonly text: string;
  /** The steps of the pointer. Empty for `session` and `target`. */
  readonly steps: readonly Step[];
}

/** @internal A rule of order that applies to an intent, with the `agent_id` of its passport. */
export interface OrderTaking {
  readonly agent_id: string;
  readonly order: PolicyOrder;
  readonly isChecked: boolean;
  /** `true` if the `ALLOW` of the intent, or its outcome, counts for later intents. */
  readonly isMarked: boolean;
}

/**
 * @internal Reads the rules of order of a passport. Returns `undefined` if there are none. Throws if a rule cannot be
 * evaluated.
 */
export function ordersOf(value: unknown, paces: unknown): readonly PolicyOrder[] | undefined {
  if (value === undefined) return undefined;
  const orders = plainCopy(value) as readonly Order[];
  demand(orderFaults(orders, paces).length === 0);
  return orders.length === 0 ? undefined : orders.map(orderOf);
}

function orderOf({ name, actions, needs, forbids, same = [] }: Order): PolicyOrder {
  const { actions: earlier = [], seconds = 0 } = needs ?? forbids ?? {};
  const failedCount = forbids?.failed;
  return {
    name,
    kind: needs !== undefined ? 'needs' : failedCount === undefined ? 'forbids' : 'failed',
    actions: actionSet(actions),
    earlier: actionSet(earlier),
    seconds,
    failed: failedCount ?? 1,
    same: same.map((text) => ({ text, steps: text.startsWith('/') ? (stepsOf(text) ?? []) : [] })),
  };
}

const NONE: readonly OrderTaking[] = [];

/** @internal Returns the rules of order of a passport that apply to an action, in their order. */
export function ordersOn(
  agent_id: string,
  orders: readonly PolicyOrder[] | undefined,
  action: string,
): readonly OrderTaking[] {
  if (orders === undefined) return NONE;
  const takings: OrderTaking[] = [];
  for (const order of orders) {
    const isChecked = matchesAction(order.actions, action);
    const isMarked = matchesAction(order.earlier, action);
    if (isChecked || isMarked) takings.push({ agent_id, order, isChecked, isMarked });
  }
  return takings;
}
