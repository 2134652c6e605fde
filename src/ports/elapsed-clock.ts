/** A clock that also counts the time in which the computer sleeps. */
import { steadyNow } from '../base/async/watch.ts';
import type { Clock } from './host.ts';

/**
 * A clock with milliseconds that never go back and include the sleep of the computer. The clock also returns the wall
 * clock that was read at the same time.
 */
export interface ElapsedClock {
  /** Returns the milliseconds since an arbitrary start. Reads both clocks. */
  elapsed(): number;
  /**
   * Returns the wall clock that was read together with this result of `elapsed`. If this is not the last result, reads
   * the wall clock again.
   */
  presentOf(elapsedMs: number): number;
  /**
   * Returns the milliseconds since this result of `elapsed`. Does not read the wall clock, so it does not count sleep
   * since then.
   */
  tookMs(sinceMs: number): number;
}

/**
 * The maximum difference between the two clocks, in milliseconds, that is not corrected, because it may be jitter. The
 * difference can grow slowly over several readings. A larger difference is corrected at once.
 */
const MOST_UNNOTICED_MS = 100;

/**
 * Creates a clock from `now` and `monotonic`; default: the clocks of the system.
 *
 * `performance.now()` stands still while a Linux or macOS computer sleeps. If the wall clock has gained more than 100
 * ms on it since the last reading, the clock adds the gain. Setting the wall clock forward looks like sleep; setting it
 * back has no effect. Slow drift and many short sleeps add up.
 */
export function createElapsedClock(clock: Clock = { now: Date.now }): ElapsedClock {
  const steady = steadyOf(clock);
  let asleepMs = 0;
  /** The milliseconds by which the wall clock was ahead of the monotonic clock at the last reading. */
  let lead = Number.POSITIVE_INFINITY;
  let last = Number.NaN;
  let present = Number.NaN;

  return {
    elapsed() {
      const atMs = steady();
      present = clock.now();
      const gainMs = present - atMs - lead;
      if (gainMs > MOST_UNNOTICED_MS) asleepMs += gainMs;
      if (gainMs < 0 || gainMs > MOST_UNNOTICED_MS) lead = present - atMs;
      last = atMs + asleepMs;
      return last;
    },
    presentOf: (elapsedMs) => (elapsedMs === last ? present : clock.now()),
    tookMs: (sinceMs) => steady() + asleepMs - sinceMs,
  };
}

/**
 * @internal Returns the application's monotonic clock. It cannot be set, but may stand still while the computer sleeps.
 */
export function steadyOf(clock: Clock): () => number {
  const { monotonic } = clock;
  return monotonic === undefined ? steadyNow : () => monotonic.call(clock);
}
