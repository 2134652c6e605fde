/** Limits the calls of an account. Each node counts in memory, and the storage adds the counts of all nodes. */

import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { KeyCaller, SessionCaller } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { createChore } from '../shared/timers.ts';

/** The remaining part of a rate. */
export interface RateState {
  /** The name of the rate in the headers. */
  readonly policy: string;
  /** The maximum number of calls in a window of 60 seconds. */
  readonly limit: number;
  /** The number of calls that remain in this window. */
  readonly remaining: number;
  /** The seconds until the window ends. */
  readonly resetSeconds: number;
}

type Counted = Pick<SessionCaller, 'account_id' | 'plan'> & Partial<Pick<SessionCaller, 'role'>>;

/** A rate that limits an account. */
export interface Rate {
  /** The prefix of the counters of this rate. */
  readonly name: string;
  /** The name in the headers; default: `name`. */
  readonly policy?: string;
  /** Returns the limit; `null`: no limit. */
  readonly limitOf: (plans: Context['plans'], caller: Counted) => number | null;
  readonly over: (state: RateState, caller: Counted) => IdentityError;
  /** The name of the limited thing in the service log. Absent if the service log has no line about this rate. */
  readonly limits?: string;
}

/** The rate of verdicts over HTTP. The plan sets its limit. */
const VERIFICATION_RATE: Rate = {
  name: 'rate',
  policy: 'verify',
  limitOf: (plans, { plan }) => plans[plan].verifications_per_minute,
  over: (rate, caller) => overPlan(rate, caller, 'verifications'),
  limits: 'verifications',
};

/** The rate of writes over HTTP. Writes that remove rights are not counted, so that a revocation is never delayed. */
const WRITE_RATE: Rate = {
  name: 'write',
  limitOf: (plans, { plan }) => plans[plan].writes_per_minute,
  over: (rate, caller) => overPlan(rate, caller, 'writes'),
  limits: 'writes',
};

const TRY_RATE: Rate = {
  name: 'tries',
  limitOf: () => 60,
  over: ({ limit, resetSeconds }) =>
    new IdentityError('rate_limited', `An account may try ${limit} intents per minute. Try again later.`, {
      details: { retryAfterSeconds: resetSeconds },
    }),
};

const EFFECTIVE_RATE: Rate = {
  name: 'effective',
  limitOf: () => 120,
  over: ({ limit, resetSeconds }) =>
    new IdentityError(
      'rate_limited',
      `An account may read what a passport allows ${limit} times per minute. Try again later.`,
      {
        details: { retryAfterSeconds: resetSeconds },
      },
    ),
};

/** Counts calls against one rate. */
interface Rates {
  /**
   * Adds `count`. If that exceeds the limit, adds nothing and throws `rate_limited`. Returns `undefined` without a
   * limit.
   */
  take(caller: Counted, count: number): RateState | undefined;
  /**
   * Adds `count` even above the limit. Returns a function that subtracts the count again.
   *
   * @throws {IdentityError} `rate_limited` if the account already exceeds the limit by the number `beyond`.
   */
  add(caller: Counted, count: number, beyond: number): () => void;
  /** Returns `true` if the account has used up its rate. Counts nothing. */
  isOver(caller: Counted): boolean;
  /** Sends the counts that other nodes do not have yet. */
  close(): Promise<void>;
}

interface Window {
  readonly index: number;
  readonly counter: string;
  taken: number;
  /** The number of calls in `taken` that the storage has already counted. */
  pushed: number;
  others: number;
  isReported: boolean;
}

const WINDOW_MS = 60_000;
const EVERY_MS = 1_000;
const AT_ONCE = 200;

/** The state of the log line about counts that cannot be shared. All rates of a service share one line. */
interface Outage {
  isReported: boolean;
}

interface Left {
  readonly window: Window;
  readonly state: RateState;
}

/**
 * Creates the function that returns the error of a call above the rate. It logs for the operator which plan is used up
 * and how to change it, at most once per minute for each account.
 */
function createRefusals(
  log: Context['log'],
  { over, limits }: Pick<Rate, 'over'> & { readonly limits: string | undefined },
): (caller: Counted, balance: Left) => IdentityError {
  return (caller, { window, state }) => {
    const { account_id, plan } = caller;
    if (limits !== undefined && !window.isReported) {
      window.isReported = true;
      const message = `The account has used up the ${state.limit} ${limits} per minute of the plan ${plan}. To change the plan: ${planCommand(account_id)}`;
      log({ level: 'warn', event: 'plan_rate_reached', account_id, plan, message });
    }
    return over(state, caller);
  };
}

/** Creates one rate of a service. A verdict never waits for a counter. Nodes exchange their counts within a second. */
export function createRates(
  context: Pick<Context, 'store' | 'clock' | 'plans' | 'limitsRates' | 'after' | 'log'>,
  { name, policy = name, limitOf, over, limits }: Rate,
  outage: Outage,
): Rates {
  const { clock, plans, log } = context;
  const windows = new Map<string, Window>();
  const refusal = createRefusals(log, { over, limits });
  const chore = createChore(context.after, EVERY_MS, reconcile);

  function windowOf(account_id: string): Window {
    const index = Math.floor(clock.now() / WINDOW_MS);
    const window = windows.get(account_id);
    if (window?.index === index) return window;
    const counter = `${name}:${account_id}:${index}`;
    const fresh = { index, counter, taken: 0, pushed: 0, others: 0, isReported: false };
    windows.set(account_id, fresh);
    return fresh;
  }

  /**
   * Sends the counts and reads the counts of other nodes. If that fails, each node continues to limit its own calls.
   */
  async function reconcile(): Promise<boolean> {
    const index = Math.floor(clock.now() / WINDOW_MS);
    for (const [account_id, window] of windows) if (window.index < index - 1) windows.delete(account_id);
    const current = [...windows.values()].filter((window) => window.index === index);
    try {
      for (let start = 0; start < current.length; start += AT_ONCE)
        await push(context, current.slice(start, start + AT_ONCE));
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

  function leftOf(caller: Counted): Left | undefined {
    const limit = context.limitsRates ? limitOf(plans, caller) : null;
    if (limit === null) return undefined;
    const window = windowOf(caller.account_id);
    const resetSeconds = Math.max(1, Math.ceil(((window.index + 1) * WINDOW_MS - clock.now()) / 1_000));
    const remaining = Math.max(0, limit - window.taken - window.others);
    return { window, state: { policy, limit, remaining, resetSeconds } };
  }

  function count(window: Window, delta: number): void {
    window.taken += delta;
    chore.ask();
  }

  return {
    take(caller, takenCount) {
      const balance = leftOf(caller);
      if (balance === undefined) return undefined;
      const { window, state } = balance;
      if (takenCount > state.remaining) throw refusal(caller, balance);
      count(window, takenCount);
      const { limit, remaining, resetSeconds } = state;
      return { policy, limit, remaining: remaining - takenCount, resetSeconds };
    },
    add(caller, addedCount, beyond) {
      const balance = leftOf(caller);
      if (balance === undefined) return () => undefined;
      const { window, state } = balance;
      if (window.taken + window.others >= state.limit + beyond) throw refusal(caller, balance);
      count(window, addedCount);
      return () => count(window, -addedCount);
    },
    isOver: (caller) => leftOf(caller)?.state.remaining === 0,
    async close() {
      await chore.stop();
      if (windows.size > 0) await reconcile();
      windows.clear();
    },
  };
}

const MANAGERS: readonly (string | undefined)[] = ['owner', 'admin'];

function overPlan(rate: RateState, { account_id, plan, role }: Counted, label: string): IdentityError {
  const limit = `The plan ${plan} allows ${rate.limit} ${label} per minute.`;
  const hint = ` The operator of the service changes it with: ${planCommand(account_id)}`;
  return new IdentityError(
    'rate_limited',
    `${limit}${MANAGERS.includes(role) ? hint : ' Try again later.'}`,
    {
      details: { retryAfterSeconds: rate.resetSeconds, rate },
    },
  );
}

function planCommand(account_id: string): string {
  return `agent-identity account plan ${account_id} <plan>`;
}

async function push(context: Pick<Context, 'store' | 'clock'>, batch: readonly Window[]): Promise<void> {
  const { store } = context;
  const sentWindows = batch.map((window) => ({ window, taken: window.taken }));
  const adds = sentWindows.flatMap(({ window, taken }): Change[] => {
    const delta = taken - window.pushed;
    const expires_at = formatInstant((window.index + 2) * WINDOW_MS);
    return delta === 0
      ? []
      : [{ op: 'add', counter: window.counter, by: delta, at: now(context), expires_at }];
  });
  if (adds.length > 0) {
    const result = await store.write(...adds);
    if (!result.written) throw new Error('The storage does not count.');
  }
  for (const { window, taken } of sentWindows) window.pushed = taken;
  await Promise.all(
    batch.map(async (window) => {
      const pushedCount = window.pushed;
      window.others = Math.max(0, (await store.count(window.counter, now(context))) - pushedCount);
    }),
  );
}

// Applies the rate limits of HTTP to a call before it runs.

/** Counts calls. */
export interface CallCounts {
  /**
   * Counts verifications against the plan of the caller. Returns what remains of the rate, or `undefined` without a
   * limit.
   *
   * @throws {IdentityError} `rate_limited` if the rate is exceeded.
   */
  countVerifications(caller: Pick<KeyCaller, 'account_id' | 'plan'>, count: number): RateState | undefined;
  /**
   * Counts one write against the plan of the caller. Returns what remains of the rate, or `undefined` without a limit.
   *
   * @throws {IdentityError} `rate_limited` if the rate is exceeded.
   */
  countWrite(caller: Pick<KeyCaller, 'account_id' | 'plan'>): RateState | undefined;
  /**
   * Counts one trial of a passport: at most 60 per minute for each account.
   *
   * @throws {IdentityError} `rate_limited` if the rate is exceeded.
   */
  countTry(caller: Pick<KeyCaller, 'account_id' | 'plan'>): void;
  /**
   * Counts a request for an effective passport, which combines the limits of an agent and its ancestors. An account may
   * make 120 of these requests per minute.
   *
   * @throws {IdentityError} `rate_limited` if the rate is exceeded.
   */
  countEffective(caller: Pick<KeyCaller, 'account_id' | 'plan'>): void;
}

/** Counts the verdicts of local verifiers. */
export interface DecidedElsewhere {
  /** Returns `true` if the account has used up its rate of verifications. */
  isOverRate(caller: KeyCaller): boolean;
  /**
   * Counts verifications even above the rate. Returns a function that subtracts the count again.
   *
   * @throws {IdentityError} `rate_limited` if the account already exceeds its rate by the number `beyond`.
   */
  addVerifications(caller: KeyCaller, count: number, beyond: number): () => void;
}

/** Creates the call counters of one service. `close` sends the counts that other nodes do not have yet. */
export function createCallCounts(
  context: Pick<Context, 'store' | 'clock' | 'plans' | 'limitsRates' | 'after' | 'log'>,
): {
  readonly counts: CallCounts;
  readonly decidedElsewhere: DecidedElsewhere;
  close(): Promise<void>;
} {
  const outage = { isReported: false };
  const verifications = createRates(context, VERIFICATION_RATE, outage);
  const writes = createRates(context, WRITE_RATE, outage);
  const tries = createRates(context, TRY_RATE, outage);
  const intersections = createRates(context, EFFECTIVE_RATE, outage);

  return {
    counts: {
      countVerifications: verifications.take,
      countWrite: (caller) => writes.take(caller, 1),
      countTry: (caller) => void tries.take(caller, 1),
      countEffective: (caller) => void intersections.take(caller, 1),
    },
    decidedElsewhere: { isOverRate: verifications.isOver, addVerifications: verifications.add },
    async close() {
      await Promise.all([verifications, writes, tries, intersections].map((rates) => rates.close()));
    },
  };
}
