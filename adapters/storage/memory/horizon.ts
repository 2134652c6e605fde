import type { Instant, Purgeable, StoreTime } from '../../../src/ports/index.ts';
import { purgeHorizon, raisedMark } from '../../../src/ports/index.ts';

/** The time of a storage in memory, which has no clock of its own, and the instant up to which it has removed records. */
export interface Horizon {
  /** Raises the high-water mark to `present` and returns it; a trusted `present` sets it. */
  time(present: Instant, isTrusted?: boolean): StoreTime;
  /** Returns the limit of a purge, which may remove records older than this. */
  of(before: Instant, present: Instant): Instant;
  /** Notes a purge up to a horizon, and returns the number that it removed. */
  note(what: Purgeable, horizon: Instant, removed: number): number;
  /** Returns the instant up to which verdicts or rollups were removed; `undefined` if none were. */
  removedUntil(): Instant | undefined;
}

/** Makes a horizon without a high-water mark. */
export function createHorizon(): Horizon {
  let mark: Instant | undefined;
  let until: Instant | undefined;

  function time(present: Instant, isTrusted = false): StoreTime {
    mark = isTrusted ? present : raisedMark(mark, present);
    return { at: mark, isMark: true };
  }

  return {
    time,
    of: (before, present) => purgeHorizon(before, present, time(present).at),
    note(what, horizon, removed) {
      const isHistory = what === 'verdicts' || what === 'rollups';
      if (isHistory && removed > 0 && (until === undefined || until < horizon)) until = horizon;
      return removed;
    },
    removedUntil: () => until,
  };
}
