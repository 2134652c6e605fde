/** Applies the rate limits of HTTP to a call before it runs. */
import type { KeyCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import {
  createRates,
  EFFECTIVE_RATE,
  type RateState,
  TRY_RATE,
  VERIFICATION_RATE,
  WRITE_RATE,
} from './rates.ts';

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
