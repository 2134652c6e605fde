/** What the services of one `createIdentityService` share. */

import { formatInstant } from '../../base/values/instant.ts';
import type { Seal } from '../../credential/seal.ts';
import type { SessionTokens } from '../../credential/session.ts';
import { IdentityError } from '../../errors.ts';
import type { DomainProver } from '../../ports/domain-prover.ts';
import type { ElapsedClock } from '../../ports/elapsed-clock.ts';
import type { After } from '../../ports/host.ts';
import type { ChangeNotice, Clock, Logger, RandomSource } from '../../ports/storage.ts';
import type { Instant, Plan } from '../../records.ts';
import type { Passwords } from '../accounts/passwords.ts';
import type { PlanLimits } from '../options.ts';
import type { Caches } from '../storage/caches.ts';
import type { ClockWatch } from '../storage/clock-watch.ts';
import type { SecretWatch } from '../storage/secret-watch.ts';
import type { Store } from '../storage/store.ts';
import type { Actor } from './callers.ts';
import type { SafeMetrics } from './safe-metrics.ts';

/** Made once by `createIdentityService`, handed to every service. */
export interface Context {
  readonly store: Store;
  readonly caches: Caches;
  readonly clock: Clock;
  /** What has elapsed by it, sleep included: the monotonic clock of the caches. */
  readonly elapsedClock: ElapsedClock;
  /** Whether that clock is right. */
  readonly clockWatch: ClockWatch;
  readonly random: RandomSource;
  /** Distinguishes events of one instant; those of one process are in order. */
  readonly nextEventName: () => string;
  readonly secretWatch: SecretWatch;
  readonly passwords: Passwords;
  readonly seal: Seal;
  /** Absent in a service without logins. */
  readonly tokens: SessionTokens | undefined;
  readonly plans: Readonly<Record<Plan, PlanLimits>>;
  readonly defaultPlan: Plan;
  readonly registration: 'open' | 'closed';
  readonly allowLocalhost: boolean;
  readonly claimsDomains: boolean;
  /** Where strangers reach the API, without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** For how long a signed passport is valid unless it is said otherwise. */
  readonly tokenSeconds: number;
  readonly proofTerms: ProofTerms;
  /** Whether passports are only issued for domains that are proved. */
  readonly provesDomains: boolean;
  /** What looks for proofs of domains; absent where nothing does. */
  readonly domainProver: DomainProver | undefined;
  /** How long verdict records and rollups are kept. */
  readonly retentionDays: number;
  /** Whether the rates of verifications and writes and the login throttle hold. */
  readonly limitsRates: boolean;
  /** Subscribes to notices of written records, where the storage sends them; the function ends that. */
  readonly subscribe: (listener: (notice: ChangeNotice | undefined) => void) => () => void;
  /** Timers for background work. */
  readonly after: After;
  /** Timers for work that a caller waits for. */
  readonly awaitedAfter: After;
  /** Counts what is done, where the host wants that. */
  readonly metrics: SafeMetrics | undefined;
  /** Whether the last call of the storage was answered; known where it is counted. */
  readonly isStorageUp: () => boolean;
  readonly log: Logger;
  /** Milliseconds that the storage has for a call. */
  readonly deadlineMs: number;
}

/** The terms on which the service accepts proofs of possession. */
export interface ProofTerms {
  /** The names of the service, one of which a proof has to give. Without any no proof is valid. */
  readonly audiences: readonly string[];
  /** The longest time that a proof may be valid. */
  readonly maxSeconds: number;
}

/** The account of a service without logins. */
export const LOCAL_ACCOUNT = 'acc_local';

/** The present as it is stored. */
export function now(context: Pick<Context, 'clock'>): Instant {
  return formatInstant(context.clock.now());
}

/** The present, but never before `earlier`, which another node may have stored with a clock that is ahead. */
export function nowAfter(context: Context, earlier: Instant): Instant {
  const present = now(context);
  return present < earlier ? earlier : present;
}

/** The account that acts: the one named, else the only one of a service without logins. */
export function accountOf(context: Context, actor: Actor): string {
  if (actor.account_id !== undefined) return actor.account_id;
  if (context.tokens === undefined) return LOCAL_ACCOUNT;
  throw new IdentityError(
    'invalid_request',
    'Name the account, as { account_id }: this service has logins.',
    {
      details: { errors: [{ path: '/account_id', code: 'required', message: 'This field is required.' }] },
    },
  );
}

/** The author of changes by an operator, who has access to the storage. No account and no key has this id. */
export const OPERATOR = 'operator';

/** Who is named as the author of a change: the operator, the key when there is one, else the account. */
export function authorOf(context: Context, actor: Actor): string {
  if (actor.operator === true) return OPERATOR;
  return actor.key_id ?? accountOf(context, actor);
}

/** The kinds of records of an account that are counted. */
export const USAGE_KINDS = ['keys', 'passports', 'pending_domains', 'webhooks'] as const;

/** The counter that holds how many of `kind` an account has. */
export function usageCounter(kind: (typeof USAGE_KINDS)[number], account_id: string): string {
  return `usage:${kind}:${account_id}`;
}
