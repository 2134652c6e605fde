/** Calls that may each take the same time, and their errors. */
import { afterArrivals, createWatch } from './watch.ts';

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
  end: number;
  isLate: boolean;
  readonly onLate: ((call: TimedCall) => void) | undefined;
  /** Of what waits for it at the moment. */
  reject: ((late: Error) => void) | undefined;
}

/** Deadlines of `limitMs` milliseconds each; `toError` makes the error of a call that is given up. */
export function createDeadlines(limitMs: number, toError: () => Error): Deadlines {
  const { begin: watch, finish } = createWatch<Watched>(limitMs, (call) => {
    call.isLate = true;
    call.onLate?.(call);
    call.reject?.(toError());
  });

  function begin(onLate?: (call: TimedCall) => void): Watched {
    const call: Watched = { end: 0, isLate: false, onLate, reject: undefined };
    watch(call);
    return call;
  }

  function settle<Answer>(call: Watched, answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      call.reject = reject;
      answer.then(resolve, reject);
      if (call.isLate) reject(toError());
    });
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
 * from call to call. As with the others, an answer that has arrived by then counts.
 */
export async function within<Answer>(
  call: () => Promise<Answer>,
  { ms, toError }: { readonly ms: number; readonly toError: () => Error },
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => afterArrivals(() => reject(toError())), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}
