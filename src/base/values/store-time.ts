import type { Instant } from '../../records.ts';
import { RESOLUTION_MS } from './time-buckets.ts';

/**
 * The maximum by which one call can raise the stored time. A storage without a clock uses the stored time as its time.
 * A greater step is refused, because a wrong clock may cause it. A long pause can also cause such a step.
 */
export const MAX_AHEAD_MS: number = RESOLUTION_MS.day;

/** The largest accepted difference between a clock and the clock of the storage. */
export const MAX_OFF_MS = 5_000;

/**
 * Returns how far the clock of this node is ahead of another clock; a negative number if the clock of this node is
 * behind. The other clock showed `distance`. The clock of this node showed the two readings in `shownTimes` before and
 * after. Returns 0 if `distance` lies within the two readings.
 */
export function clockDistance(distance: number, ...shownTimes: readonly [number, number]): number {
  const first = Math.min(...shownTimes);
  const last = Math.max(...shownTimes);
  return distance < first ? first - distance : Math.min(last - distance, 0);
}

/**
 * Returns the new stored time of a storage without a clock, after a call at `present`. It is raised by at most a day,
 * and never lowered.
 *
 * @throws {TypeError} For a text that is not an instant.
 */
export function raisedMark(mark: Instant | undefined, present: Instant): Instant {
  if (mark === undefined) return present;
  const ahead = aheadMs(present, mark);
  return ahead > 0 && ahead <= MAX_AHEAD_MS ? present : mark;
}

/**
 * Returns the bound of a purge. Only older records may be removed.
 *
 * The caller computed `cutoff` from `present`. If `present` is ahead of the storage's time, the bound is moved back by
 * the same amount. It is rounded down to a whole minute, the shortest rollup.
 *
 * @throws {TypeError} For a text that is not an instant.
 */
export function purgeBound(cutoff: Instant, present: Instant, storeTime: Instant): Instant {
  const ahead = Math.max(aheadMs(present, storeTime), aheadMs(cutoff, storeTime));
  if (ahead <= 0) return cutoff;
  const movedMs = Math.max(Date.parse(cutoff) - ahead, 0);
  return new Date(movedMs - (movedMs % RESOLUTION_MS.minute)).toISOString();
}

/**
 * Returns how far `present` is ahead of `pastInstant`.
 *
 * @throws {TypeError} If one of them is not an instant, so that a purge never removes records by an unreadable time.
 */
function aheadMs(present: Instant, pastInstant: Instant): number {
  const ahead = Date.parse(present) - Date.parse(pastInstant);
  if (Number.isNaN(ahead)) throw new TypeError('An instant cannot be read.');
  return ahead;
}
