/** Counters of attempts in the storage, each for a period. */
import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import { type Context, now } from '../shared/context.ts';
import { notWritten } from '../storage/store.ts';

/** The length of the period, which begins with the first attempt. */
export const WINDOW_SECONDS: number = 15 * 60;

/** The counters of one service. */
export interface AttemptCounters {
  /** Makes the step that adds to a counter, up to `max`. */
  add(counter: string, by: number, max?: number): Change;
  /** Writes the steps; throws `rate_limited` if a counter is at its maximum. */
  reserve(...steps: readonly Change[]): Promise<void>;
  /** Subtracts one from each of the counters. */
  giveBack(counters: readonly string[]): Promise<void>;
}

/** Makes the counters in the storage of the context. */
export function createAttemptCounters(context: Context): AttemptCounters {
  const { store } = context;

  function add(counter: string, by: number, max?: number): Change {
    const expires_at = formatInstant(context.clock.now() + WINDOW_SECONDS * 1_000);
    return { op: 'add', counter, by, at: now(context), expires_at, ...(max !== undefined && { max }) };
  }

  async function reserve(...steps: readonly Change[]): Promise<void> {
    const result = await store.write(...steps);
    if (result.written) return;
    if (result.failure !== 'limit') throw notWritten();
    throw new IdentityError('rate_limited', 'There were too many attempts: try again later.', {
      details: { retryAfterSeconds: WINDOW_SECONDS },
    });
  }

  /** Subtracts one. A counter that has ended stays: one below zero would permit more than its maximum. */
  async function giveBack(counters: readonly string[]): Promise<void> {
    const steps: Change[] = [];
    for (const counter of counters) {
      if ((await store.count(counter, now(context))) > 0) steps.push(add(counter, -1));
    }
    // In one write: three writes cost a store on disk more than the rest of a login.
    if (steps.length > 0) await store.write(...steps);
  }

  return { add, reserve, giveBack };
}
