/** How far the time of a store goes, and what it lets a purge remove. */
import type { Instant } from '../records.ts';
import { RESOLUTION_MS } from './time-buckets.ts';

/** A time further ahead of a mark does not raise it: it may be that of a wrong clock, or of a store unused for long. */
export const MAX_AHEAD_MS: number = RESOLUTION_MS.day;

/** A clock that differs by more from that of the store is off. */
export const MAX_OFF_MS = 5_000;

/** How far a clock that showed these two is ahead of an instant between; 0 when that may be between them. */
export function clockDistance(between: number, ...shown: readonly [number, number]): number {
  const first = Math.min(...shown);
  const last = Math.max(...shown);
  return between < first ? first - between : Math.min(last - between, 0);
}

/** The mark of a store without a clock, after a call with `present`: raised by at most a day, never lowered. */
export function raisedMark(mark: Instant | undefined, present: Instant): Instant {
  if (mark === undefined) return present;
  const ahead = aheadMs(present, mark);
  return ahead > 0 && ahead <= MAX_AHEAD_MS ? present : mark;
}

/**
 * What a purge may remove at most: what is older than this. It is `before`, moved back as far as `present`, from
 * which it was reckoned, is ahead of the store's time; then to a whole minute, as the shortest rollups are.
 */
export function purgeHorizon(before: Instant, present: Instant, storeTime: Instant): Instant {
  const ahead = Math.max(aheadMs(present, storeTime), aheadMs(before, storeTime));
  if (ahead <= 0) return before;
  const moved = Math.max(Date.parse(before) - ahead, 0);
  return new Date(moved - (moved % RESOLUTION_MS.minute)).toISOString();
}

/** Throws a TypeError where one of them cannot be read: no purge may go by such a time. */
function aheadMs(present: Instant, past: Instant): number {
  const ahead = Date.parse(present) - Date.parse(past);
  if (Number.isNaN(ahead)) throw new TypeError('An instant cannot be read.');
  return ahead;
}
