/** What HTTP counts of a call before it does anything for it. */
import type { KeyCaller, SessionCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import {
  createRates,
  EFFECTIVE_RATE,
  type RateState,
  TRY_RATE,
  VERIFICATION_RATE,
  WRITE_RATE,
} from './rates.ts';

/** Counts, or throws `rate_limited`. */
export interface CallCounts {
  /** Before it judges: against the rate of the caller's plan. What is left, or `undefined` without a limit. */
  countVerifications(caller: KeyCaller, count: number): RateState | undefined;
  /** Before it reads what to write: one against the rate of the caller's plan. What is left, or `undefined` without a limit. */
  countWrite(caller: KeyCaller | SessionCaller): RateState | undefined;
  /** Before it reads what to try: one of 60 a minute and account. */
  countTry(caller: SessionCaller): void;
  /** Before it intersects passports: one of 120 a minute and account. */
  countEffective(caller: SessionCaller): void;
}

/** The counts of one service; `close` sends the other nodes what they do not know yet. */
export function createCallCounts(context: Context): { readonly counts: CallCounts; close(): Promise<void> } {
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
    async close() {
      await Promise.all([verifications, writes, tries, intersections].map((rates) => rates.close()));
    },
  };
}
