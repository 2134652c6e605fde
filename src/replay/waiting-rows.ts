/**
 * Records that a budget denies unless something went back before them. That is seen in the next record that shows the
 * budget: until then they wait here, and those that wait for too long cannot be told.
 */
import type { BudgetFold } from './budget-fold.ts';
import { CLOCKS_MS, type ShownCounter } from './counters.ts';
import type { FoldedRow, Replayed } from './folded-row.ts';
import type { BackOf } from './given-back.ts';

/** A record that was evaluated under each set of passports, as far as it could be. */
export interface HeldRow {
  readonly at: number;
  readonly rows: readonly FoldedRow[];
  readonly results: readonly (Replayed | undefined)[];
  readonly done: (results: readonly Replayed[]) => void;
}

/** A record that waits, with what later records have shown since. */
interface WaitingRow extends HeldRow {
  /** The counters that no later record has shown yet. */
  readonly open: Set<ShownCounter>;
  readonly backs: Map<ShownCounter, number>;
}

/** The records that wait. */
export interface WaitingRows {
  add(held: HeldRow): void;
  /** Judges the records that waited for this counter, when a record of this instant shows it. */
  see(counter: ShownCounter, at: number): void;
  /** Judges all that still wait. */
  end(): void;
}

/** The most records that wait; beyond that the oldest is evaluated by what was seen. */
const MAX_WAITING = 1_024;

/** Makes the list of records that wait. */
export function createWaitingRows(folds: readonly BudgetFold[]): WaitingRows {
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
    return (folds[index] as BudgetFold).judgeLate(rows[index] as FoldedRow, backOf);
  }

  return {
    add(held) {
      const open = new Set(held.rows.flatMap((row, index) => (held.results[index] ? [] : [...row.awaits])));
      const row = { ...held, open, backs: new Map<ShownCounter, number>() };
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
    see(counter, at) {
      for (const row of byCounter.get(counter) ?? []) {
        // The store may have been asked for this one before the other.
        if (row.at + CLOCKS_MS >= at) return;
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
