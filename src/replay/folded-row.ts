/** A record in the fold of budgets, and its verdict. */
import type { UnknownCode } from '../records/replay.ts';
import type { Reason } from '../records.ts';
import type { AskedRow } from './asked-row.ts';
import type { Take } from './counter-set.ts';
import type { Counter, ShownCounter } from './counters.ts';
import type { AskedTake } from './given-back.ts';
import type { Judgement } from './judge-again.ts';
import type { ShownBudget } from './shown-budgets.ts';

/** The verdict of a replay; `verdict` is null when it cannot be told. */
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
  /** The counters that a later record has to show before those can be told. */
  awaits: ReadonlySet<ShownCounter>;
  /** The counters that told its verdict when it was judged, as it stands alone there. */
  told: readonly Counter[];
  above: AboveEffect;
  verdict: Replayed['verdict'];
}

const NO_COUNTERS: ReadonlySet<ShownCounter> = new Set();

/** The effect of a record that takes nothing from agents above. */
export const NO_EFFECT: AboveEffect = { kind: 'none', on: [] };

/** Makes a record that was not judged yet. */
export function newRow(row: Pick<FoldedRow, 'asked' | 'judgement' | 'takes' | 'shown'>): FoldedRow {
  return { ...row, fits: [], late: [], awaits: NO_COUNTERS, told: [], above: NO_EFFECT, verdict: null };
}
