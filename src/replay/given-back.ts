/**
 * Estimates how much may have been refunded to a counter. The journal does not contain refunds, but later records show
 * that the counter was lower than the spent amount. Records do not contain a new counter, such as the counter of a new
 * budget. A second counter in the same records then limits the refunds.
 */

import type { UnknownCode } from '../records/replay.ts';
import type { Reason } from '../records.ts';
import type { Take } from './counter-set.ts';
import type { Counter, CounterPart, CounterParts, ShownCounter } from './counters.ts';
import type { Judgement } from './evaluate-again.ts';
import type { AskedRow } from './recorded-reasons.ts';
import { type ShownBudget, shownOf, standsAlone, toldBefore } from './shown-budgets.ts';

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
  readonly judgement: Judgement;
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

export function newRow(row: Pick<FoldedRow, 'asked' | 'judgement' | 'takes' | 'shown'>): FoldedRow {
  return { ...row, fits: [], late: [], awaits: NO_COUNTERS, told: [], above: NO_EFFECT, verdict: null };
}
