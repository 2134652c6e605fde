/**
 * The amounts that may have been refunded to a counter. A refund is not in the journal. Later records show that the
 * store had counted less than was taken. A counter that no record shows, such as a counter of a new budget, is
 * bounded by another counter of the same records.
 */

import type { UnknownCode } from '../records/replay.ts';
import type { Reason } from '../records.ts';
import type { Take } from './counter-set.ts';
import type { Counter, CounterPart, CounterParts, ShownCounter } from './counters.ts';
import type { Judgement } from './judge-again.ts';
import type { AskedRow } from './recorded-reasons.ts';
import { type ShownBudget, shownOf, standsAlone, toldBefore } from './shown-budgets.ts';

/** The parts of a counter that are kept apart. Older parts are joined to the unconfirmed part. */
const MAX_PARTS = 16;

/** Notes that a recorded ALLOW takes from a counter, with the counters that the record shows. */
export function notePart(
  { key, parts }: Counter,
  by: number,
  isMoney: boolean,
  shown: readonly ShownBudget[],
): void {
  // A part of an amount that goes back is not seen in a count of intents, nor what others take in its place.
  const isWitness = (one: ShownBudget): boolean => !one.isAbove && one.by > 0 && (one.isMoney || !isMoney);
  const witness = shown.find((one) => one.key === key) ?? shown.find(isWitness);
  const isSeen = witness !== undefined && witness.by > 0;
  addPart(parts, isSeen ? witness.counter : undefined, { most: by, ratio: isSeen ? by / witness.by : 0 });
  if (parts.size <= MAX_PARTS) return;
  for (const [oldest, part] of parts) {
    if (oldest === undefined) continue;
    parts.delete(oldest);
    addPart(parts, undefined, part);
    return;
  }
}

function addPart(parts: CounterParts, shown: ShownCounter | undefined, { most, ratio }: CounterPart): void {
  const known = parts.get(shown);
  if (known === undefined) parts.set(shown, { most, ratio });
  else {
    known.most += most;
    known.ratio = Math.max(known.ratio, ratio);
  }
}

/** The most that a shown counter may have refunded, in its units; `undefined` if that is unknown. */
export type BackOf = (shown: ShownCounter) => number | undefined;

/** A take that a budget may deny, with its counters as they are when it is evaluated. */
export interface AskedTake {
  readonly take: Take;
  readonly counters: readonly {
    readonly least: number;
    readonly parts: readonly (readonly [ShownCounter | undefined, CounterPart])[];
  }[];
}

/**
 * Returns the least amount that was taken from a counter before a record that shows these budgets, and before any
 * refund.
 */
export function leastTaken(counter: Counter, shown: readonly ShownBudget[]): number {
  const { certain, came, least, held, allowed } = counter;
  const one = shownOf(counter, shown);
  const before = one !== undefined && standsAlone(one) ? toldBefore(allowed, one) : 0;
  return Math.max(certain, before, Math.min(came, least - held));
}

/** Makes a copy of the counters of a take as they are now, for a record that shows these. */
export function askedTake(take: Take, shown: readonly ShownBudget[]): AskedTake {
  const counters = take.counters.map((counter) => ({
    least: leastTaken(counter, shown),
    parts: [...counter.parts].map(([shown, part]) => [shown, { ...part }] as const),
  }));
  return { take, counters };
}

/** Says whether the budget denies the take, whatever was refunded. The record may belong to one or two counters. */
export function isDenied({ take: { by, budget }, counters }: AskedTake, backOf: BackOf): boolean {
  return by === undefined || counters.every((counter) => by > budget.max - spentOf(counter, backOf));
}

/** Returns the least that was spent of the first counter. */
export function leastSpent({ counters: [counter] }: AskedTake, backOf: BackOf): number {
  return counter === undefined ? 0 : spentOf(counter, backOf);
}

function spentOf({ least, parts }: AskedTake['counters'][number], backOf: BackOf): number {
  let back = 0;
  for (const [shown, { most, ratio }] of parts) {
    const seen = shown === undefined ? undefined : backOf(shown);
    back += seen === undefined ? most : Math.min(most, Math.ceil(ratio * seen));
  }
  return Math.max(0, least - back);
}

/** The verdict of a replay. `verdict` is null if it is unknown. */
export interface Replayed {
  readonly verdict: 'ALLOW' | 'DENY' | null;
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

/** The result of a take; `waits` when a later record may show that something went back before it. */
export type Fit = 'fits' | 'fails' | 'waits' | UnknownCode;

/** The effect that a record has on the counters of agents above. */
export interface AboveEffect {
  readonly kind: 'none' | 'more' | 'less' | 'denied' | 'allowed';
  readonly on: readonly Counter[];
}

/** A record that takes from budgets, or shows them, under one set of passports. */
export interface FoldedRow {
  readonly asked: AskedRow;
  readonly judgement: Judgement;
  readonly takes: readonly Take[];
  readonly shown: readonly ShownBudget[];
  /** The results of the takes, in their order. */
  fits: readonly Fit[];
  /** The takes that fail unless something went back before. */
  late: readonly AskedTake[];
  /** The counters that a later record must show before the results of the takes are known. */
  awaits: ReadonlySet<ShownCounter>;
  /** The counters in which the row has a certain verdict and overlaps no other row. */
  told: readonly Counter[];
  above: AboveEffect;
  verdict: Replayed['verdict'];
}

const NO_COUNTERS: ReadonlySet<ShownCounter> = new Set();

/** The effect of a record that takes nothing from agents above. */
export const NO_EFFECT: AboveEffect = { kind: 'none', on: [] };

/** Makes a record that was not evaluated yet. */
export function newRow(row: Pick<FoldedRow, 'asked' | 'judgement' | 'takes' | 'shown'>): FoldedRow {
  return { ...row, fits: [], late: [], awaits: NO_COUNTERS, told: [], above: NO_EFFECT, verdict: null };
}
