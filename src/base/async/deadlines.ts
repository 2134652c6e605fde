import { afterArrivals, createWatch } from './watch.ts';

/** A call in progress. */
export interface TimedCall {
  /** The deadline of the call, by `performance.now()`. */
  readonly end: number;
  /** True when the call was given up. */
  readonly isLate: boolean;
}

/** Gives up calls that take too long. */
export interface Deadlines {
  /** Calls `make` and returns its result. Too late: calls `onLate`, then rejects with the error of the deadline. */
  limit<Answer>(
    make: (call: TimedCall) => Promise<Answer>,
    onLate?: (call: TimedCall) => void,
  ): Promise<Answer>;
  /** Starts a call in several parts. Its deadline is watched until `finish`. */
  begin(onLate?: (call: TimedCall) => void): TimedCall;
  /** Waits for one part of a call. Rejects with the error of the deadline when the call is given up. */
  settle<Answer>(call: TimedCall, answer: Promise<Answer>): Promise<Answer>;
  /** Ends the watch. Call it for every call, even if the call failed. */
  finish(call: TimedCall): void;
}

interface Watched extends TimedCall {
  end: number;
  isLate: boolean;
  readonly onLate: ((call: TimedCall) => void) | undefined;
  /** Rejects the part of the call that is waited for now. */
  reject: ((late: Error) => void) | undefined;
}

/** Makes deadlines of `limitMs` milliseconds each; `toError` makes the error of a call that is given up. */
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
 * Returns the result of `call`; rejects with the error of `toError` after `ms` milliseconds. Use it when each call has
 * its own deadline. An answer that has arrived by the deadline counts, as with {@link Deadlines}.
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
