import { afterArrivals, createWatch } from './watch.ts';

/** A call with a deadline. */
export interface TimedCall {
  /** The deadline of the call, in the time of `performance.now()`. */
  readonly end: number;
  /** True if the deadline has passed without an answer. */
  readonly isLate: boolean;
}

/** Ends calls that take longer than their deadline. */
export interface Deadlines {
  /**
   * Calls `make` and returns its result. After the deadline, calls `onLate`.
   *
   * @throws {Error} The deadline error after the deadline, or the error of `make`.
   */
  limit<Answer>(
    make: (call: TimedCall) => Promise<Answer>,
    onLate?: (call: TimedCall) => void,
  ): Promise<Answer>;
  /** Starts a call that has several parts. Its deadline applies until `finish`. */
  begin(onLate?: (call: TimedCall) => void): TimedCall;
  /**
   * Waits for one part of a call.
   *
   * @throws {Error} The deadline error if the call takes too long, or the error of `answer`.
   */
  settle<Answer>(call: TimedCall, answer: Promise<Answer>): Promise<Answer>;
  /** Removes the deadline. Run it for every call, even for a failed call. */
  finish(call: TimedCall): void;
}

interface Watched extends TimedCall {
  end: number;
  isLate: boolean;
  readonly onLate: ((call: TimedCall) => void) | undefined;
  /** Rejects the part of the call that the caller waits for now. */
  reject: ((late: Error) => void) | undefined;
}

/** Creates deadlines of `limitMs` milliseconds each. `toError` creates the error for a late call. */
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
 * Returns the result of `call`; rejects with the error of `toError` after `ms` milliseconds. Use it if each call has
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
