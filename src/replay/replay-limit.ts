/** Limits the rate of replays over HTTP. */

import type { CountCall } from '../core/capabilities/capability.ts';
import type { Context } from '../core/shared/context.ts';
import { createRates, type Rate } from '../core/verification/rates.ts';
import { IdentityError } from '../errors.ts';
import { type RangeRequest, readRange } from '../schema/instant-range.ts';

const REPLAYS: Rate = {
  name: 'replays',
  limitOf: () => 6,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may replay ${limit} times per minute. Try again later.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

const COMPARISONS: Rate = {
  name: 'changes',
  limitOf: () => 60,
  over: ({ limit, resetSeconds }) =>
    new IdentityError(
      'rate_limited',
      `An account may compare ${limit} changes per minute. Try again later.`,
      {
        details: { retryAfterSeconds: resetSeconds },
      },
    ),
};

/**
 * Creates the limit of one service: 6 replays per minute for each account, and one at a time on this node. A replay
 * that only compares passports counts against a limit of 60 per minute.
 */
export function createReplayLimit(
  context: Pick<Context, 'store' | 'clock' | 'plans' | 'limitsRates' | 'after' | 'log'>,
): { readonly count: CountCall; close(): Promise<void> } {
  const outage = { isReported: false };
  const replays = createRates(context, REPLAYS, outage);
  const comparisons = createRates(context, COMPARISONS, outage);
  const replaying = new Set<string>();
  return {
    count(caller, request) {
      if (isComparison(request)) {
        comparisons.take(caller, 1);
        return () => undefined;
      }
      const { account_id } = caller;
      if (context.limitsRates && replaying.has(account_id)) throw busy();
      replays.take(caller, 1);
      replaying.add(account_id);
      return () => void replaying.delete(account_id);
    },
    async close() {
      await Promise.all([replays.close(), comparisons.close()]);
    },
  };
}

function isComparison(request: unknown): boolean {
  const { from, to }: RangeRequest = Object(request);
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  const range = readRange({ from, to });
  return range.from !== undefined && range.from === range.to;
}

function busy(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError(
    'rate_limited',
    'Another replay of the account is running. Try again when it has ended.',
    { details },
  );
}
