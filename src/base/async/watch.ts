/**
 * Uses one timer for all calls with the same time limit. A timer for each call would cost more than the rest of a call.
 */
export interface Watch<Call> {
  begin(call: Call): void;
  /** Stops watching the call. Run it after every watched call, even after a failed call. */
  finish(call: Call): void;
}

/**
 * The timer. Without watched calls, it must not keep the process alive: Node unreferences it, other platforms clear it.
 */
type Timer = ReturnType<typeof setTimeout> & { ref?(): void; unref?(): void };

/**
 * Creates a watch that calls `giveUp` with each call that takes longer than `limitMs` milliseconds. An answer that has
 * arrived by the deadline counts, even if this process was blocked past the deadline. The process stays alive while a
 * call is watched.
 */
export function createWatch<Call extends { end: number }>(
  limitMs: number,
  giveUp: (call: Call) => void,
): Watch<Call> {
  // All calls have the same limit, so that the first in the set is the first to reach its deadline.
  const calls = new Set<Call>();
  let timer: Timer | undefined;

  function arm(ms: number): void {
    timer = setTimeout(() => afterArrivals(giveUpLate), ms);
  }

  function giveUpLate(): void {
    timer = undefined;
    const now = steadyNow();
    for (const call of calls) {
      if (call.end > now) {
        arm(Math.ceil(call.end - now));
        return;
      }
      calls.delete(call);
      giveUp(call);
    }
  }

  return {
    begin(call) {
      call.end = steadyNow() + limitMs;
      calls.add(call);
      if (timer === undefined) arm(limitMs);
      else if (calls.size === 1) timer.ref?.();
    },
    finish(call) {
      calls.delete(call);
      if (calls.size > 0 || timer === undefined) return;
      if (timer.unref !== undefined) timer.unref();
      else {
        clearTimeout(timer);
        timer = undefined;
      }
    },
  };
}

/**
 * The timers of the platform, read at the start. Fake timers in the tests of an application would replace the global
 * functions and never call back.
 */
const { setImmediate, setTimeout: startTimer } = globalThis as {
  readonly setImmediate?: (run: () => void) => void;
  readonly setTimeout: (run: () => void, ms: number) => unknown;
};

/** Calls `run` after all received input was processed, on platforms with `setImmediate`. */
export function afterArrivals(run: () => void): void {
  if (setImmediate === undefined) startTimer(run, 0);
  else setImmediate(run);
}

/** The global `performance`, read once because the getter of the global scope takes longer than the clock itself. */
const { performance } = globalThis;

/**
 * Returns `performance.now()` in milliseconds. It never goes backwards; on some systems it stops while the machine
 * sleeps.
 */
export function steadyNow(): number {
  return performance.now();
}
