/** A clock that counts the time in which the machine sleeps. */
import { steadyNow } from '../base/async/watch.ts';
import type { Clock } from './host.ts';

/** A clock whose milliseconds never go back and include sleep, together with the wall clock read at the same time. */
export interface ElapsedClock {
  /** Returns the milliseconds since any origin. Reads both clocks. */
  elapsed(): number;
  /** Returns the wall clock time read with this result of `elapsed` when it is the last one; else reads it again. */
  presentOf(elapsedMs: number): number;
  /**
   * Returns the milliseconds since that result of `elapsed`. Does not read the wall clock, so a sleep since then is not
   * included.
   */
  tookMs(sinceMs: number): number;
}

/** The difference between the two clocks that is ignored: jitter. Small differences add up until they exceed it. */
const MOST_UNNOTICED_MS = 100;

/**
 * Makes a clock from `now` and `monotonic`. By default it uses the clocks of the system.
 *
 * `performance.now()` stands still while a Linux or macOS machine sleeps. When the wall clock has gained more than
 * 100 ms on it since the last note, the gain is added. A wall clock that is set forward looks like sleep. A wall
 * clock that is set back has no effect. Slow drift and many short sleeps add up.
 */
export function createElapsedClock(clock: Clock = { now: Date.now }): ElapsedClock {
  const steady = steadyOf(clock);
  let asleepMs = 0;
  /** The time by which the wall clock was ahead of the steady clock at the last note. */
  let lead = Number.POSITIVE_INFINITY;
  let last = Number.NaN;
  let present = Number.NaN;

  return {
    elapsed() {
      const at = steady();
      present = clock.now();
      const gained = present - at - lead;
      if (gained > MOST_UNNOTICED_MS) asleepMs += gained;
      if (gained < 0 || gained > MOST_UNNOTICED_MS) lead = present - at;
      last = at + asleepMs;
      return last;
    },
    presentOf: (elapsedMs) => (elapsedMs === last ? present : clock.now()),
    tookMs: (sinceMs) => steady() + asleepMs - sinceMs,
  };
}

/**
 * @internal Returns the application's monotonic clock, which is never set but may stand still while the machine
 * sleeps.
 */
export function steadyOf(clock: Clock): () => number {
  const { monotonic } = clock;
  return monotonic === undefined ? steadyNow : () => monotonic.call(clock);
}
