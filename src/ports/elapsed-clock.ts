/** A clock that notices sleep. */
import { steadyNow } from '../base/steady-clock.ts';
import type { Clock } from './host.ts';

/** Milliseconds that never go back and that go on in a sleep, with the wall clock that was read beside them. */
export interface ElapsedClock {
  /** Milliseconds since any origin. Reads both clocks. */
  elapsed(): number;
  /** The present that was read together with this answer of `elapsed` where it is the last one, else read anew. */
  presentOf(elapsedMs: number): number;
  /** Milliseconds since that answer of `elapsed`. Reads no wall clock, and so leaves a sleep since the last look out. */
  tookMs(sinceMs: number): number;
}

/** The two clocks may part by as much before it counts: less is jitter, or adds up until it is more. */
const MOST_UNNOTICED_MS = 100;

/**
 * A clock over `now` and `monotonic`, by default the system's. `performance.now()` stands still while a Linux or macOS
 * machine sleeps: what the wall clock has gained on it since that was noted last is added once it is more than 100 ms.
 * A wall clock set forward looks like sleep, one set back changes nothing, slow drift and many short sleeps add up.
 */
export function createElapsedClock(clock: Clock = { now: Date.now }): ElapsedClock {
  const steady = steadyOf(clock);
  let asleepMs = 0;
  /** How far the wall clock was ahead of the steady one when that was noted last. */
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

/** @internal The milliseconds of a host that no one sets, and that may stand still in a sleep. */
export function steadyOf(clock: Clock): () => number {
  const { monotonic } = clock;
  return monotonic === undefined ? steadyNow : () => monotonic.call(clock);
}
