import { IdentityError } from '../errors.ts';
import { fairQueue, type Visitor } from './fair-queue.ts';

/** Calls back once after so many milliseconds, unless the function it answers is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** How much may run and wait. */
export interface SemaphoreOptions {
  /** How many may run at a time. */
  readonly concurrency: number;
  /** How many may wait behind them; default 64. */
  readonly queue?: number;
  /** How long one may wait; default 10,000. */
  readonly queueTimeoutMs?: number;
  readonly after: After;
}

/** Runs some work when the turn of its visitor comes. */
export type Semaphore = <Result>(visitor: Visitor, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets a few works run at a time, by turns of their networks as `fairQueue` has it. Rejects with `overloaded`,
 * without having started the work, when there is no place to wait or the turn does not come in time.
 */
export function createSemaphore({
  concurrency,
  queue: places = 64,
  queueTimeoutMs = 10_000,
  after,
}: SemaphoreOptions): Semaphore {
  let running = 0;
  const queue = fairQueue<Waiting>(places);

  function turn({ networks, hasFailed }: Visitor): Promise<Waiting> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(overloaded(queueTimeoutMs));
      const one: Waiting = { networks, hasFailed, begin: () => resolve(one), refuse, cancelTimer: () => {} };
      if (running < concurrency) {
        running += 1;
        queue.start(one);
        resolve(one);
        return;
      }
      const pushedOut = queue.join(one);
      pushedOut?.cancelTimer();
      pushedOut?.refuse();
      if (pushedOut === one) return;
      one.cancelTimer = after(queueTimeoutMs, () => {
        queue.leave(one);
        refuse();
      });
    });
  }

  function done(one: Waiting): void {
    queue.leave(one);
    const next = queue.next();
    // INVARIANT: a place is handed on or given back, never both.
    if (next === undefined) running -= 1;
    else {
      next.cancelTimer();
      next.begin();
    }
  }

  return async (visitor, work) => {
    const one = await turn(visitor);
    try {
      return await work();
    } finally {
      done(one);
    }
  };
}

interface Waiting extends Visitor {
  readonly begin: () => void;
  readonly refuse: () => void;
  cancelTimer: () => void;
}

function overloaded(queueTimeoutMs: number): IdentityError {
  return new IdentityError('overloaded', 'Too many passwords are being checked: try again later.', {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(queueTimeoutMs / 1_000)) },
  });
}
