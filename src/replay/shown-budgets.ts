/**
 * Reads the budgets that recorded verdicts contain: the amount that an `ALLOW` spent, and the sum in the counter after
 * it.
 */

import { rollingSeconds, windowAt } from '../base/values/budget-window.ts';
import { currencyDecimals } from '../base/values/money.ts';
import { isBudgetUnit } from '../base/values/usage.ts';
import type { UnknownCode } from '../records/replay.ts';
import type { Amount, BudgetState, BudgetWindow, Reason, VerdictRecord } from '../records.ts';
import { ALWAYS, type CounterTerms, type Take } from './counter-set.ts';
import {
  CLOCKS_MS,
  type Counter,
  type CounterPart,
  type CounterParts,
  counterKey,
  createTiles,
  type ShownCounter,
  type Told,
  unitsOf,
} from './counters.ts';
import type { Evaluation } from './evaluate-again.ts';
import type { AskedRow } from './recorded-reasons.ts';

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
  shownBudgets: readonly ShownBudget[],
): ShownBudget | undefined {
  for (const budget of shownBudgets) if (budget.key === key) return budget;
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

export function mostTaken(budget: ShownBudget): number {
  const { base, took, tiles } = budget.counter;
  return base + took - (standsAlone(budget) ? (tiles?.above(budget.used) ?? 0) : 0);
}

/**
 * Returns the amount that the records of `Told` have spent before a record. The interval of that record must
 * overlap no other interval.
 */
export function toldBefore({ alone, others }: Told, { by, used }: ShownBudget): number {
  return others + alone.below(used - by);
}

interface ShownCounters {
  /** Returns the counters that a record contains, and adds the amount that the record spent to them. */
  read(record: VerdictRecord): readonly ShownBudget[];
}

const MAX_COUNTERS = 4_096;

export function createShownCounters({
  isAbove,
  isKnown,
}: Pick<CounterTerms, 'isAbove' | 'isKnown'>): ShownCounters {
  const counters = new Map<string, { readonly end: number; readonly counter: ShownCounter }>();
  let keptCount = MAX_COUNTERS;

  function forgetBefore(atMs: number): void {
    for (const [name, entry] of counters) if (entry.end < atMs) counters.delete(name);
    keptCount = Math.max(MAX_COUNTERS, 2 * counters.size);
  }

  /** Returns a counter. `previous` is the value of the counter before the record that contains the counter. */
  function counterOf(
    { key, agent_id, span }: Pick<Counter, 'key' | 'agent_id' | 'span'>,
    previous: number,
    evaluated_at: string,
  ): ShownCounter {
    const knownCounter = counters.get(key);
    if (knownCounter !== undefined) return knownCounter.counter;
    if (counters.size >= keptCount) forgetBefore(Date.parse(evaluated_at) - 3 * CLOCKS_MS);
    const { start, end } = span ?? ALWAYS;
    const isRead = isKnown(agent_id, start, end);
    const base = isRead ? 0 : Math.max(0, previous);
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
    const spentUnits = unitsOf(state.spent, decimals);
    const heldUnits = unitsOf(state.held, decimals);
    const delta = takenUnits(amount, isMoney, decimals);
    if (spentUnits === undefined || heldUnits === undefined || delta === undefined) return undefined;
    const usedCount = spentUnits + heldUnits;
    const counter = counterOf({ key, agent_id, span }, usedCount - delta, evaluated_at);
    const place = { key, agent_id, isAbove: isAbove(agent_id) };
    return {
      counter,
      ...place,
      isMoney,
      by: delta,
      used: usedCount,
      spent: spentUnits,
      isSpent: heldUnits === 0,
    };
  }

  return {
    read(record) {
      const isAllow = record.verdict === 'ALLOW';
      const states = isAllow ? record.budgets : record.reasons.flatMap(exceededState);
      return states.flatMap((state) => {
        // An intent without an amount takes one of a count.
        const takenAmount = isAllow ? (record.amount ?? 0) : null;
        return readState(state, record, takenAmount) ?? [];
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

function takenUnits(amount: Amount | null, isMoney: boolean, decimals: number): number | undefined {
  return isMoney ? unitsOf(amount ?? 0, decimals) : Number(amount !== null);
}

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

// Estimates how much may have been refunded to a counter. The journal does not contain refunds, but later
// records show that the counter was lower than the spent amount. Records do not contain a new counter, such
// as the counter of a new budget. A second counter in the same records then limits the refunds.

/**
 * The maximum number of separate parts of a counter. If there are more, the oldest part is added to the part
 * that no second counter limits.
 */
const MAX_PARTS = 16;

/**
 * Adds the spend of a recorded `ALLOW` to the parts of a counter. `shownBudgets` has the counters in the record. One
 * of them may limit the refunds of the spend.
 */
export function notePart(
  { key, parts }: Counter,
  delta: number,
  isMoney: boolean,
  shownBudgets: readonly ShownBudget[],
): void {
  // A part of an amount that goes back is not seen in a count of intents, nor what others take in its place.
  const isWitness = (budget: ShownBudget): boolean =>
    !budget.isAbove && budget.by > 0 && (budget.isMoney || !isMoney);
  const witness = shownBudgets.find((budget) => budget.key === key) ?? shownBudgets.find(isWitness);
  const isSeen = witness !== undefined && witness.by > 0;
  addPart(parts, isSeen ? witness.counter : undefined, {
    most: delta,
    ratio: isSeen ? delta / witness.by : 0,
  });
  if (parts.size <= MAX_PARTS) return;
  for (const [oldest, part] of parts) {
    if (oldest === undefined) continue;
    parts.delete(oldest);
    addPart(parts, undefined, part);
    return;
  }
}

function addPart(
  parts: CounterParts,
  shownCounter: ShownCounter | undefined,
  { most, ratio }: CounterPart,
): void {
  const part = parts.get(shownCounter);
  if (part === undefined) parts.set(shownCounter, { most, ratio });
  else {
    part.most += most;
    part.ratio = Math.max(part.ratio, ratio);
  }
}

/**
 * Returns the maximum that may have been refunded to a counter, in its units. Returns `undefined` if that is unknown.
 */
export type BackOf = (shownCounter: ShownCounter) => number | undefined;

/** A spend that a budget may deny, with a copy of its counters at the time of the evaluation. */
export interface AskedTake {
  readonly take: Take;
  readonly counters: readonly {
    readonly least: number;
    readonly parts: readonly (readonly [ShownCounter | undefined, CounterPart])[];
  }[];
}

/**
 * Returns the minimum that was spent from a counter before this record, without refunds. `shownBudgets` has the budgets
 * in the record.
 */
export function leastTaken(counter: Counter, shownBudgets: readonly ShownBudget[]): number {
  const { certain, came, least, held, allowed } = counter;
  const budget = shownOf(counter, shownBudgets);
  const previous = budget !== undefined && standsAlone(budget) ? toldBefore(allowed, budget) : 0;
  return Math.max(certain, previous, Math.min(came, least - held));
}

export function askedTake(take: Take, shownBudgets: readonly ShownBudget[]): AskedTake {
  const counters = take.counters.map((counter) => ({
    least: leastTaken(counter, shownBudgets),
    parts: [...counter.parts].map(([shownCounter, part]) => [shownCounter, { ...part }] as const),
  }));
  return { take, counters };
}

/**
 * Returns `true` if the budget denies the spend, whatever was refunded. If the spend may belong to either of two
 * windows, both must deny it.
 */
export function isDenied({ take: { by, budget }, counters }: AskedTake, backOf: BackOf): boolean {
  return by === undefined || counters.every((counter) => by > budget.max - spentOf(counter, backOf));
}

export function leastSpent({ counters: [counter] }: AskedTake, backOf: BackOf): number {
  return counter === undefined ? 0 : spentOf(counter, backOf);
}

function spentOf({ least, parts }: AskedTake['counters'][number], backOf: BackOf): number {
  let back = 0;
  for (const [shownCounter, { most, ratio }] of parts) {
    const seenUnits = shownCounter === undefined ? undefined : backOf(shownCounter);
    back += seenUnits === undefined ? most : Math.min(most, Math.ceil(ratio * seenUnits));
  }
  return Math.max(0, least - back);
}

export interface Replayed {
  readonly verdict: 'ALLOW' | 'DENY' | null;
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

/** The answer to whether a spend fits. `waits`: a later record may show that an amount was refunded before it. */
export type Fit = 'fits' | 'fails' | 'waits' | UnknownCode;

export interface AboveEffect {
  readonly kind: 'none' | 'more' | 'less' | 'denied' | 'allowed';
  readonly on: readonly Counter[];
}

export interface FoldedRow {
  readonly asked: AskedRow;
  readonly evaluation: Evaluation;
  readonly takes: readonly Take[];
  readonly shown: readonly ShownBudget[];
  fits: readonly Fit[];
  /** The spends that fail unless an amount was refunded before. */
  late: readonly AskedTake[];
  /** The counters that a later record must contain before the results are known. */
  awaits: ReadonlySet<ShownCounter>;
  /** The counters for which `tell` has stored the certain verdict of this row. */
  told: readonly Counter[];
  above: AboveEffect;
  verdict: Replayed['verdict'];
}

const NO_COUNTERS: ReadonlySet<ShownCounter> = new Set();

export const NO_EFFECT: AboveEffect = { kind: 'none', on: [] };

export function newRow(row: Pick<FoldedRow, 'asked' | 'evaluation' | 'takes' | 'shown'>): FoldedRow {
  return { ...row, fits: [], late: [], awaits: NO_COUNTERS, told: [], above: NO_EFFECT, verdict: null };
}
