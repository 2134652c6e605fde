/** Finds the most permissive value of each field of two versions of a passport. */
import { actionsWithin } from '../../base/values/action.ts';
import { parseInstant } from '../../base/values/instant.ts';
import { compareAmounts, readAmount } from '../../base/values/money.ts';
import type { PassportNote } from '../../records/effective.ts';
import type { Amount, ApprovalRequirement, Budget, PassportInput } from '../../records.ts';
import { REQUIREMENTS } from '../proof.ts';

export type Fields = { readonly [Field in keyof PassportInput]?: PassportInput[Field] | undefined };

/** The fields that a change can contain and that are compared. */
export type ChangingField =
  | Exclude<keyof PassportInput, PassportNote | 'parent_agent_id'>
  | 'public_keys'
  | 'trusted_issuers';

/**
 * An action that no intent has. A passport with a `limit` in a budget needs an entry in `monetary_actions`.
 * This action is the entry if both versions share no action.
 */
const NO_ACTION = `none.${'0'.repeat(120)}`;

const MOST: Amount = 1e15;

type Actions = readonly string[] | undefined;

/** Leaves out a field whose values cannot be compared, and whose absence permits most. */
export function leftOut(): undefined {
  return undefined;
}

export function both<Entry>(one: readonly Entry[] = [], other: readonly Entry[] = []): readonly Entry[] {
  return [...one, ...other];
}

export function sharedOrNone(one: Actions, other: Actions): readonly string[] {
  const shared = sharedActions(one, other) ?? [];
  return shared.length === 0 ? [NO_ACTION] : shared;
}

export function greaterOrMost(one: Amount | undefined, other: Amount | undefined): Amount {
  return greater(one, other) ?? MOST;
}

export function anyCurrency(loosest: Fields): Fields {
  return { ...loosest, monetary_limit_per_txn: MOST, budgets: undefined, approval: undefined };
}

export function approvalOr(rule: ApprovalRequirement): ApprovalRequirement | undefined {
  const isAsking = rule.above !== undefined || rule.actions !== undefined || rule.changes === true;
  return isAsking ? rule : undefined;
}

export function counterOf({ name, window, limit, unit }: Budget): string {
  return `${name ?? window} ${window} ${unit ?? limit !== undefined}`;
}

/**
 * Returns the entries that both lists contain. If one list has an action and the other a pattern for it, returns the
 * action.
 */
export function sharedActions(one: Actions, other: Actions): Actions {
  if (one === undefined || other === undefined) return undefined;
  return [...new Set([...one.filter(actionsWithin([other])), ...other.filter(actionsWithin([one]))])];
}

export function joined(one: Actions, other: Actions): Actions {
  return one === undefined || other === undefined ? undefined : [...new Set([...one, ...other])];
}

function greater(one: Amount | undefined, other: Amount | undefined): Amount | undefined {
  const [first, second] = [readAmount(one), readAmount(other)];
  if (first === null || second === null) return undefined;
  return compareAmounts(first, second) > 0 ? first : second;
}

export function earliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  return instantOf(one) < instantOf(other) ? one : other;
}

export function latest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  return instantOf(one) > instantOf(other) ? one : other;
}

function instantOf(text: string): number {
  return parseInstant(text) ?? Number.NaN;
}

export function weaker(one: Fields['proof'], other: Fields['proof']): Fields['proof'] {
  if (one === undefined || other === undefined) return undefined;
  return REQUIREMENTS[one] < REQUIREMENTS[other] ? one : other;
}

export function sharedBudgets(
  one: Fields['budgets'] = [],
  other: Fields['budgets'] = [],
  isOneCurrency: boolean,
): readonly Budget[] | undefined {
  if (!isOneCurrency) return undefined;
  return one.flatMap((budget): readonly Budget[] => {
    const same = other.find(
      (found) =>
        counterOf(found) === counterOf(budget) &&
        JSON.stringify(found.actions) === JSON.stringify(budget.actions),
    );
    if (same === undefined) return [];
    const { limit: _, count: __, ...rest } = budget;
    const limit = greater(budget.limit, same.limit);
    return [
      limit === undefined
        ? { ...rest, count: Math.max(budget.count ?? 0, same.count ?? 0) }
        : { ...rest, limit },
    ];
  });
}

export function loosestApproval(
  one: ApprovalRequirement | undefined,
  other: ApprovalRequirement | undefined,
  isOneCurrency: boolean,
): ApprovalRequirement | undefined {
  if (one === undefined || other === undefined) return undefined;
  const above = isOneCurrency ? greater(one.above, other.above) : undefined;
  const actions = sharedActions(one.actions, other.actions) ?? [];
  return approvalOr({
    ...(above !== undefined && { above }),
    ...(actions.length > 0 && { actions }),
    ...(one.changes === true && other.changes === true && { changes: true }),
  });
}
