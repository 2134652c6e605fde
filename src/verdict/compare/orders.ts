/** Finds the rules of order that only one of two passports has, or has in a stricter form. */
import { matchesAction } from '../../base/values/action.ts';
import { isSameJson } from '../../base/values/json-values.ts';
import type { PolicyOrder } from '../order.ts';
import type { Policy } from '../policy.ts';
import { cellsOf } from './actions.ts';

/** @internal A rule of order that the allowing passport does not imply. */
export interface LostOrder {
  readonly order: PolicyOrder;
  /** An action that the rule denies after certain earlier actions. `undefined` if no action shows the difference. */
  readonly action: string | undefined;
}

/** @internal Returns the rules of the denying passport that no rule of the allowing passport implies. */
export function ordersLost(allowing: Policy, denying: Policy): readonly LostOrder[] {
  return (denying.orders ?? []).flatMap((order): readonly LostOrder[] => {
    const implying = allowing.orders?.find((one) => isSameMark(one, order));
    const actions = bothAllow(allowing, denying, order, implying);
    const isLoose = implying !== undefined && isLooser(implying, order);
    const isDenied = (action: string): boolean => matchesAction(order.actions, action);
    const lost = actions.filter(
      (action) => (isLoose && isDenied(action)) || isLostOn(action, order, implying),
    );
    if (lost.length === 0) return [];
    return [{ order, action: lost.find(isDenied) ?? actions.find(isDenied) }];
  });
}

/**
 * Returns `true` if two rules find the same earlier actions. Each rule stores a mark for an earlier action,
 * by its name, its kind and `same`.
 */
function isSameMark(one: PolicyOrder, other: PolicyOrder): boolean {
  const same = ({ same }: PolicyOrder) => same.map(({ text }) => text);
  return one.name === other.name && one.kind === other.kind && isSameJson(same(one), same(other));
}

/** Returns actions that both passports allow: one for each combination of the lists of the two rules. */
function bothAllow(
  allowing: Policy,
  denying: Policy,
  order: PolicyOrder,
  implying: PolicyOrder | undefined,
): readonly string[] {
  const sides = [allowing, denying];
  const lists = [
    ...sides.flatMap(({ allowed, denied }) => [allowed, denied]),
    ...[order, implying].flatMap((one) => [one?.actions, one?.earlier]),
  ];
  return cellsOf(lists)
    .map(({ action }) => action)
    .filter((action) =>
      sides.every(({ allowed, denied }) => matchesAction(allowed, action) && !matchesAction(denied, action)),
    );
}

function isLooser(one: PolicyOrder, other: PolicyOrder): boolean {
  if (one.kind === 'needs') return one.seconds > other.seconds;
  return one.seconds < other.seconds || one.failed > other.failed;
}

/**
 * Returns `true` if an action shows the difference: the other rule denies the action less strictly, or counts it in
 * another way.
 */
function isLostOn(action: string, order: PolicyOrder, implying: PolicyOrder | undefined): boolean {
  const [denied, earlier] = [matchesAction(order.actions, action), matchesAction(order.earlier, action)];
  const [deniedToo, earlierToo] = [
    matchesAction(implying?.actions, action),
    matchesAction(implying?.earlier, action),
  ];
  // Either list demands the values.
  if (order.same.length > 0 && (denied || earlier) && !deniedToo && !earlierToo) return true;
  if (denied && !deniedToo) return true;
  if (implying === undefined) return false;
  return order.kind === 'needs' ? earlierToo && !earlier : earlier && !earlierToo;
}

/** @internal Returns the values that intents must have for the rules of order of two passports. */
export function sameOf(policies: readonly Policy[]): readonly PolicyOrder['same'][number][] {
  return policies.flatMap(({ orders = [] }) => orders.flatMap(({ same }) => same));
}

/**
 * @internal Returns the parameters with a text at each JSON Pointer that finds no value, if a member can be added
 * there.
 */
export function withValues(
  parameters: Readonly<Record<string, unknown>> | undefined,
  policies: readonly Policy[],
): Readonly<Record<string, unknown>> | undefined {
  let filled: unknown = parameters;
  for (const { steps } of sameOf(policies)) if (steps.length > 0) filled = filledAt(filled, steps);
  return filled as typeof parameters;
}

function filledAt(value: unknown, [step, ...rest]: PolicyOrder['same'][number]['steps']): unknown {
  if (step === undefined) return value === undefined || value === null ? 'any' : value;
  if (typeof step === 'number' || (value !== undefined && Object(value) !== value)) return value;
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...members, [step]: filledAt(members[step], rest) };
}
