/** Calls that may each take the same time, watched by one timer: one for each costs more than the rest of a call. */
import { steadyNow } from './steady-clock.ts';

/** Watches calls. */
export interface Watch<Call> {
  /** Watches this call from now on, until `finish`. */
  begin(call: Call): void;
  /** Must be called for every call, also for one that failed. */
  finish(call: Call): void;
}

/** In Node a timer without a call to watch is unreferenced, so that the process can end; elsewhere it is cleared. */
type Timer = ReturnType<typeof setTimeout> & { ref?(): void; unref?(): void };

/**
 * Calls `giveUp` with a call that takes longer than `limitMs` milliseconds. An answer that has arrived by then counts,
 * even if this process was blocked beyond the deadline. Keeps the process alive while a call is watched.
 */
export function createWatch<Call extends { end: number }>(
  limitMs: number,
  giveUp: (call: Call) => void,
): Watch<Call> {
  // All have the same time, so that the first in the set is the first to end.
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

/** Calls `run` after the input that has arrived by now was processed, where the platform has `setImmediate`. */
export function afterArrivals(run: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void };
  if (setImmediate === undefined) setTimeout(run, 0);
  else setImmediate(run);
}
