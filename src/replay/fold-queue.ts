/** Records that take from budgets wait here until all of the next 5 seconds have come. */
import type { BudgetFold } from './budget-fold.ts';
import { CLOCKS_MS } from './counters.ts';
import type { FoldedRow, Replayed } from './folded-row.ts';
import { mostTaken, type ShownBudget } from './shown-budgets.ts';
import { createWaitingRows } from './waiting-rows.ts';

/** A record that waits, with its rows of each fold. */
interface Waiting {
  readonly at: number;
  readonly shown: readonly ShownBudget[];
  readonly rows: readonly FoldedRow[];
  readonly done: (results: readonly Replayed[]) => void;
  /** Returns `done` in a form that does not keep the block of the record. */
  readonly keep: () => (results: readonly Replayed[]) => void;
}

/** The records that wait. */
export interface FoldQueue {
  /**
   * Judges the records of which all of the next 5 seconds have come, when the next one is of this instant. False when
   * there are more of them: it is to be called again.
   */
  advance(at: number): boolean;
  add(waiting: Waiting): void;
  /** Judges all that wait. False when there are more of them: it is to be called again. */
  end(): boolean;
}

/** The largest number of records in one step. */
const MAX_JUDGED = 256;

/** Makes the queue over these folds. */
export function createFoldQueue(folds: readonly BudgetFold[]): FoldQueue {
  const held = createWaitingRows(folds);
  let waiting: Waiting[] = [];
  let judged = 0;
  let settled = 0;

  function settleBefore(at: number): void {
    for (; settled < judged; settled += 1) {
      const one = waiting[settled] as Waiting;
      if (one.at >= at) return;
      for (const [index, row] of one.rows.entries()) folds[index]?.settle(row);
      for (const { counter, by } of one.shown) counter.tookBefore += by;
    }
  }

  function look({ at, shown }: Waiting): void {
    for (const one of shown) {
      const { counter, by, used, spent } = one;
      // What is held goes back when a write that does not fit finds the hold over: here none may have been refused.
      counter.mayBeBack = Math.max(0, mostTaken(one) - spent);
      if (counter.tookBefore + by > used) counter.isBack = true;
      held.see(counter, at);
    }
  }

  function judgeNext(): void {
    const one = waiting[judged] as Waiting;
    settleBefore(one.at - CLOCKS_MS);
    look(one);
    judged += 1;
    const { at, rows } = one;
    const results = rows.map((row, index) => (folds[index] as BudgetFold).judge(row));
    if (areAll(results)) one.done(results);
    else held.add({ at, rows, results, done: one.keep() });
  }

  /** Judges up to an instant. */
  function judgeBefore(at: number): boolean {
    for (
      let count = 0;
      judged < waiting.length && (waiting[judged] as Waiting).at + CLOCKS_MS < at;
      count += 1
    ) {
      if (count === MAX_JUDGED) return false;
      judgeNext();
    }
    return true;
  }

  return {
    advance(at) {
      const isDone = judgeBefore(at);
      if (settled > 1_024 && settled * 2 > waiting.length) {
        waiting = waiting.slice(settled);
        judged -= settled;
        settled = 0;
      }
      return isDone;
    },
    add(one) {
      for (const { counter, by, used } of one.shown) {
        counter.took += by;
        counter.tiles?.add(used - by, used);
      }
      waiting.push(one);
    },
    end() {
      if (!judgeBefore(Number.POSITIVE_INFINITY)) return false;
      held.end();
      waiting = [];
      judged = 0;
      settled = 0;
      return true;
    },
  };
}

function areAll(results: readonly (Replayed | undefined)[]): results is readonly Replayed[] {
  return !results.includes(undefined);
}
