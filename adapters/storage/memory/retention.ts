import type { Instant, Purgeable, StoreTime } from '../../../src/ports/index.ts';
import { purgeBound, raisedMark } from '../../../src/ports/index.ts';

/** The time of a storage in memory, which has no clock, and the instant up to which it has removed records. */
export interface Retention {
  /** Raises the stored time to `present` and returns it. If `present` is trusted, the stored time becomes `present`. */
  time(present: Instant, isTrusted?: boolean): StoreTime;
  of(cutoff: Instant, present: Instant): Instant;
  note(purgeable: Purgeable, limit: Instant, removedCount: number): number;
  removedUntil(): Instant | undefined;
}

export function createRetention(): Retention {
  let mark: Instant | undefined;
  let end: Instant | undefined;

  function time(present: Instant, isTrusted = false): StoreTime {
    mark = isTrusted ? present : raisedMark(mark, present);
    return { at: mark, isMark: true };
  }

  return {
    time,
    of: (cutoff, present) => purgeBound(cutoff, present, time(present).at),
    note(purgeable, limit, removedCount) {
      const isHistory = purgeable === 'verdicts' || purgeable === 'rollups';
      if (isHistory && removedCount > 0 && (end === undefined || end < limit)) end = limit;
      return removedCount;
    },
    removedUntil: () => end,
  };
}
