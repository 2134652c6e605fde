/** Defines the options of an application, each with its default. */

import type { DomainProver } from '../ports/domain-prover.ts';
import type { After } from '../ports/host.ts';
import type { ServiceMetrics } from '../ports/metrics.ts';
import type { Clock, Logger, PasswordHasher, RandomSource, StorageAdapter } from '../ports/storage.ts';
import type { Approval } from '../records/approval.ts';
import type { Plan, VerdictRecord } from '../records.ts';
import type { Rule } from '../verdict/index.ts';

/** The numbers of a plan; `null` means unlimited. */
export interface PlanLimits {
  /** The number of active API keys. */
  readonly keys: number | null;
  /** The number of passports. */
  readonly passports: number | null;
  /** The number of verdicts over HTTP in 60 seconds. */
  readonly verifications_per_minute: number | null;
  /** The number of passports, keys, domains and webhooks issued, changed or suspended over HTTP in 60 seconds. */
  readonly writes_per_minute: number | null;
}

/** The limits of the records in memory, for each kind of record. */
export interface CacheLimits {
  /** The number of records; default 100,000. */
  readonly maxEntries: number;
  /** The estimated number of bytes; default 64 MiB. */
  readonly maxBytes: number;
}

/** The settings of the identity of the service that other parts use, too. */
export interface IdentitySettings {
  /** The secret that encrypts keys in the storage. Default: the secret of the sessions. */
  readonly secret?: string;
  /** Earlier secrets with which keys may still be encrypted. */
  readonly previousSecrets?: readonly string[];
  /** The public address of the API, without a trailing slash. */
  readonly publicUrl?: string;
}

/** The options of the core of a service. */
export interface CoreOptions {
  /** The storage of all records: `memoryStorage()`, `await sqliteStorage({ file })`, or your own adapter. */
  readonly storage: StorageAdapter;
  /** Turns logins on. */
  readonly session?: {
    /**
     * The secret that signs tokens, at least 32 bytes of UTF-8 and the same on every node. If the storage was used with
     * another secret, every login and token fails with `invalid_configuration`, and `health` reports it.
     */
    readonly secret: string;
    /**
     * The previous secret, during a change of the secret. Its tokens and cursors stay valid, and nodes that have only
     * this secret may start. The first start without this option ends the change.
     */
    readonly previousSecret?: string;
    /**
     * `true`: accepts the new secret if the secret that the storage was used with is lost. Every token becomes invalid.
     * Use this option for one start.
     */
    readonly secretLost?: boolean;
    /** The claim `iss` of the tokens; default `agent-identity-service`. */
    readonly issuer?: string;
    /** The claim `aud` of the tokens; default `agent-identity-service`. */
    readonly audience?: string;
  };
  /** Other names of this service that a proof of possession may have in `aud`, next to `publicUrl`; at most 20. */
  readonly proofAudiences?: readonly string[];
  /** The longest validity of a proof of possession, 1 to 3,600 whole seconds; default 300. */
  readonly proofMaxSeconds?: number;
  /** `open`: third parties may open accounts. Default `closed`. */
  readonly registration?: 'open' | 'closed';
  /** The rules of a verdict: `[...defaultRules, yourRule]`. The list must contain all default rules. */
  readonly rules?: readonly Rule[];
  /** Accepts passports for `localhost`; default `false`. */
  readonly allowLocalhost?: boolean;
  /**
   * Says who owns a domain. With `claim` (default), the first account that issues a passport for a domain owns it,
   * until another account verifies the domain. With `required`, an account must verify a domain before its first
   * passport, else the error is `domain_unproven`. With `off`, no account owns a domain.
   */
  readonly domainProof?: 'claim' | 'required' | 'off';
  /**
   * Checks domains for domain verification: `nodeDomainProver()` on Node, or your own. It needs the capability
   * `domains`.
   */
  readonly domainProver?: DomainProver;
  /** Replaces numbers of a plan. A number that you leave out keeps its default. */
  readonly plans?: Readonly<Partial<Record<Plan, Partial<PlanLimits>>>>;
  /** The plan of new accounts; default `starter`. */
  readonly defaultPlan?: Plan;
  /**
   * `batched` (default): the service records a verdict within a second of its answer. `strict`: the service stores the
   * record first, and answers only if this succeeds.
   */
  readonly journal?: 'batched' | 'strict';
  /**
   * `default`: a verdict may use a passport or key from memory. A change is visible at once on this node, and within a
   * second on every other node. `strict`: every verdict reads the storage, so a verdict that starts after a change uses
   * the change.
   */
  readonly consistency?: 'default' | 'strict';
  /** The limits of passports and of keys in memory. Records beyond the limits are read from the storage. */
  readonly cache?: Partial<CacheLimits>;
  /** Whole days that verdict records and rollups are kept, 1 to 36,500; default 90. */
  readonly retentionDays?: number;
  /**
   * Whole days for which changes stay in the audit trail (`GET /audit`), 7 to 36,500; default 365. Streams and webhooks
   * can resume for 7 days.
   */
  readonly auditDays?: number;
  /**
   * `true`: trusts the clock of this machine although it differs from the storage. Use it for one start, if the
   * database file was unused for more than a day, or was used on a machine with a wrong clock. A storage with its own
   * clock, such as PostgreSQL or Redis, ignores this option.
   */
  readonly clockOk?: boolean;
  /** Called with every verdict. An exception is logged and has no other effect. */
  readonly onVerdict?: (record: VerdictRecord, measurement: { readonly latencyUs: number }) => void;
  /**
   * Called with every new approval that a person must decide, in the process that returned the verdict. Use it to tell
   * the person. An exception is logged and has no other effect.
   */
  readonly onApproval?: (approval: Approval) => void;
  /**
   * Called with every error that prevented a verdict. Also called if one of your rules fails (`internal`, with its
   * cause), at most once per minute for each rule. An exception is logged and has no other effect.
   */
  readonly onError?: (error: unknown) => void;
  /**
   * Counts what the service does, such as `createMetrics()` of the entry point `./metrics`. Several services may share
   * it.
   */
  readonly metrics?: ServiceMetrics;
  /**
   * `off` turns off the rate limits of verifications and writes, and the throttle of logins. The numbers of a plan stay
   * the same. Default `on`.
   */
  readonly rateLimits?: 'on' | 'off';
  /** Receives an event for each thing that an operator should know. By default, nothing is logged. */
  readonly log?: Logger;
  /**
   * Milliseconds until a call of the storage fails with `storage_unavailable`; default 1,000. A single verdict and an
   * HTTP request are answered within 1.75 times that time. Exceptions are batches of verdicts, and requests that hash a
   * password or sum up verdicts.
   */
  readonly storageDeadlineMs?: number;
  /**
   * The number of passwords that are hashed at the same time, 1 to 64; default 1. Each hash takes 128 MiB of memory and
   * a thread of Node's pool (`UV_THREADPOOL_SIZE`, 4), which signing and files use as well. Up to 64 more passwords
   * wait for at most 10 s, and the networks that they come from take turns. Beyond that, the error is `overloaded`.
   */
  readonly passwordConcurrency?: number;
  /** The clock, for tests and special applications; default: the clock of the system. */
  readonly clock?: Clock;
  /** The source of random bytes, for tests and special applications; default: the generator of the system. */
  readonly random?: RandomSource;
  /** The hashes of passwords, for tests and special applications; default: scrypt. */
  readonly passwordHasher?: PasswordHasher;
  /**
   * Runs a callback once after a number of milliseconds, unless the timer is cancelled. Default: the timers of the
   * system.
   */
  readonly after?: After;
}

/** The default numbers of each plan. */
export const DEFAULT_PLANS: Readonly<Record<Plan, PlanLimits>> = {
  starter: { keys: 20, passports: 1_000, verifications_per_minute: 6_000, writes_per_minute: 1_200 },
  team: { keys: 200, passports: 50_000, verifications_per_minute: 60_000, writes_per_minute: 12_000 },
  enterprise: { keys: null, passports: null, verifications_per_minute: null, writes_per_minute: null },
};

/**
 * `batched`: records are stored soon after the answer, and on close. `strict`: a verdict is answered after its record
 * is stored.
 */
export type JournalMode = 'batched' | 'strict';
