/**
 * Reads the budgets that recorded verdicts contain: the amount that an `ALLOW` spent, and the sum in the counter after
 * it.
 */

import { rollingSeconds, windowAt } from '../base/values/budget-window.ts';
import { currencyDecimals } from '../base/values/money.ts';
import { isBudgetUnit } from '../base/values/usage.ts';
import type { Amount, BudgetState, BudgetWindow, Reason, VerdictRecord } from '../records.ts';
import { ALWAYS, type CounterTerms } from './counter-set.ts';
import {
  CLOCKS_MS,
  type Counter,
  counterKey,
  createTiles,
  type ShownCounter,
  type Told,
  unitsOf,
} from './counters.ts';

export interface ShownBudget {
  readonly counter: ShownCounter;
  readonly key: string;
  readonly agent_id: string;
  /**
   * `true` for a budget of an ancestor above all replayed agents. Other agents, which are not in the replay, also spend
   * from it.
   */
  readonly isAbove: boolean;
  readonly isMoney: boolean;
  /** The amount that the record spent. 0 for a `DENY`. */
  readonly by: number;
  /** The value of the counter after the record. */
  readonly used: number;
  /** The part of `used` that was not held. */
  readonly spent: number;
  readonly isSpent: boolean;
}

export function shownOf(
  { key }: Pick<Counter, 'key'>,
  shown: readonly ShownBudget[],
): ShownBudget | undefined {
  for (const one of shown) if (one.key === key) return one;
  return undefined;
}

/**
 * Returns `true` if the interval of a record overlaps no other interval, and known spends fill the counter up
 * to the end of this interval.
 */
export function standsAlone({ counter: { tiles, took }, by, used }: ShownBudget): boolean {
  if (tiles === undefined || by <= 0 || !tiles.isAlone(used - by, used)) return false;
  return took - tiles.above(used) >= used;
}

export function mostTaken(one: ShownBudget): number {
  const { base, took, tiles } = one.counter;
  return base + took - (standsAlone(one) ? (tiles?.above(one.used) ?? 0) : 0);
}

/**
 * Returns the amount that the records of `Told` have spent before a record. The interval of that record must
 * overlap no other interval.
 */
export function toldBefore({ alone, others }: Told, { by, used }: ShownBudget): number {
  return others + alone.below(used - by);
}

export interface ShownCounters {
  /** Returns the counters that a record contains, and adds the amount that the record spent to them. */
  read(record: VerdictRecord): readonly ShownBudget[];
}

const MAX_COUNTERS = 4_096;

export function createShownCounters({
  isAbove,
  isKnown,
}: Pick<CounterTerms, 'isAbove' | 'isKnown'>): ShownCounters {
  const counters = new Map<string, { readonly end: number; readonly counter: ShownCounter }>();
  let kept = MAX_COUNTERS;

  function forgetBefore(at: number): void {
    for (const [name, one] of counters) if (one.end < at) counters.delete(name);
    kept = Math.max(MAX_COUNTERS, 2 * counters.size);
  }

  /** Returns a counter. `before` is the value of the counter before the record that contains the counter. */
  function counterOf(
    { key, agent_id, span }: Pick<Counter, 'key' | 'agent_id' | 'span'>,
    before: number,
    evaluated_at: string,
  ): ShownCounter {
    const known = counters.get(key);
    if (known !== undefined) return known.counter;
    if (counters.size >= kept) forgetBefore(Date.parse(evaluated_at) - 3 * CLOCKS_MS);
    const { start, end } = span ?? ALWAYS;
    const isRead = isKnown(agent_id, start, end);
    const base = isRead ? 0 : Math.max(0, before);
    const counter = {
      took: 0,
      tookBefore: 0,
      base,
      mayBeBack: 0,
      isBack: false,
      tiles: isRead && !isAbove(agent_id) ? createTiles() : undefined,
    };
    counters.set(key, { end, counter });
    return counter;
  }

  function readState(
    state: State,
    { currency, evaluated_at }: VerdictRecord,
    amount: Amount | null,
  ): ShownBudget | undefined {
    const { agent_id, name, window, resets_at } = state;
    // Its use stays as recorded: see `history-again.ts`.
    if (rollingSeconds(window) !== undefined || state.unit !== undefined) return undefined;
    const isMoney = state.limit !== null;
    if (isMoney && currency === null) return undefined;
    const decimals = isMoney ? decimalsOf(currency) : 0;
    // The window is that of the store, which the record names by its end.
    const span = resets_at === null ? undefined : windowAt(window, Date.parse(resets_at) - 1);
    const key = counterKey(agent_id, { name, window, currency: isMoney ? currency : null }, span);
    const spent = unitsOf(state.spent, decimals);
    const held = unitsOf(state.held, decimals);
    const by = isMoney ? unitsOf(amount ?? 0, decimals) : Number(amount !== null);
    if (spent === undefined || held === undefined || by === undefined) return undefined;
    const used = spent + held;
    const counter = counterOf({ key, agent_id, span }, used - by, evaluated_at);
    const place = { key, agent_id, isAbove: isAbove(agent_id) };
    return { counter, ...place, isMoney, by, used, spent, isSpent: held === 0 };
  }

  return {
    read(record) {
      const isAllow = record.verdict === 'ALLOW';
      const states = isAllow ? record.budgets : record.reasons.flatMap(exceededState);
      return states.flatMap((state) => {
        // An intent without an amount takes one of a count.
        const taken = isAllow ? (record.amount ?? 0) : null;
        return readState(state, record, taken) ?? [];
      });
    },
  };
}

function decimalsOf(currency: string | null): number {
  return currencyDecimals(currency ?? '') ?? 0;
}

type State = Pick<
  BudgetState,
  'agent_id' | 'name' | 'window' | 'limit' | 'spent' | 'held' | 'resets_at' | 'unit'
>;

function exceededState(reason: Reason): readonly State[] {
  if (reason.code !== 'budget_exceeded') return [];
  const { agent_id, budget, window, limit = null, spent, held, resets_at, unit } = reason;
  return [
    {
      agent_id: String(agent_id),
      name: String(budget),
      window: window as BudgetWindow,
      limit: limit as Amount | null,
      spent: spent as Amount,
      held: held as Amount,
      resets_at: resets_at as string | null,
      ...(isBudgetUnit(unit) && { unit }),
    },
  ];
}
