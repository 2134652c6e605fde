/** Calls that may each take the same time, watched by one timer: one for each costs more than the rest of a call. */

/** A call on its way. */
export interface TimedCall {
  /** When its time is over, by `performance.now()`. */
  readonly end: number;
  /** Whether it was given up. */
  readonly isLate: boolean;
}

/** Gives up what takes too long. */
export interface Deadlines {
  /** What `make` gives; rejects with the error of the deadline once that takes too long, after a call of `onLate`. */
  limit<Answer>(
    make: (call: TimedCall) => Promise<Answer>,
    onLate?: (call: TimedCall) => void,
  ): Promise<Answer>;
  /** A call in several parts, which begins now and is watched until `finish`. */
  begin(onLate?: (call: TimedCall) => void): TimedCall;
  /** What the answer settles to; rejects with the error of the deadline once the call is given up. */
  settle<Answer>(call: TimedCall, answer: Promise<Answer>): Promise<Answer>;
  /** Must be called for every call, also for one that failed. */
  finish(call: TimedCall): void;
}

interface Watched extends TimedCall {
  isLate: boolean;
  readonly onLate: ((call: TimedCall) => void) | undefined;
  /** Of what waits for it at the moment. */
  reject: ((late: Error) => void) | undefined;
}

/** Where a timer cannot let the process end, as in Node, it is ended when nothing waits. */
type Timer = ReturnType<typeof setTimeout> & { ref?(): void; unref?(): void };

/**
 * Deadlines of `limitMs` milliseconds each; `toError` makes the error of a call that is given up. An answer that is
 * there already counts, even if this process stood still beyond the deadline and could not look. Keeps the process
 * alive while a call is watched.
 */
export function createDeadlines(limitMs: number, toError: () => Error): Deadlines {
  // All have the same time, so that the first in the set is the first to end.
  const calls = new Set<Watched>();
  let timer: Timer | undefined;

  function arm(ms: number): void {
    timer = setTimeout(() => afterArrivals(giveUpLate), ms);
  }

  function giveUpLate(): void {
    timer = undefined;
    const now = performance.now();
    for (const call of calls) {
      if (call.end > now) {
        arm(Math.ceil(call.end - now));
        return;
      }
      calls.delete(call);
      call.isLate = true;
      call.onLate?.(call);
      call.reject?.(toError());
    }
  }

  function begin(onLate?: (call: TimedCall) => void): Watched {
    const end = performance.now() + limitMs;
    const call: Watched = { end, isLate: false, onLate, reject: undefined };
    calls.add(call);
    if (timer === undefined) arm(limitMs);
    else if (calls.size === 1) timer.ref?.();
    return call;
  }

  function settle<Answer>(call: Watched, answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      call.reject = reject;
      answer.then(resolve, reject);
      if (call.isLate) reject(toError());
    });
  }

  function finish(call: Watched): void {
    calls.delete(call);
    if (calls.size > 0 || timer === undefined) return;
    if (timer.unref !== undefined) timer.unref();
    else {
      clearTimeout(timer);
      timer = undefined;
    }
  }

  return {
    begin,
    settle,
    finish,
    async limit(make, onLate) {
      const call = begin(onLate);
      try {
        return await settle(call, make(call));
      } finally {
        finish(call);
      }
    },
  };
}

/**
 * What `call` gives; rejects with the error that `toError` makes after `ms` milliseconds: for a deadline that differs
 * from call to call. As with the others, an answer that is there already counts.
 */
export async function within<Answer>(
  call: () => Promise<Answer>,
  { ms, toError }: { readonly ms: number; readonly toError: () => Error },
): Promise<Answer> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => afterArrivals(() => reject(toError())), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls `run` after the input that has arrived by now was processed, where the platform has `setImmediate`. */
export function afterArrivals(run: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void };
  if (setImmediate === undefined) setTimeout(run, 0);
  else setImmediate(run);
}
