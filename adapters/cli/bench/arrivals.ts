import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** The instants at which questions are due at a fixed rate, whether or not the earlier ones were answered. */
export interface Arrivals {
  /** Waits until the next question is due, or the measurement ends; the moment at which it was due. */
  next(): Promise<number>;
}

/** Closer to the moment than this a timer is too coarse: the clock is read at every turn of the event loop. */
const TIMER_MS = 2;

/** Creates the arrivals from `beganAt` to `endAt`, both of `performance.now()`; it waits for nothing once `isStopped`. */
export function createArrivals(
  rate: number,
  { beganAt, endAt, isStopped }: { beganAt: number; endAt: number; isStopped: () => boolean },
): Arrivals {
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function pass(): Promise<number> {
    const dueAt = beganAt + (count * 1_000) / rate;
    count += 1;
    if (!isStopped()) await until(Math.min(dueAt, endAt));
    return dueAt;
  }

  return {
    next() {
      // One after another: of all that wait only the first reads the clock.
      const passed = last.then(pass);
      last = passed;
      return passed;
    },
  };
}

async function until(moment: number): Promise<void> {
  for (let leftMs = moment - performance.now(); leftMs > 0; leftMs = moment - performance.now()) {
    await (leftMs > TIMER_MS ? wait(leftMs - TIMER_MS) : nextTurn());
  }
}
