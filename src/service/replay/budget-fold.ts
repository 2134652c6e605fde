/**
 * The budgets of a replay, in the order of time. The store was asked in another order, as clocks differ and writes
 * overtake each other: a record is judged when all of the next 5 seconds have come, by the most and by the least that may
 * have been taken before it. When both give the same answer it is certain.
 */

import type { UnknownCode } from '../../records/replay.ts';
import type { Reason } from '../../records.ts';
import type { AskedRow } from './asked-row.ts';
import type { PassportChain } from './chains.ts';
import { type CounterTerms, createCounterSet, type Take } from './counter-set.ts';
import { type Counter, exceeded, lowerOf } from './counters.ts';
import type { Judgement } from './judge-again.ts';
import type { ShownBudget, ShownCounters } from './shown-budgets.ts';

/** The verdict of a replay; `verdict` is null when it cannot be told. */
export interface Replayed {
  readonly verdict: 'ALLOW' | 'DENY' | null;
  readonly reasons: readonly Reason[];
  readonly unknown: UnknownCode | undefined;
}

const NONE: readonly Reason[] = [];
const ALLOW: Replayed = { verdict: 'ALLOW', reasons: NONE, unknown: undefined };

/** Returns the verdict of a judgement that takes nothing from budgets. */
export function withoutBudgets({ denied, approval, before, after }: Judgement): Replayed {
  const reasons = denied.length > 0 ? denied : approval;
  if (reasons.length > 0) return { verdict: 'DENY', reasons, unknown: undefined };
  const unknown = before ?? after;
  return unknown === undefined ? ALLOW : { verdict: null, reasons: NONE, unknown };
}

/** A record that takes from budgets, or shows them, under one set of passports. */
export interface FoldedRow {
  readonly asked: AskedRow;
  readonly judgement: Judgement;
  readonly takes: readonly Take[];
  readonly shown: readonly ShownBudget[];
  /** What each take has come to. */
  fits: readonly Fit[];
  verdict: Replayed['verdict'];
}

type Fit = 'fits' | 'fails' | UnknownCode;

/** The terms on which the counters of a fold are known, and what records have shown of them. */
export interface FoldTerms extends CounterTerms {
  readonly shown: ShownCounters;
  /** When something was last seen to go back, by the agent whose budget it is. */
  readonly backAt: Map<string, number>;
}

/** The budgets under one set of passports. */
export interface BudgetFold {
  /** Adds a record that has come. */
  add(
    asked: AskedRow,
    chain: PassportChain | undefined,
    judgement: Judgement,
    shown: readonly ShownBudget[],
  ): FoldedRow;
  /** Judges a record, once all of the next 5 seconds have come. */
  judge(row: FoldedRow): Replayed;
  /** Counts a record among those that came before for certain. */
  settle(row: FoldedRow): void;
}

/** Makes the budgets under one set of passports. */
export function createBudgetFold(terms: FoldTerms): BudgetFold {
  const takesOf = createCounterSet(terms);
  const backOf = backIn(terms);
  /** By counters of agents above: how many may have taken of them that were denied as recorded. */
  const tainted = new Map<string, number>();
  /** The agents of whose budgets something was taken under a version that is not there. */
  const missed = new Set<string>();

  function fitOf({ budget, by, counters, isAbove }: Take, { asked }: FoldedRow, added: number): Fit {
    if (isAbove) {
      const isTainted = counters.some(({ key }) => (tainted.get(key) ?? 0) > 0);
      return asked.codes.isAllow && !isTainted ? 'fits' : 'budget';
    }
    if (by === undefined) return 'fails';
    if (counters.every((one) => by > budget.max - lowerOf(one, backOf(one).back))) return 'fails';
    if (!counters.every(({ agent_id, isKnown }) => isKnown && !missed.has(agent_id))) return 'budget';
    if (counters.every(({ upper }) => by <= budget.max - (upper - added))) return 'fits';
    return counters.some((one) => backOf(one).isSeen) ? 'given_back' : 'order';
  }

  function count({ asked, takes }: FoldedRow, sign: 1 | -1): void {
    for (const { by = 0, counters, isAbove } of takes) {
      for (const one of counters) {
        one.upper += sign * by;
        // Also for a record of shortly before: the store may have been asked in the other order.
        if (isAbove && !asked.codes.isAllow) tainted.set(one.key, (tainted.get(one.key) ?? 0) + sign);
      }
    }
  }

  return {
    add(asked, chain, judgement, shown) {
      const takes = chain === undefined ? [] : takesOf(asked, chain);
      if (chain === undefined) for (const { agent_id } of shown) missed.add(agent_id);
      const row: FoldedRow = { asked, judgement, takes, shown, fits: [], verdict: null };
      if (mayTake(row)) count(row, 1);
      return row;
    },

    judge(row) {
      const isCounted = mayTake(row);
      row.fits = row.takes.map((take) => fitOf(take, row, isCounted ? (take.by ?? 0) : 0));
      const result = resultOf(row, (counter) => lowerOf(counter, backOf(counter).back));
      row.verdict = result.verdict;
      if (isCounted && result.verdict === 'DENY') count(row, -1);
      return result;
    },

    settle,
  };
}

/** Says whether a row may have taken what it asks for. */
function mayTake({ judgement }: FoldedRow): boolean {
  return judgement.denied.length === 0 && judgement.approval.length === 0;
}

/** Makes the question how much may have gone back of a counter at most; infinite when that cannot be told. */
function backIn({
  shown,
  backAt,
}: FoldTerms): (counter: Counter) => { readonly back: number; readonly isSeen: boolean } {
  return ({ key, agent_id, span }) => {
    const own = shown.get(key);
    if (own?.isBack) return { back: own.mayBeBack, isSeen: true };
    const lastBack = backAt.get(agent_id);
    const isOfOther = lastBack !== undefined && lastBack >= (span?.start ?? Number.NEGATIVE_INFINITY);
    if (isOfOther) return { back: Number.POSITIVE_INFINITY, isSeen: true };
    return { back: own?.mayBeBack ?? 0, isSeen: false };
  };
}

function settle({ asked, judgement, takes, fits, verdict, shown }: FoldedRow): void {
  if (verdict === 'DENY' || judgement.before !== undefined || judgement.after !== undefined) return;
  // A hold may be over at any time, also before a later record shows that.
  const isSpent = asked.hasApprovals || (shown.length > 0 && shown.every((one) => one.isSpent));
  if (asked.hold_seconds !== null || !isSpent) return;
  for (const [index, { by, budget, counters, isAbove }] of takes.entries()) {
    const [counter] = counters;
    if (isAbove || by === undefined || counter === undefined || counters.length > 1) continue;
    if (verdict === 'ALLOW') {
      counter.certain += by;
      counter.came += by;
    } else if (fits.every((fit, other) => other === index || fit === 'fits')) {
      counter.came += by;
      counter.least = Math.min(counter.least, budget.max - by + 1);
    }
  }
}

function resultOf(
  { judgement, takes, fits, asked }: FoldedRow,
  lower: (counter: Counter) => number,
): Replayed {
  const { denied, approval, before, after } = judgement;
  if (denied.length > 0) return { verdict: 'DENY', reasons: denied, unknown: undefined };
  const over = takes.filter((_, index) => fits[index] === 'fails');
  if (over.length > 0) {
    const reasons = over.flatMap(({ counters: [counter], budget }) =>
      counter === undefined ? [] : [exceeded(counter, budget, lower(counter), asked.at)],
    );
    return { verdict: 'DENY', reasons, unknown: undefined };
  }
  if (approval.length > 0) return { verdict: 'DENY', reasons: approval, unknown: undefined };
  const open = FIT_CODES.find((code) => fits.includes(code));
  const unknown = before ?? open ?? after;
  return unknown === undefined ? ALLOW : { verdict: null, reasons: NONE, unknown };
}

/** The codes of budgets in the order in which they are listed. */
const FIT_CODES: readonly UnknownCode[] = ['budget', 'given_back', 'order'];
