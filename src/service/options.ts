/** What a host can set, and what it gets when it says nothing. */

import { elementsOf } from '../base/plain-data.ts';
import { wholeNumber } from '../base/whole-number.ts';
import { IdentityError } from '../errors.ts';
import type { After } from '../ports/host.ts';
import type { Clock, Logger, PasswordHasher, RandomSource, StorageAdapter } from '../ports/storage.ts';
import type { Plan, VerdictRecord } from '../records.ts';
import { defaultRules, type Rule } from '../verdict/index.ts';

/** The numbers of a plan; `null` is no limit. */
export interface PlanLimits {
  /** Active API keys. */
  readonly keys: number | null;
  /** Passports. */
  readonly passports: number | null;
  /** Verdicts over HTTP in 60 seconds. */
  readonly verifications_per_minute: number | null;
}

/** How much of each kind of record stays in memory. */
export interface CacheLimits {
  /** Records; default 100,000. */
  readonly maxEntries: number;
  /** Bytes, estimated; default 64 MiB. */
  readonly maxBytes: number;
}

/** The options of `createIdentityService`. */
export interface IdentityServiceOptions {
  /** Where the records live: `memoryStorage()`, `await sqliteStorage({ file })`, or your own adapter. */
  readonly storage: StorageAdapter;
  /** Turns logins on. */
  readonly session?: {
    /**
     * At least 32 bytes of UTF-8, the same on every node. A storage that was used with another refuses every login and
     * every token with `invalid_configuration`, as `health` does.
     */
    readonly secret: string;
    /**
     * During a change of the secret, the one before: its tokens and cursors still count, and nodes that have it alone
     * may start. The first start without it ends that.
     */
    readonly previousSecret?: string;
    /**
     * `true`: the secret takes the place of one that is lost, whatever the storage was used with. Every token ends.
     * Meant for one start.
     */
    readonly secretLost?: boolean;
    /** `iss` of the tokens; default `agent-identity-service`. */
    readonly issuer?: string;
    /** `aud` of the tokens; default `agent-identity-service`. */
    readonly audience?: string;
  };
  /** Whether strangers may open accounts; default `closed`. */
  readonly registration?: 'open' | 'closed';
  /** The rules of a verdict: `[...defaultRules, yourRule]`. A list that lacks one of ours is refused. */
  readonly rules?: readonly Rule[];
  /** Accepts passports for `localhost`; default `false`. */
  readonly allowLocalhost?: boolean;
  /** `claim` (default): the first account that issues for a domain owns it. `off`: no account owns one. */
  readonly domainProof?: 'claim' | 'off';
  /** Replaces the numbers of a plan. */
  readonly plans?: Readonly<Partial<Record<Plan, PlanLimits>>>;
  /** The plan of new accounts; default `starter`. */
  readonly defaultPlan?: Plan;
  /**
   * `batched` (default): a verdict is recorded within a second of its answer. `strict`: it is answered after its
   * record is stored, or not at all.
   */
  readonly journal?: 'batched' | 'strict';
  /**
   * `default`: a passport or key may be answered from memory, so that a change is seen everywhere within a second,
   * here at once. `strict`: every verdict reads the storage, and no verdict that starts after a change misses it.
   */
  readonly consistency?: 'default' | 'strict';
  /** How much of passports and of keys stays in memory; what does not fit is read again. */
  readonly cache?: Partial<CacheLimits>;
  /** Whole days that verdict records and rollups are kept, 1 to 36,500; default 90. */
  readonly retentionDays?: number;
  /**
   * `true`: the clock of this machine is right, whatever the storage has seen, for a database file that was not used
   * for more than a day, or that a wrong clock has used. Meant for one start. Storages with a clock ignore it.
   */
  readonly clockOk?: boolean;
  /** Called with every verdict that is answered; what it throws is logged and changes nothing. */
  readonly onVerdict?: (record: VerdictRecord, measured: { readonly latencyUs: number }) => void;
  /** Called with every error that kept a verdict from being answered; what it throws is logged and changes nothing. */
  readonly onError?: (error: unknown) => void;
  /** `off` lifts verification rates and the login throttle, never the numbers of a plan; default `on`. */
  readonly rateLimits?: 'on' | 'off';
  /** Receives one event per thing an operator should know; default: nothing is written anywhere. */
  readonly log?: Logger;
  /**
   * Milliseconds until a call of the storage is given up as `storage_unavailable`; default 1,000. A request over HTTP
   * is answered within twice that, but for those that hash a password or add up verdicts.
   */
  readonly storageDeadlineMs?: number;
  /**
   * How many passwords are hashed at a time, 1 to 64; default 1. Each takes 128 MiB of memory while it runs, and a
   * thread of Node's pool (`UV_THREADPOOL_SIZE`, 4), which signing and files need as well. Up to 64 more wait for at
   * most 10 s, by turns of the networks they come from; then `overloaded`.
   */
  readonly passwordConcurrency?: number;
  /** For tests and special hosts; default: the system's clock, generator and scrypt. */
  readonly clock?: Clock;
  /** For tests and special hosts; default: the system's generator. */
  readonly random?: RandomSource;
  /** For tests and special hosts; default: scrypt. */
  readonly passwordHasher?: PasswordHasher;
  /** Calls back once after the given milliseconds, unless it is cancelled; default: the system's timers. */
  readonly after?: After;
}

/** The numbers of each plan when the host sets none. */
export const DEFAULT_PLANS: Readonly<Record<Plan, PlanLimits>> = {
  starter: { keys: 20, passports: 1_000, verifications_per_minute: 6_000 },
  team: { keys: 200, passports: 50_000, verifications_per_minute: 60_000 },
  enterprise: { keys: null, passports: null, verifications_per_minute: null },
};

/** The rules as given, or `invalid_configuration` when one of ours is missing: a host adds objections, never removes one. */
export function checkedRules(rules: readonly Rule[] = defaultRules): readonly Rule[] {
  if (rules === defaultRules) return rules;
  // A copy, so that no rule is taken away later; made without a method of the list, which may be anything.
  const copy = Array.isArray(rules) ? Object.freeze(elementsOf(rules) as Rule[]) : [];
  const stranger = copy.findIndex((rule) => typeof rule !== 'function');
  if (stranger >= 0) {
    throw new IdentityError('invalid_configuration', `options.rules[${stranger}] is no function.`);
  }
  if (defaultRules.every((rule) => copy.includes(rule))) return copy;
  throw new IdentityError(
    'invalid_configuration',
    'options.rules lacks a default rule. Pass [...defaultRules, yourRule].',
  );
}

/** The limits of the caches, or `invalid_configuration`. */
export function checkedCache({
  maxEntries = 100_000,
  maxBytes = 64 * 1024 * 1024,
}: Partial<CacheLimits> = {}): CacheLimits {
  if ([maxEntries, maxBytes].every((limit) => Number.isSafeInteger(limit) && limit > 0))
    return { maxEntries, maxBytes };
  throw new IdentityError('invalid_configuration', 'options.cache must hold positive whole numbers.');
}

const MAX_RETENTION_DAYS = 36_500;

/** How verdicts are filed, or `invalid_configuration` where the storage cannot keep the promise of `strict`. */
export function checkedJournal(mode: JournalMode, storage: StorageAdapter): JournalMode {
  const { strictRefusal } = storage.journal;
  if (mode === 'batched' || strictRefusal === undefined) return mode;
  const message = `The storage ${storage.name} takes no options.journal strict. ${strictRefusal}`;
  throw new IdentityError('invalid_configuration', message);
}

/** The days of retention, or `invalid_configuration`. */
export function checkedRetention(days = 90): number {
  return wholeNumber('options.retentionDays', days, { from: 1, to: MAX_RETENTION_DAYS });
}

const MAX_PASSWORDS = 64;

/** How many passwords are hashed at a time, or `invalid_configuration`. */
export function checkedPasswordConcurrency(concurrency = 1): number {
  return wholeNumber('options.passwordConcurrency', concurrency, { from: 1, to: MAX_PASSWORDS });
}

/** `batched`: filed soon, and flushed on close. `strict`: a verdict is answered after its record is stored. */
export type JournalMode = 'batched' | 'strict';
