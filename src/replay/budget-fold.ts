/**
 * Evaluates the budgets of a replay in the order of time.
 *
 * The storage may have received the records in another order, because clocks differ and writes overtake each other. A
 * record is therefore evaluated only after all records of the next 5 seconds were read. It is evaluated twice: with the
 * most and with the least that may have been spent before it. If both give the same verdict, the verdict is certain.
 */

import type { UnknownCode } from '../records/replay.ts';
import type { Reason } from '../records.ts';
import { createAboveBudgets } from './above-budgets.ts';
import type { PassportChain } from './chains.ts';
import { type CounterTerms, createCounterSet, type Take } from './counter-set.ts';
import { type Counter, exceeded, type ShownCounter } from './counters.ts';
import type { Evaluation } from './evaluate-again.ts';
import type { AskedRow } from './recorded-reasons.ts';
import {
  type AskedTake,
  askedTake,
  type BackOf,
  type Fit,
  type FoldedRow,
  isDenied,
  leastSpent,
  leastTaken,
  newRow,
  notePart,
  type Replayed,
  type ShownBudget,
  shownOf,
  standsAlone,
  toldBefore,
} from './shown-budgets.ts';

const NONE: readonly Reason[] = [];

export const NOTHING_DENIES: Replayed = { verdict: 'ALLOW', reasons: NONE, unknown: undefined };

export function withoutBudgets({ denied, approval, before, after }: Evaluation): Replayed {
  const reasons = denied.length > 0 ? denied : approval;
  if (reasons.length > 0) return { verdict: 'DENY', reasons, unknown: undefined };
  const unknown = before ?? after;
  return unknown === undefined ? NOTHING_DENIES : { verdict: null, reasons: NONE, unknown };
}

export interface BudgetFold {
  add(
    row: AskedRow,
    chain: PassportChain | undefined,
    evaluation: Evaluation,
    shownBudgets: readonly ShownBudget[],
  ): FoldedRow;
  /**
   * Evaluates a record after all records of the next 5 seconds were read. Returns `undefined` if the verdict
   * depends on a refund before this record, because only later records can show this refund.
   */
  judge(row: FoldedRow): Replayed | undefined;
  /** Evaluates a record for which `judge` returned `undefined`, after later records were read. */
  evaluateLate(row: FoldedRow, backOf: BackOf): Replayed;
  /** Counts a record. All records that follow are certainly newer than this record. */
  settle(row: FoldedRow): void;
}

export function createBudgetFold(terms: CounterTerms): BudgetFold {
  const takesOf = createCounterSet(terms);
  /** The agents with a record of a passport version that no longer exists. Their spends are unknown. */
  const missedNames = new Set<string>();
  const isKnown = (counter: Counter): boolean => counter.isKnown && !missedNames.has(counter.agent_id);
  const budgetsAbove = createAboveBudgets(isKnown);

  function fitOf(take: Take, row: FoldedRow, addedCount: number): Fit {
    const { budget, by, counters, isAbove } = take;
    if (isAbove) return fitAbove(budgetsAbove.fits(take, row));
    if (by === undefined) return 'fails';
    const isOver = counters.every((counter) => by > budget.max - leastTaken(counter, row.shown));
    const fit = isOver ? fitOver(askedTake(take, row.shown), row) : undefined;
    if (fit !== undefined) return fit;
    if (!counters.every(isKnown)) return 'budget';
    const fitsAll = counters.every(({ upper }) => by <= budget.max - (upper - addedCount));
    if (fitsAll || counters.some((counter) => fitsAsShown(counter, take, row))) return 'fits';
    const isBack = counters.some(({ parts }) => [...parts.keys()].some((counter) => counter?.isBack));
    return isBack ? 'given_back' : 'order';
  }

  function end(row: FoldedRow, takes: readonly AskedTake[], backOf: BackOf): Replayed {
    const result = resultOf(row, takes, backOf);
    row.verdict = result.verdict;
    budgetsAbove.end(row);
    if (mayTake(row) && result.verdict === 'DENY') count(row, -1);
    tell(row);
    return result;
  }

  return {
    add(askedRow, chain, evaluation, shownBudgets) {
      const takes = chain === undefined ? [] : takesOf(askedRow, chain);
      if (chain === undefined) {
        for (const { agent_id } of shownBudgets) missedNames.add(agent_id);
        if (!askedRow.codes.isUnseen) budgetsAbove.miss();
      }
      const row = newRow({ asked: askedRow, evaluation, takes, shown: shownBudgets });
      noteHolds(row);
      budgetsAbove.note(row);
      if (mayTake(row)) {
        count(row, 1);
        noteParts(row);
      }
      return row;
    },

    judge(row) {
      const isCounted = mayTake(row);
      const { takes, shown } = row;
      const takeOf = (take: Take): AskedTake => askedTake(take, shown);
      row.fits = takes.map((take) => fitOf(take, row, isCounted ? (take.by ?? 0) : 0));
      const excess = takes.filter((_, index) => row.fits[index] === 'fails').map(takeOf);
      if (!isCounted || excess.length > 0 || !row.fits.includes('waits')) return end(row, excess, latest);
      row.late = takes.filter((_, index) => row.fits[index] === 'waits').map(takeOf);
      row.awaits = unseenOf(row);
      return undefined;
    },

    evaluateLate(row, backOf) {
      const ownBack = shownBy(row.shown);
      const back: BackOf = (counter) => ownBack(counter) ?? backOf(counter);
      row.fits = row.fits.map((fit) => (fit === 'waits' ? 'given_back' : fit));
      return end(
        row,
        row.late.filter((take) => isDenied(take, back)),
        back,
      );
    },

    settle(row) {
      settle(row);
      budgetsAbove.settle(row);
    },
  };
}

function count({ takes, shown }: FoldedRow, sign: 1 | -1): void {
  for (const { by = 0, counters } of takes) {
    for (const counter of counters) {
      counter.upper += sign * by;
      const took = shownOf(counter, shown)?.by ?? 0;
      counter.more += sign * Math.max(0, by - took);
    }
  }
}

const latest: BackOf = ({ mayBeBack }) => mayBeBack;

/**
 * Returns `true` if a spend certainly fits into the counter. The record shows the recorded value of the counter after
 * the spend. For the value in the replay, the function adds the amounts that other records spend only in the replay
 * (`more`). It subtracts the amounts that the replay denies.
 *
 * Returns `false` for a counter with a hold, because the record does not say when a hold ends.
 */
function fitsAsShown(counter: Counter, { by, budget }: Take, { shown }: FoldedRow): boolean {
  const shownBudget = shownOf(counter, shown);
  if (shownBudget === undefined || shownBudget.by !== by || counter.isHeld) return false;
  return shownBudget.used + counter.more - lessTaken(counter, shownBudget) <= budget.max;
}

/**
 * Returns the minimum amount that is missing in the counter before this record, because the replay denies
 * records that spent earlier.
 */
function lessTaken({ denied }: Counter, budget: ShownBudget): number {
  if (!standsAlone(budget)) return 0;
  // What went back may be of those.
  return Math.max(0, toldBefore(denied, budget) - budget.counter.mayBeBack);
}

/**
 * Stores the certain verdict of a row. Later rows use this verdict to compute the amount that was spent before them. A
 * row fills an interval of its counter: from the value before its spend to the value after it. Only intervals that
 * overlap no other interval are stored.
 */
function tell(row: FoldedRow): void {
  const { verdict, takes, shown } = row;
  if (verdict === null || (verdict === 'ALLOW' && !isTaken(row))) return;
  row.told = takes.flatMap(({ by, counters, isAbove }) => {
    const [counter] = counters;
    if (isAbove || counter === undefined || counters.length > 1) return [];
    const budget = shownOf(counter, shown);
    if (budget === undefined || budget.by !== by || !standsAlone(budget)) return [];
    counter[verdict === 'ALLOW' ? 'allowed' : 'denied'].alone.add(budget.used - by, budget.used);
    return [counter];
  });
}

/**
 * Returns `true` if a row certainly spends its amount and holds no part of it. A held part may be refunded without a
 * trace in the records.
 */
function isTaken({ asked, shown }: FoldedRow): boolean {
  const isSpent = asked.hasApprovals || (shown.length > 0 && shown.every((budget) => budget.isSpent));
  return asked.hold_seconds === null && isSpent;
}

function shownBy(shownBudgets: readonly ShownBudget[]): BackOf {
  return (counter) => shownBudgets.find((budget) => budget.counter === counter)?.counter.mayBeBack;
}

/**
 * Returns the counters that a waiting row needs and does not contain. The row waits until later records show
 * how much was refunded to these counters.
 */
function unseenOf({ late, shown }: FoldedRow): ReadonlySet<ShownCounter> {
  const ownBack = shownBy(shown);
  const counters = late.flatMap((take) =>
    take.counters.flatMap(({ parts }) => parts.map(([counter]) => counter)),
  );
  return new Set(counters.filter((part) => part && ownBack(part) === undefined) as ShownCounter[]);
}

function mayTake({ evaluation }: FoldedRow): boolean {
  return evaluation.denied.length === 0 && evaluation.approval.length === 0;
}

function noteParts({ asked, takes, shown }: FoldedRow): void {
  // What showed no budget when it was allowed, and what was denied, has no spend to go back; but its hold would end.
  const isShown = asked.codes.isAllow && shown.length > 0;
  if (!isShown && asked.hold_seconds === null && asked.hasApprovals) return;
  for (const { by, budget, counters, isAbove } of takes) {
    if (isAbove || by === undefined) continue;
    for (const counter of counters) {
      if (isShown) notePart(counter, by, budget.currency !== null, shown);
      else counter.held += by;
    }
  }
}

function noteHolds({ asked, takes, shown }: FoldedRow): void {
  const isHold = asked.hold_seconds !== null || !asked.hasApprovals;
  for (const { counters } of takes) {
    for (const counter of counters) counter.isHeld ||= isHold || shownOf(counter, shown)?.isSpent === false;
  }
}

function settle(row: FoldedRow): void {
  const { evaluation, takes, fits, verdict, shown, told } = row;
  const isOpen = evaluation.before !== undefined || evaluation.after !== undefined;
  if (verdict !== 'DENY' && (isOpen || !isTaken(row))) return;
  for (const [index, { by, budget, counters, isAbove }] of takes.entries()) {
    const [counter] = counters;
    if (isAbove || by === undefined || counter === undefined || counters.length > 1) continue;
    const isTold = told.includes(counter);
    if (verdict === 'DENY') countDenied(counter, shownOf(counter, shown), isTold);
    else if (verdict === 'ALLOW') countAllowed(counter, by, isTold);
    else if (fits.every((fit, otherIndex) => otherIndex === index || fit === 'fits')) {
      counter.came += by;
      counter.least = Math.min(counter.least, budget.max - by + 1);
    }
  }
}

function countDenied({ denied }: Counter, budget: ShownBudget | undefined, isTold: boolean): void {
  if (!isTold && budget !== undefined) denied.others += budget.by;
}

function countAllowed(counter: Counter, delta: number, isTold: boolean): void {
  counter.certain += delta;
  counter.came += delta;
  if (!isTold) counter.allowed.others += delta;
}

function resultOf(
  { evaluation, fits, asked, shown }: FoldedRow,
  takes: readonly AskedTake[],
  backOf: BackOf,
): Replayed {
  const { denied, approval, before, after } = evaluation;
  if (denied.length > 0) return { verdict: 'DENY', reasons: denied, unknown: undefined };
  if (takes.length > 0) {
    const reasons = takes.flatMap((take) => {
      const { budget, counters, isAbove } = take.take;
      const [counter] = counters;
      const spentCount = isAbove ? shownAbove(counters, shown) : leastSpent(take, backOf);
      return counter === undefined ? [] : [exceeded(counter, budget, spentCount, asked.at)];
    });
    return { verdict: 'DENY', reasons, unknown: undefined };
  }
  if (approval.length > 0) return { verdict: 'DENY', reasons: approval, unknown: undefined };
  const open = FIT_CODES.find((code) => fits.includes(code));
  const unknown = before ?? open ?? after;
  return unknown === undefined ? NOTHING_DENIES : { verdict: null, reasons: NONE, unknown };
}

function shownAbove(counters: readonly Counter[], budgets: readonly ShownBudget[]): number {
  return counters.map((counter) => shownOf(counter, budgets)).find((part) => part !== undefined)?.used ?? 0;
}

/** Returns the fit of an amount that exceeds the budget, as far as it is known. */
function fitOver(take: AskedTake, { shown }: FoldedRow): Fit | undefined {
  if (isDenied(take, shownBy(shown))) return 'fails';
  return isDenied(take, latest) ? 'waits' : undefined;
}

function fitAbove(fits: boolean | undefined): Fit {
  if (fits === undefined) return 'budget';
  return fits ? 'fits' : 'fails';
}

const FIT_CODES: readonly UnknownCode[] = ['budget', 'given_back', 'order'];
