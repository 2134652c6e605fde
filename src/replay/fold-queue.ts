/** A queue for records that spend from budgets. They wait until all records of the next 5 seconds were read. */
import type { BudgetFold } from './budget-fold.ts';
import { CLOCKS_MS, type ShownCounter } from './counters.ts';
import { type BackOf, type FoldedRow, mostTaken, type Replayed, type ShownBudget } from './shown-budgets.ts';

interface Waiting {
  readonly at: number;
  readonly shown: readonly ShownBudget[];
  readonly rows: readonly FoldedRow[];
  readonly done: (results: readonly Replayed[]) => void;
  /** Returns a variant of `done` that does not keep the block of the record in memory. */
  readonly keep: () => (results: readonly Replayed[]) => void;
}

export interface FoldQueue {
  /**
   * Evaluates the records that are more than 5 seconds older than `atMs`, the instant of the next record. Returns
   * `false` if there are more, and must then be called again.
   */
  advance(atMs: number): boolean;
  add(waiting: Waiting): void;
  /** Evaluates all waiting records. Returns `false` if there are more, and must then be called again. */
  end(): boolean;
}

const MAX_EVALUATED = 256;

export function createFoldQueue(folds: readonly BudgetFold[]): FoldQueue {
  const heldRows = createWaitingRows(folds);
  let waiting: Waiting[] = [];
  let evaluatedCount = 0;
  let settledCount = 0;

  function settleBefore(atMs: number): void {
    for (; settledCount < evaluatedCount; settledCount += 1) {
      const item = waiting[settledCount] as Waiting;
      if (item.at >= atMs) return;
      for (const [index, row] of item.rows.entries()) folds[index]?.settle(row);
      for (const { counter, by } of item.shown) counter.tookBefore += by;
    }
  }

  function look({ at, shown }: Waiting): void {
    for (const budget of shown) {
      const { counter, by, used, spent } = budget;
      // What is held goes back when a write that does not fit finds the hold over: here none may have been refused.
      counter.mayBeBack = Math.max(0, mostTaken(budget) - spent);
      if (counter.tookBefore + by > used) counter.isBack = true;
      heldRows.see(counter, at);
    }
  }

  function evaluateNext(): void {
    const item = waiting[evaluatedCount] as Waiting;
    settleBefore(item.at - CLOCKS_MS);
    look(item);
    evaluatedCount += 1;
    const { at, rows } = item;
    const results = rows.map((row, index) => (folds[index] as BudgetFold).judge(row));
    if (areAll(results)) item.done(results);
    else heldRows.add({ at, rows, results, done: item.keep() });
  }

  function evaluateBefore(atMs: number): boolean {
    for (
      let count = 0;
      evaluatedCount < waiting.length && (waiting[evaluatedCount] as Waiting).at + CLOCKS_MS < atMs;
      count += 1
    ) {
      if (count === MAX_EVALUATED) return false;
      evaluateNext();
    }
    return true;
  }

  return {
    advance(atMs) {
      const isDone = evaluateBefore(atMs);
      if (settledCount > 1_024 && settledCount * 2 > waiting.length) {
        waiting = waiting.slice(settledCount);
        evaluatedCount -= settledCount;
        settledCount = 0;
      }
      return isDone;
    },
    add(item) {
      for (const { counter, by, used } of item.shown) {
        counter.took += by;
        counter.tiles?.add(used - by, used);
      }
      waiting.push(item);
    },
    end() {
      if (!evaluateBefore(Number.POSITIVE_INFINITY)) return false;
      heldRows.end();
      waiting = [];
      evaluatedCount = 0;
      settledCount = 0;
      return true;
    },
  };
}

function areAll(results: readonly (Replayed | undefined)[]): results is readonly Replayed[] {
  return !results.includes(undefined);
}

interface HeldRow {
  readonly at: number;
  readonly rows: readonly FoldedRow[];
  readonly results: readonly (Replayed | undefined)[];
  readonly done: (results: readonly Replayed[]) => void;
}

interface WaitingRow extends HeldRow {
  /** The counters that no later record has contained yet. */
  readonly open: Set<ShownCounter>;
  readonly backs: Map<ShownCounter, number>;
}

interface WaitingRows {
  add(heldRow: HeldRow): void;
  /**
   * Evaluates the records that waited for this counter. Call it when a record at the instant `atMs` contains the
   * counter.
   */
  see(counter: ShownCounter, atMs: number): void;
  end(): void;
}

/** The maximum number of waiting records. If there are more, the oldest is evaluated with the records read so far. */
const MAX_WAITING = 1_024;

function createWaitingRows(folds: readonly BudgetFold[]): WaitingRows {
  // Both in the order of time.
  const waiting = new Set<WaitingRow>();
  const byCounter = new Map<ShownCounter, Set<WaitingRow>>();

  function forget(row: WaitingRow, counter: ShownCounter): void {
    const rows = byCounter.get(counter);
    rows?.delete(row);
    if (rows?.size === 0) byCounter.delete(counter);
  }

  function finish(row: WaitingRow): void {
    waiting.delete(row);
    for (const counter of row.open) forget(row, counter);
    const backOf: BackOf = (counter) => row.backs.get(counter);
    row.done(row.results.map((result, index) => result ?? judge(row, index, backOf)));
  }

  function judge({ rows }: WaitingRow, index: number, backOf: BackOf): Replayed {
    return (folds[index] as BudgetFold).evaluateLate(rows[index] as FoldedRow, backOf);
  }

  return {
    add(heldRow) {
      const open = new Set(
        heldRow.rows.flatMap((row, index) => (heldRow.results[index] ? [] : [...row.awaits])),
      );
      const row = { ...heldRow, open, backs: new Map<ShownCounter, number>() };
      for (const counter of open) {
        const rows = byCounter.get(counter) ?? new Set();
        byCounter.set(counter, rows.add(row));
      }
      waiting.add(row);
      if (open.size === 0) finish(row);
      if (waiting.size <= MAX_WAITING) return;
      const [oldest] = waiting;
      if (oldest !== undefined) finish(oldest);
    },
    see(counter, atMs) {
      for (const row of byCounter.get(counter) ?? []) {
        // The store may have been asked for this one before the other.
        if (row.at + CLOCKS_MS >= atMs) return;
        forget(row, counter);
        row.open.delete(counter);
        row.backs.set(counter, counter.mayBeBack);
        if (row.open.size === 0) finish(row);
      }
    },
    end() {
      for (const row of waiting) finish(row);
    },
  };
}
