/** The rates that HTTP applies to a call before it runs. */
import { type RangeRequest, readRange } from '../../base/values/instant-range.ts';
import { IdentityError } from '../../errors.ts';
import type { KeyCaller, SessionCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import {
  CHANGE_RATE,
  createRates,
  EFFECTIVE_RATE,
  type RateState,
  REPLAY_RATE,
  TRY_RATE,
  VERIFICATION_RATE,
  WRITE_RATE,
} from './rates.ts';

/** Counts calls; throws `rate_limited` when a rate is exceeded. */
export interface CallCounts {
  /** Counts verifications against the plan of the caller. Returns the rest of the rate; `undefined` without a limit. */
  countVerifications(caller: KeyCaller, count: number): RateState | undefined;
  /** Counts one write against the plan of the caller. Returns the rest of the rate; `undefined` without a limit. */
  countWrite(caller: KeyCaller | SessionCaller): RateState | undefined;
  /** Counts one trial of a passport: 60 a minute and account. */
  countTry(caller: SessionCaller): void;
  /** Counts one intersection of passports: 120 a minute and account. */
  countEffective(caller: SessionCaller): void;
  /**
   * Counts one replay: 6 a minute and account, and one at a time on this node. The next one may begin once the returned
   * function was called. A replay that only compares counts against 60 a minute.
   */
  countReplay(caller: SessionCaller, request: unknown): () => void;
}

/** Makes the counts of one service. `close` sends the counts that the other nodes do not have yet. */
export function createCallCounts(context: Context): {
  readonly counts: CallCounts;
  /** Returns whether the account has used up its rate of verifications. */
  readonly isOverRate: (caller: KeyCaller) => boolean;
  /**
   * Counts verifications that were decided elsewhere, or throws `rate_limited` if the account is `beyond` over its rate
   * already. Returns the function that takes the count back.
   */
  readonly addVerifications: (caller: KeyCaller, count: number, beyond: number) => () => void;
  close(): Promise<void>;
} {
  const outage = { isReported: false };
  const verifications = createRates(context, VERIFICATION_RATE, outage);
  const writes = createRates(context, WRITE_RATE, outage);
  const tries = createRates(context, TRY_RATE, outage);
  const intersections = createRates(context, EFFECTIVE_RATE, outage);
  const replays = createRates(context, REPLAY_RATE, outage);
  const changes = createRates(context, CHANGE_RATE, outage);
  const replaying = new Set<string>();

  function countReplay(caller: SessionCaller, request: unknown): () => void {
    if (isComparison(request)) {
      changes.take(caller, 1);
      return () => undefined;
    }
    const { account_id } = caller;
    if (context.limitsRates && replaying.has(account_id)) throw busy();
    replays.take(caller, 1);
    replaying.add(account_id);
    return () => replaying.delete(account_id);
  }

  return {
    counts: {
      countVerifications: verifications.take,
      countWrite: (caller) => writes.take(caller, 1),
      countTry: (caller) => void tries.take(caller, 1),
      countEffective: (caller) => void intersections.take(caller, 1),
      countReplay,
    },
    isOverRate: verifications.isOver,
    addVerifications: verifications.add,
    async close() {
      await Promise.all(
        [verifications, writes, tries, intersections, replays, changes].map((rates) => rates.close()),
      );
    },
  };
}

/** Says whether a replay covers no time: it only compares. */
function isComparison(request: unknown): boolean {
  const { from, to }: RangeRequest = Object(request);
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  const range = readRange({ from, to });
  return range.from !== undefined && range.from === range.to;
}

function busy(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('rate_limited', 'Another replay of the account is running.', { details });
}
