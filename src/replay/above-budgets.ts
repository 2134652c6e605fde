/**
 * Evaluates the budgets of parent agents that are above every replayed agent. Computes the amount that each
 * replayed record spends from them, and whether this amount fits.
 */
import type { Take } from './counter-set.ts';
import { CLOCKS_MS, type Counter } from './counters.ts';
import { createDisturbances } from './disturbances.ts';
import { type AboveEffect, type FoldedRow, NO_EFFECT } from './given-back.ts';
import { type ShownBudget, shownOf } from './shown-budgets.ts';

export interface AboveBudgets {
  /** Adds a record that was read but not yet evaluated. */
  note(row: FoldedRow): void;
  end(row: FoldedRow): void;
  /** Adds a record that is older than all records that are evaluated from now on. */
  settle(row: FoldedRow): void;
  /**
   * Returns `true` if the spend of a record still fits in the replay, and `false` if it does not fit. Uses
   * the result that the storage recorded. Returns `undefined` if the recorded result does not decide it.
   */
  fits(take: Take, row: FoldedRow): boolean | undefined;
  /**
   * Makes later results less certain. Call it after a record of a passport version that no longer exists. The amount
   * that this record spends is unknown.
   */
  miss(): void;
}

/** Creates the budgets of ancestors. `isKnown` returns `true` if the replay knows all spends of a counter. */
export function createAboveBudgets(isKnown: (counter: Counter) => boolean): AboveBudgets {
  const disturbances = createDisturbances(isKnown);
  const { of, isSame, isFullStill, isMoved, hasRoom } = disturbances;

  function count(row: FoldedRow, sign: 1 | -1): void {
    const { kind, on } = row.above;
    for (const counter of countersAbove(row)) {
      const disturbance = of(counter);
      if (kind === 'more' || kind === 'less') disturbance[kind] += sign;
      else if (kind !== 'none') for (const counter of on) add(disturbance[kind], counter, sign);
    }
  }

  function set(row: FoldedRow, effect: AboveEffect): void {
    row.above = effect;
    count(row, 1);
    if (effect.kind === 'less') for (const counter of countersAbove(row)) of(counter).owed.push(row.asked.at);
  }

  function stillFits(take: Take, row: FoldedRow): boolean {
    const { counters } = take;
    count(row, -1);
    const fits = !counters.some(isMoved) || counters.some((counter) => hasRoom(counter, take, row.shown));
    count(row, 1);
    return fits;
  }

  return {
    note: (row) => set(row, noted(row)),
    end(row) {
      const { isAllow } = row.asked.codes;
      if (row.verdict === (isAllow ? 'ALLOW' : 'DENY')) {
        count(row, -1);
        return;
      }
      const kind = isAllow ? 'less' : 'more';
      if (row.above.kind === kind) return;
      count(row, -1);
      set(row, { kind, on: [] });
    },
    settle({ asked, judgement: { before, after }, takes, fits, verdict }) {
      if (asked.codes.isAllow || verdict === 'DENY' || before !== undefined || after !== undefined) return;
      for (const [index, { isAbove, by, counters }] of takes.entries()) {
        const [counter] = counters;
        if (!isAbove || by === undefined || counter === undefined || counters.length > 1) continue;
        const { owed } = of(counter);
        const isAlone = fits.every((fit, otherIndex) => otherIndex === index || fit === 'fits');
        if (isAlone && (owed[0] ?? asked.at) + CLOCKS_MS < asked.at) owed.shift();
      }
    },
    fits(take, row) {
      const { asked, shown, above } = row;
      const { counters } = take;
      const { codes } = asked;
      if (codes.isAllow) return stillFits(take, row) || undefined;
      if (codes.budgetsExceeded === 0 || shown.length !== codes.budgetsExceeded) return undefined;
      const ownCount = Number(above.kind === 'more');
      const full = fullOf(take, shown);
      if (full !== undefined) return isFull(full, take) && isFullStill(full.of, ownCount) ? false : undefined;
      // The storage names every budget that is exceeded.
      return counters.every((counter) => isSame(counter, ownCount) && !counter.isHeld) ? true : undefined;
    },
    miss: disturbances.miss,
  };
}

function noted({ asked: { codes }, judgement, takes, shown }: FoldedRow): AboveEffect {
  const { denied, approval, before, after } = judgement;
  const mayTake = denied.length === 0 && approval.length === 0;
  if (!codes.isAllow) {
    if (!mayTake) return NO_EFFECT;
    for (const take of takes) {
      const full = take.isAbove ? fullOf(take, shown) : undefined;
      if (full !== undefined && isFull(full, take)) return { kind: 'denied', on: [full.of] };
    }
    return { kind: 'more', on: [] };
  }
  const isOpen = before !== undefined || after !== undefined || takes.some(({ by }) => by === undefined);
  if (!mayTake || isOpen) return { kind: 'less', on: [] };
  return { kind: 'allowed', on: takes.flatMap(({ counters }) => counters) };
}

interface Full {
  readonly of: Counter;
  readonly shown: ShownBudget;
}

function fullOf({ counters }: Take, shownBudgets: readonly ShownBudget[]): Full | undefined {
  for (const counter of counters) {
    const budget = shownOf(counter, shownBudgets);
    if (budget !== undefined) return { of: counter, shown: budget };
  }
  return undefined;
}

/** Returns `true` if the spend would not fit even if every hold had ended. */
function isFull({ shown: { spent } }: Full, { by, budget }: Take): boolean {
  return by !== undefined && by > budget.max - spent;
}

function countersAbove({ takes }: FoldedRow): readonly Counter[] {
  return takes.flatMap(({ isAbove, counters }) => (isAbove ? counters : []));
}

function add(amounts: Map<Counter, number>, counter: Counter, delta: number): void {
  const sum = (amounts.get(counter) ?? 0) + delta;
  if (sum === 0) amounts.delete(counter);
  else amounts.set(counter, sum);
}
