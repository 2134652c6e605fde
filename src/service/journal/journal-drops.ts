/** Verdicts that found no place in the journal: counted, never silent. */

import { rollupStarts } from '../../base/time-buckets.ts';
import type { RollupDelta } from '../../ports/storage.ts';
import type { Environment, Instant } from '../../records.ts';

/** Whose verdict was dropped, and when it was answered. */
export interface Dropped {
  readonly account_id: string;
  readonly environment: Environment;
  readonly created_at: Instant;
}

/** The drops that no rollup holds yet. */
export interface JournalDrops {
  readonly isEmpty: boolean;
  add(dropped: Dropped, count: number): void;
  /** All of them; it begins at 0 again. */
  take(): readonly RollupDelta[];
  /** Takes back those among the deltas of a batch that was given up. */
  putBack(deltas: readonly RollupDelta[]): void;
}

/** No drops. */
export function createJournalDrops(): JournalDrops {
  let deltas = new Map<string, RollupDelta>();

  function add({ account_id, environment, created_at }: Dropped, count: number): void {
    // One count an hour, at its latest drop: an outage of days must not fill the memory either.
    const id = `${account_id}\n${environment}\n${created_at.slice(0, 13)}`;
    const { minute } = rollupStarts(created_at);
    const sum = (deltas.get(id)?.count ?? 0) + count;
    deltas.set(id, { account_id, environment, minute, agent_id: '', kind: 'dropped', key: '', count: sum });
  }

  return {
    get isEmpty() {
      return deltas.size === 0;
    },
    add,
    take() {
      const taken = [...deltas.values()];
      deltas = new Map();
      return taken;
    },
    putBack(given) {
      for (const delta of given) {
        if (delta.kind === 'dropped') add({ ...delta, created_at: delta.minute }, delta.count);
      }
    },
  };
}
