/** How much an account asks for in a minute: counted here, added up between nodes by the storage. */

import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { SessionCaller } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { createChore } from '../shared/timers.ts';

/** How much of its rate an account has left. */
export interface RateState {
  /** What is counted, as the headers name it. */
  readonly policy: string;
  /** How often in a window of 60 seconds. */
  readonly limit: number;
  /** How many are left in this window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}

/** Whose account is counted. */
type Counted = Pick<SessionCaller, 'account_id' | 'plan'>;

/** Something that an account may do a limited number of times in a minute. */
export interface Rate {
  /** Begins the names of its counters. */
  readonly name: string;
  /** Its name in the headers; default: that of its counters. */
  readonly policy?: string;
  /** How often; `null`: without limit. */
  readonly limitOf: (plans: Context['plans'], caller: Counted) => number | null;
  /** The error for more. */
  readonly over: (state: RateState) => IdentityError;
}

/** Verdicts over HTTP: the number is that of the plan. */
export const VERIFICATION_RATE: Rate = {
  name: 'rate',
  policy: 'verify',
  limitOf: (plans, { plan }) => plans[plan].verifications_per_minute,
  over: (rate) =>
    new IdentityError('rate_limited', `The plan allows ${rate.limit} verifications a minute.`, {
      details: { retryAfterSeconds: rate.resetSeconds, rate },
    }),
};

/** What an account writes over HTTP, but for what takes something away: a revocation is never late. */
export const WRITE_RATE: Rate = {
  name: 'write',
  limitOf: (plans, { plan }) => plans[plan].writes_per_minute,
  over: (rate) =>
    new IdentityError('rate_limited', `The plan allows ${rate.limit} writes a minute.`, {
      details: { retryAfterSeconds: rate.resetSeconds, rate },
    }),
};

/** Trials of passports. */
export const TRY_RATE: Rate = {
  name: 'tries',
  limitOf: () => 60,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may try ${limit} intents a minute.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

/** Intersections of passports. */
export const EFFECTIVE_RATE: Rate = {
  name: 'effective',
  limitOf: () => 120,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may ask ${limit} times a minute what is in effect.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

/** Replays of recorded verdicts. */
export const REPLAY_RATE: Rate = {
  name: 'replays',
  limitOf: () => 6,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may replay ${limit} times a minute.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

/** Replays that only compare. */
export const CHANGE_RATE: Rate = {
  name: 'changes',
  limitOf: () => 60,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may compare ${limit} changes a minute.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

/** Counts what is asked for. */
export interface Rates {
  /** Counts `count` more, or throws `rate_limited` and counts none. `undefined`: there is no limit. */
  take(caller: Counted, count: number): RateState | undefined;
  /** Says whether the account has used up its rate. Counts nothing. */
  isOver(caller: Counted): boolean;
  /** Sends the other nodes what they do not know yet. */
  close(): Promise<void>;
}

/** What was asked for in one minute. */
interface Window {
  readonly index: number;
  readonly counter: string;
  /** By this node. */
  taken: number;
  /** How many of `taken` the storage has counted. */
  pushed: number;
  /** By the other nodes, as far as it is known. */
  others: number;
}

const WINDOW_MS = 60_000;
const EVERY_MS = 1_000;
const AT_ONCE = 200;

/** Whether the log says that the storage does not count; it says so once for all rates of a service. */
export interface Outage {
  isReported: boolean;
}

/** The rates of one service. A verdict never waits for a counter: nodes know of each other within a second. */
export function createRates(
  context: Context,
  { name, policy = name, limitOf, over }: Rate,
  outage: Outage,
): Rates {
  const { clock, plans, log } = context;
  const windows = new Map<string, Window>();
  const chore = createChore(context.after, EVERY_MS, reconcile);

  function windowOf(account_id: string): Window {
    const index = Math.floor(clock.now() / WINDOW_MS);
    const known = windows.get(account_id);
    if (known?.index === index) return known;
    const counter = `${name}:${account_id}:${index}`;
    const fresh = { index, counter, taken: 0, pushed: 0, others: 0 };
    windows.set(account_id, fresh);
    return fresh;
  }

  /** A failure lifts no limit: every node goes on counting its own verifications. */
  async function reconcile(): Promise<boolean> {
    const index = Math.floor(clock.now() / WINDOW_MS);
    for (const [account_id, window] of windows) if (window.index < index - 1) windows.delete(account_id);
    const current = [...windows.values()].filter((window) => window.index === index);
    try {
      for (let at = 0; at < current.length; at += AT_ONCE)
        await push(context, current.slice(at, at + AT_ONCE));
      outage.isReported = false;
    } catch {
      if (!outage.isReported) {
        const message = 'Rates hold for each node alone while the storage does not answer.';
        log({ level: 'warn', event: 'rates_not_reconciled', message });
      }
      outage.isReported = true;
    }
    return windows.size > 0;
  }

  /** Returns the window of a caller and what is left in it; `undefined` if the caller has no limit. */
  function leftOf(caller: Counted) {
    const limit = context.limitsRates ? limitOf(plans, caller) : null;
    if (limit === null) return undefined;
    const window = windowOf(caller.account_id);
    const resetSeconds = Math.max(1, Math.ceil(((window.index + 1) * WINDOW_MS - clock.now()) / 1_000));
    const remaining = Math.max(0, limit - window.taken - window.others);
    return { window, state: { policy, limit, remaining, resetSeconds } };
  }

  return {
    take(caller, count) {
      const left = leftOf(caller);
      if (left === undefined) return undefined;
      const { window, state } = left;
      if (count > state.remaining) throw over(state);
      window.taken += count;
      chore.ask();
      const { limit, remaining, resetSeconds } = state;
      return { policy, limit, remaining: remaining - count, resetSeconds };
    },
    isOver: (caller) => leftOf(caller)?.state.remaining === 0,
    async close() {
      await chore.stop();
      if (windows.size > 0) await reconcile();
      windows.clear();
    },
  };
}

/** Adds what was taken of the windows to the storage, and reads what the other nodes have taken. */
async function push(context: Context, batch: readonly Window[]): Promise<void> {
  const { store } = context;
  const sent = batch.map((window) => ({ window, taken: window.taken }));
  const adds = sent.flatMap(({ window, taken }): Change[] => {
    const by = taken - window.pushed;
    const expires_at = formatInstant((window.index + 2) * WINDOW_MS);
    return by === 0 ? [] : [{ op: 'add', counter: window.counter, by, at: now(context), expires_at }];
  });
  if (adds.length > 0) {
    const result = await store.write(...adds);
    if (!result.written) throw new Error('The storage does not count.');
  }
  for (const { window, taken } of sent) window.pushed = taken;
  await Promise.all(
    batch.map(async (window) => {
      const pushed = window.pushed;
      window.others = Math.max(0, (await store.count(window.counter, now(context))) - pushed);
    }),
  );
}
