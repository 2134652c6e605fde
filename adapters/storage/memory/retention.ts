import type { Instant, Purgeable, StoreTime } from '../../../src/ports/index.ts';
import { purgeBound, raisedMark } from '../../../src/ports/index.ts';

/** The time of a storage in memory, which has no clock, and the instant up to which it has removed records. */
export interface Retention {
  /** Raises the stored time to `present` and returns it. If `present` is trusted, the stored time becomes `present`. */
  time(present: Instant, isTrusted?: boolean): StoreTime;
  of(before: Instant, present: Instant): Instant;
  note(what: Purgeable, bound: Instant, removed: number): number;
  removedUntil(): Instant | undefined;
}

export function createRetention(): Retention {
  let mark: Instant | undefined;
  let until: Instant | undefined;

  function time(present: Instant, isTrusted = false): StoreTime {
    mark = isTrusted ? present : raisedMark(mark, present);
    return { at: mark, isMark: true };
  }

  return {
    time,
    of: (before, present) => purgeBound(before, present, time(present).at),
    note(what, bound, removed) {
      const isHistory = what === 'verdicts' || what === 'rollups';
      if (isHistory && removed > 0 && (until === undefined || until < bound)) until = bound;
      return removed;
    },
    removedUntil: () => until,
  };
}
