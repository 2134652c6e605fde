import { IdentityError } from '../errors.ts';

/** Calls back once after so many milliseconds, unless the function it answers is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** How much may run and wait. */
export interface TurnstileOptions {
  /** How many may run at a time. */
  readonly concurrency: number;
  /** How many may wait behind them. */
  readonly queue: number;
  /** How long one may wait. */
  readonly queueTimeoutMs: number;
  readonly after?: After;
}

/** Runs some work when its turn comes. */
export type Turnstile = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly start: () => void;
}

/**
 * Lets a few works run at a time, in order of arrival. Rejects with `overloaded`, without having started the
 * work, when too many wait already or the turn does not come in time.
 */
export function turnstile({
  concurrency,
  queue,
  queueTimeoutMs,
  after = byTimer,
}: TurnstileOptions): Turnstile {
  let running = 0;
  const waiting = new Set<Waiting>();

  function turn(): Promise<void> {
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    if (waiting.size >= queue) return Promise.reject(overloaded(queueTimeoutMs));
    return new Promise((resolve, reject) => {
      const cancelTimer = after(queueTimeoutMs, () => {
        waiting.delete(one);
        reject(overloaded(queueTimeoutMs));
      });
      const one: Waiting = {
        start: () => {
          waiting.delete(one);
          cancelTimer();
          resolve();
        },
      };
      waiting.add(one);
    });
  }

  function done(): void {
    const [first] = waiting;
    // INVARIANT: a place is handed on or given back, never both.
    if (first === undefined) running--;
    else first.start();
  }

  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      done();
    }
  };
}

function byTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function overloaded(queueTimeoutMs: number): IdentityError {
  return new IdentityError('overloaded', 'Too many passwords are being checked: try again later.', {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(queueTimeoutMs / 1_000)) },
  });
}
