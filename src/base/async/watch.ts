/** One timer for all calls with the same time limit: a timer for each would cost more than the rest of a call. */
/** A watch over calls. */
export interface Watch<Call> {
  /** Watches this call from now on, until `finish`. */
  begin(call: Call): void;
  /** Stops the watch. Run it after every watched call, also after one that failed. */
  finish(call: Call): void;
}

/**
 * The timer. In Node a timer without a call to watch is unreferenced, so that the process can end; elsewhere it is
 * cleared.
 */
type Timer = ReturnType<typeof setTimeout> & { ref?(): void; unref?(): void };

/**
 * Makes a watch that calls `giveUp` with a call that takes longer than `limitMs` milliseconds. An answer that has
 * arrived by the deadline counts, even when this process was blocked past it. Keeps the process alive while a call is
 * watched.
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

/** The functions of the platform. Fake timers of an application's tests replace the global ones, and never call back. */
const { setImmediate, setTimeout: startTimer } = globalThis as {
  readonly setImmediate?: (run: () => void) => void;
  readonly setTimeout: (run: () => void, ms: number) => unknown;
};

/** Calls `run` after all input that has arrived was processed, on platforms with `setImmediate`. */
export function afterArrivals(run: () => void): void {
  if (setImmediate === undefined) startTimer(run, 0);
  else setImmediate(run);
}

/** The global `performance`, read once: the getter of the global scope takes longer than the clock itself. */
const { performance } = globalThis;

/**
 * Returns `performance.now()` in milliseconds. It never goes back; on some systems it stands still while the machine
 * sleeps.
 */
export function steadyNow(): number {
  return performance.now();
}
