import type { Instant, Purgeable, StoreTime } from '../../../src/ports/index.ts';
import { purgeHorizon, raisedMark } from '../../../src/ports/index.ts';

/** The time of a storage in memory, which has no clock, and up to when it has removed records. */
export interface Horizon {
  /** The mark, raised by `present`; set to it where that is trusted. */
  time(present: Instant, isTrusted?: boolean): StoreTime;
  /** The limit of a purge: it may remove records that are older than this. */
  of(before: Instant, present: Instant): Instant;
  /** Notes what a purge has removed up to a horizon, and gives back its number. */
  note(what: Purgeable, horizon: Instant, removed: number): number;
  /** Up to when verdicts or rollups have been removed; `undefined`: none was. */
  removedUntil(): Instant | undefined;
}

/** A horizon without a mark. */
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
