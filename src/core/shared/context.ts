import type { IdSource } from '../../base/bytes/counted-ids.ts';
import { formatInstant } from '../../base/values/instant.ts';
import type { Seal } from '../../credential/seal.ts';
import type { SessionTerms } from '../../credential/session.ts';
import { IdentityError } from '../../errors.ts';
import type { DomainProver } from '../../ports/domain-prover.ts';
import type { ElapsedClock } from '../../ports/elapsed-clock.ts';
import type { After } from '../../ports/host.ts';
import type { ServiceMetrics } from '../../ports/metrics.ts';
import type { ChangeNotice, Clock, Logger, RandomSource } from '../../ports/storage.ts';
import type { Instant, Plan } from '../../records.ts';
import type { Passwords } from '../accounts/passwords.ts';
import type { PlanLimits } from '../options.ts';
import type { Caches } from '../storage/caches.ts';
import type { ClockWatch } from '../storage/clock-watch.ts';
import type { SecretWatch } from '../storage/secret-watch.ts';
import type { Store } from '../storage/store.ts';
import type { Actor } from './callers.ts';
import type { LogState } from './log-state.ts';

/** The shared parts and settings of one service, made by `createIdentityService`. */
export interface Context {
  readonly store: Store;
  readonly caches: Caches;
  readonly clock: Clock;
  /** The monotonic clock of the caches, which also counts time while the computer sleeps. */
  readonly elapsedClock: ElapsedClock;
  /** Compares `clock` with the clock of the storage. */
  readonly clockWatch: ClockWatch;
  readonly random: RandomSource;
  /** Returns a new name for an event. Names are ascending and distinguish events with the same instant. */
  readonly nextEventName: () => string;
  /** The ids of verdicts. */
  readonly decisionIds: IdSource;
  readonly secretWatch: SecretWatch;
  readonly passwords: Passwords;
  readonly seal: Seal;
  /** The terms of session tokens. Absent in a service without logins. */
  readonly session: SessionTerms | undefined;
  readonly plans: Readonly<Record<Plan, PlanLimits>>;
  readonly defaultPlan: Plan;
  readonly registration: 'open' | 'closed';
  readonly allowLocalhost: boolean;
  readonly claimsDomains: boolean;
  readonly logState: LogState;
  /** The public URL of the API, without a trailing slash. */
  readonly publicUrl: string | undefined;
  readonly proofTerms: ProofTerms;
  /** `true` if passports are issued only for domains that were verified. */
  readonly provesDomains: boolean;
  /** Looks up proofs of domains. Absent if the application has no such function. */
  readonly domainProver: DomainProver | undefined;
  /** The days for which verdict records and their sums are kept. */
  readonly retentionDays: number;
  /** The days for which events of changes are kept for the audit trail. */
  readonly auditDays: number;
  /** `true` if rate limits apply, and if logins are throttled. */
  readonly limitsRates: boolean;
  /** Subscribes to notices of written records, if the storage sends them. Returns a function that unsubscribes. */
  readonly subscribe: (listener: (notice: ChangeNotice | undefined) => void) => () => void;
  /** Starts timers of background work. These timers do not keep the process running. */
  readonly after: After;
  /** Starts timers of work that a caller waits for. */
  readonly awaitedAfter: After;
  readonly metrics: SafeMetrics | undefined;
  /** Returns `true` if the last call of the storage succeeded. Without `metrics`, always returns `true`. */
  readonly isStorageUp: () => boolean;
  readonly log: Logger;
  /** The time limit of a call of the storage in milliseconds. */
  readonly deadlineMs: number;
}

/** The terms on which the service accepts proofs of possession. */
export interface ProofTerms {
  /**
   * The names of the service. The audience of a proof must be one of them. If there is no name, every proof is refused.
   */
  readonly audiences: readonly string[];
  /** The maximum validity of a proof in seconds. */
  readonly maxSeconds: number;
}

/** The account of a service without logins. */
export const LOCAL_ACCOUNT = 'acc_local';

/** Returns the present instant in the stored form. */
export function now(context: Pick<Context, 'clock'>): Instant {
  return formatInstant(context.clock.now());
}

/**
 * Returns the current instant. If `earlier` is later than the clock of this node, returns `earlier`, because
 * the clock of another node may be ahead.
 */
export function nowAfter(context: Pick<Context, 'clock'>, earlier: Instant): Instant {
  const present = now(context);
  return present < earlier ? earlier : present;
}

/** Returns the account of the caller. In a service without logins, the default is `acc_local`. */
export function accountOf(context: Pick<Context, 'session'>, actor: Actor): string {
  if (actor.account_id !== undefined) return actor.account_id;
  if (context.session === undefined) return LOCAL_ACCOUNT;
  throw new IdentityError(
    'invalid_request',
    'Name the account, as { account_id }: this service has logins.',
    {
      details: { errors: [{ path: '/account_id', code: 'required', message: 'This field is required.' }] },
    },
  );
}

/** The author of changes by an operator with access to the storage. No account or key has this id. */
export const OPERATOR = 'operator';

/** Returns the author of a change: the operator, the key, the member or, without one, the account. */
export function authorOf(context: Pick<Context, 'session'>, actor: Actor): string {
  if (actor.operator === true) return OPERATOR;
  return actor.key_id ?? actor.member_id ?? accountOf(context, actor);
}

/** The kinds of records that are counted for each account. */
export const USAGE_KINDS = ['keys', 'passports', 'pending_domains', 'webhooks', 'members'] as const;

export function usageCounter(kind: (typeof USAGE_KINDS)[number], account_id: string): string {
  return `usage:${kind}:${account_id}`;
}

/** Metrics with methods that do not throw. */
export interface SafeMetrics extends Required<Omit<ServiceMetrics, 'onVerdict'>> {
  /** The original metrics, used for calls of `onVerdict`, because a wrapper would take as long as the counting. */
  readonly given: ServiceMetrics;
  /** Reports an error that `onVerdict` has thrown. */
  readonly fail: (error: unknown) => void;
}

/** Wraps metrics; their first error is logged. */
export function safeMetrics(metrics: ServiceMetrics, log: Logger): SafeMetrics {
  let hasFailed = false;

  function fail(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    const message = `metrics threw ${error instanceof Error ? error.name : 'something'}.`;
    log({ level: 'error', event: 'hook_failed', message });
  }

  function safe<Given extends readonly unknown[]>(
    count: (...values: Given) => void,
  ): (...values: Given) => void {
    return (...values) => {
      try {
        count(...values);
      } catch (error) {
        fail(error);
      }
    };
  }

  return {
    given: metrics,
    fail,
    onError: safe((error) => metrics.onError(error)),
    onRequest: safe((route, status) => metrics.onRequest(route, status)),
    onStorage: safe((kind, seconds) => metrics.onStorage(kind, seconds)),
    onToken: safe((result) => metrics.onToken?.(result)),
    onStorageEvent: safe((event) => metrics.onStorageEvent?.(event)),
    watch: (figures) => metrics.watch(figures),
  };
}
