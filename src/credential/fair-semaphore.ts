import { createSemaphore, type SemaphoreWaiter } from '../base/async/semaphore.ts';
import { IdentityError } from '../errors.ts';
import type { After } from '../ports/host.ts';
import { fairQueue, type Visitor } from './fair-queue.ts';

/** The limits of a fair semaphore. */
export interface FairSemaphoreOptions {
  /** The most works that run at a time. */
  readonly concurrency: number;
  /** The most works that wait; default 64. */
  readonly queue?: number;
  /** The longest wait in milliseconds; default 10,000. */
  readonly queueTimeoutMs?: number;
  readonly after: After;
}

/** Runs the work when the turn of its visitor comes. */
export type RunInTurn = <Result>(visitor: Visitor, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes a semaphore that lets a few works run at a time, in the order of `fairQueue`. Rejects with `overloaded`,
 * without having started the work, when the queue is full or the turn does not come in time.
 */
export function createFairSemaphore({
  concurrency,
  queue: capacity = 64,
  queueTimeoutMs = 10_000,
  after,
}: FairSemaphoreOptions): RunInTurn {
  const semaphore = createSemaphore(concurrency, fairQueue<WaitingVisitor>(capacity));

  function turn({ networks, hasFailed }: Visitor): Promise<WaitingVisitor> {
    return new Promise((resolve, reject) => {
      let cancelTimer = (): void => {};
      const one: WaitingVisitor = {
        networks,
        hasFailed,
        begin() {
          cancelTimer();
          resolve(one);
        },
        refuse() {
          cancelTimer();
          reject(overloaded(queueTimeoutMs));
        },
      };
      if (semaphore.tryEnter(one)) resolve(one);
      else if (semaphore.wait(one)) {
        cancelTimer = after(queueTimeoutMs, () => {
          semaphore.giveUp(one);
          one.refuse();
        });
      }
    });
  }

  return async (visitor, work) => {
    const one = await turn(visitor);
    try {
      return await work();
    } finally {
      semaphore.leave(one);
    }
  };
}

interface WaitingVisitor extends Visitor, SemaphoreWaiter {}

function overloaded(queueTimeoutMs: number): IdentityError {
  return new IdentityError('overloaded', 'Too many passwords are being checked: try again later.', {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(queueTimeoutMs / 1_000)) },
  });
}
