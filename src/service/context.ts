/** What the services of one `createIdentityService` share. */
import type { Seal } from '../credential/seal.ts';
import type { SessionTokens } from '../credential/session.ts';
import type { After } from '../credential/turnstile.ts';
import { IdentityError } from '../errors.ts';
import { formatInstant } from '../instant.ts';
import type { Clock, Logger, RandomSource } from '../ports.ts';
import type { Environment, Instant, Plan, Scope } from '../records.ts';
import type { Caches } from './cache/caches.ts';
import type { Traced } from './call-options.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { PlanLimits } from './options.ts';
import type { Passwords } from './passwords.ts';
import type { SecretWatch } from './secret-watch.ts';
import type { Store } from './store.ts';

/** Made once by `createIdentityService`, handed to every service. */
export interface Context {
  readonly store: Store;
  readonly caches: Caches;
  readonly clock: Clock;
  /** Whether that clock can be believed. */
  readonly clockWatch: ClockWatch;
  readonly random: RandomSource;
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
  /** How long verdict records and rollups are kept. */
  readonly retentionDays: number;
  /** Whether verification rates and the login throttle hold. */
  readonly limitsRates: boolean;
  /** Timers for work that nobody waits for. */
  readonly after: After;
  /** Timers for what somebody waits for. */
  readonly awaitedAfter: After;
  readonly log: Logger;
}

/** Who manages: an account, and the key it came with when it came with one. */
export interface Actor extends Traced {
  /** Absent: the one account of a service without logins, `acc_local`. */
  readonly account_id?: string;
  /** The key it came with; `null` or absent without one. */
  readonly key_id?: string | null;
  /** The only agents it may touch; `null` or absent: every agent of the account. */
  readonly agent_ids?: readonly string[] | null;
  /** The plan whose numbers bind it; absent in process, where nothing is limited. */
  readonly plan?: Plan;
  /** `true`: who holds the storage acts for the account. Records then name `operator` as the author. */
  readonly operator?: boolean;
}

/** Who is behind an API key. */
export interface KeyCaller extends Actor {
  /** The account of the key. */
  readonly account_id: string;
  /** `key_…`. */
  readonly key_id: string;
  /** The only agents it may ask about; `null`: every agent of the account. */
  readonly agent_ids: readonly string[] | null;
  /** Of the key. */
  readonly environment: Environment;
  /** What the key may be used for. */
  readonly scopes: readonly Scope[];
  /** The plan of its account, whose rate binds it. */
  readonly plan: Plan;
}

/** Who is behind a session token. */
export interface SessionCaller extends Actor {
  /** The account that signed in. */
  readonly account_id: string;
  /** Of this sign-in. */
  readonly session_id: string;
  /** The plan of the account. */
  readonly plan: Plan;
}

/** The account of a service without logins. */
export const LOCAL_ACCOUNT = 'acc_local';

/** The present as it is stored. */
export function now(context: Context): Instant {
  return formatInstant(context.clock.now());
}

/** The same for what follows something: never before that, which another node may have stored by a clock that is ahead. */
export function nowAfter(context: Context, earlier: Instant): Instant {
  const present = now(context);
  return present < earlier ? earlier : present;
}

/** The account that acts: the one named, else the only one of a service without logins. */
export function accountOf(context: Context, actor: Actor): string {
  if (actor.account_id !== undefined) return actor.account_id;
  if (context.tokens === undefined) return LOCAL_ACCOUNT;
  throw new IdentityError('invalid_request', 'Name the account: this service has logins.', {
    details: { errors: [{ path: '/account_id', code: 'required', message: 'This field is required.' }] },
  });
}

/** The author of what is done by who holds the storage. No id of an account or a key is spelled so. */
export const OPERATOR = 'operator';

/** Who is named as the author of a change: the operator, the key when there is one, else the account. */
export function authorOf(context: Context, actor: Actor): string {
  if (actor.operator === true) return OPERATOR;
  return actor.key_id ?? accountOf(context, actor);
}

/** The counter that holds how many of `kind` an account has. */
export function usageCounter(kind: 'keys' | 'passports', account_id: string): string {
  return `usage:${kind}:${account_id}`;
}
