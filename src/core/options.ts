/** The options of an application, each with its default. */

import type { DomainProver } from '../ports/domain-prover.ts';
import type { After } from '../ports/host.ts';
import type { ServiceMetrics } from '../ports/metrics.ts';
import type { Signer, SigningAlgorithm } from '../ports/signer.ts';
import type { Clock, Logger, PasswordHasher, RandomSource, StorageAdapter } from '../ports/storage.ts';
import type { Approval } from '../records/approval.ts';
import type { Plan, VerdictRecord } from '../records.ts';
import type { Rule } from '../verdict/index.ts';
import type { OidcOptions } from './oidc/oidc-options.ts';

/** The numbers of a plan; `null` means unlimited. */
export interface PlanLimits {
  /** Active API keys. */
  readonly keys: number | null;
  /** Passports. */
  readonly passports: number | null;
  /** Verdicts over HTTP in 60 seconds. */
  readonly verifications_per_minute: number | null;
  /** Passports, keys, domains and webhooks issued, changed or suspended over HTTP in 60 seconds. */
  readonly writes_per_minute: number | null;
}

/** The limits of each kind of record in memory. */
export interface CacheLimits {
  /** Records; default 100,000. */
  readonly maxEntries: number;
  /** Bytes, estimated; default 64 MiB. */
  readonly maxBytes: number;
}

/** The options with which third parties can check the documents of this service. */
export interface IdentityOptions {
  /**
   * Encrypts the private keys in the storage: at least 32 bytes of UTF-8, the same on every node. Default:
   * `session.secret`, which `session.previousSecret` then accompanies.
   */
  readonly secret?: string;
  /**
   * Secrets with which keys may still be encrypted. `signing-key reseal` encrypts the keys with the first secret.
   *
   * If `identity` has no `secret`, these secrets also serve sessions, as `session.previousSecret` does. On their own
   * they let a new session secret start.
   */
  readonly previousSecrets?: readonly string[];
  /** Signs instead of keys in the storage, such as a hardware module. */
  readonly signer?: Signer;
  /** The algorithm of new keys; default `EdDSA` (Ed25519). */
  readonly alg?: SigningAlgorithm;
  /**
   * The address at which third parties reach the API, such as `https://id.example.com/api`: an http or https URL without credentials, query
   * and fragment. Proofs of possession name it in `aud`, signed passports as the place of their status: without it no
   * passport is signed.
   */
  readonly publicUrl?: string;
  /** The seconds for which a signed passport is valid where the request does not say, 60 to 86,400; default 3,600. */
  readonly tokenSeconds?: number;
  /** Other names of this service that a proof of possession may have in `aud`; at most 20. */
  readonly proofAudiences?: readonly string[];
  /** The longest time that a proof may be valid, whole seconds from 1 to 3,600; default 300. */
  readonly proofMaxSeconds?: number;
  /** Seconds that third parties may keep a DID document, 0 to 86,400; default 300. */
  readonly didMaxAgeSeconds?: number;
}

/** The options of the core of a service. */
export interface CoreOptions {
  /** The storage of all records: `memoryStorage()`, `await sqliteStorage({ file })`, or your own adapter. */
  readonly storage: StorageAdapter;
  /** Turns logins on. */
  readonly session?: {
    /**
     * At least 32 bytes of UTF-8, the same on every node. A storage that was used with another refuses every login and
     * every token with `invalid_configuration`, as `health` does.
     */
    readonly secret: string;
    /**
     * The previous secret, during a change of the secret. Its tokens and cursors still count, and nodes that have
     * only this secret may start. The first start without it ends that.
     */
    readonly previousSecret?: string;
    /**
     * `true`: the secret replaces a lost secret, although the storage was used with another. Every token ends. Use it
     * for one start.
     */
    readonly secretLost?: boolean;
    /** `iss` of the tokens; default `agent-identity-service`. */
    readonly issuer?: string;
    /** `aud` of the tokens; default `agent-identity-service`. */
    readonly audience?: string;
  };
  /** Turns on the keys that the service signs with. They are made at the first start and kept in the storage, encrypted. */
  readonly identity?: IdentityOptions;
  /** Lets people sign in with an issuer of OpenID Connect, next to passwords; needs `session`. */
  readonly oidc?: OidcOptions;
  /** `open`: third parties may open accounts. Default `closed`. */
  readonly registration?: 'open' | 'closed';
  /** The rules of a verdict: `[...defaultRules, yourRule]`. A list without all default rules is refused. */
  readonly rules?: readonly Rule[];
  /** Accepts passports for `localhost`; default `false`. */
  readonly allowLocalhost?: boolean;
  /**
   * The owner of a domain. With `claim` (default), the first account that issues for a domain owns it, until another
   * account proves it. With `required`, an account must prove a domain before its first passport, else the error is
   * `domain_unproven`. With `off`, no account owns a domain.
   */
  readonly domainProof?: 'claim' | 'required' | 'off';
  /** Looks for proofs of domains: `nodeDomainProver()` on Node, or your own. Without it no domain can be proved. */
  readonly domainProver?: DomainProver;
  /** Replaces numbers of a plan. A number that you leave out stays as it is. */
  readonly plans?: Readonly<Partial<Record<Plan, Partial<PlanLimits>>>>;
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
  /** The limits of passports and of keys in memory. Other records are read again. */
  readonly cache?: Partial<CacheLimits>;
  /** Whole days that verdict records and rollups are kept, 1 to 36,500; default 90. */
  readonly retentionDays?: number;
  /**
   * Whole days that changes stay in the audit (`GET /audit`), 7 to 36,500; default 365. Streams and webhooks can resume for
   * 7 days.
   */
  readonly auditDays?: number;
  /**
   * `true`: the clock of this machine is right, although it differs from the storage. Use it for one start, for a
   * database file that was unused for more than a day or that a wrong clock has used. Storages with a clock ignore
   * it.
   */
  readonly clockOk?: boolean;
  /** Called with every verdict that is answered. An exception is logged and has no other effect. */
  readonly onVerdict?: (record: VerdictRecord, measured: { readonly latencyUs: number }) => void;
  /**
   * Called with every approval that a person must decide from now on, by the process that answered the verdict. Use
   * it to tell the person. An exception is logged and has no other effect.
   */
  readonly onApproval?: (approval: Approval) => void;
  /**
   * Called with every error because of which a verdict was not answered, and for each of your rules that fails
   * (`internal`, with its cause). A failing rule is reported at most once per minute. An exception is logged and has
   * no other effect.
   */
  readonly onError?: (error: unknown) => void;
  /** Counts what the service does, such as `createMetrics()` of the entry point `./metrics`; it may serve several services. */
  readonly metrics?: ServiceMetrics;
  /** `off` lifts the rates of verifications and writes and the login throttle, never the numbers of a plan; default `on`. */
  readonly rateLimits?: 'on' | 'off';
  /** Receives one event per thing an operator should know; default: nothing is written anywhere. */
  readonly log?: Logger;
  /**
   * Milliseconds until a call of the storage fails as `storage_unavailable`; default 1,000. A single verdict, which
   * may need several calls, and a request over HTTP are answered within 1.75 times that. A batch of verdicts and
   * requests that hash a password or add up verdicts have no such limit.
   */
  readonly storageDeadlineMs?: number;
  /**
   * The number of passwords that are hashed at a time, 1 to 64; default 1. Each takes 128 MiB of memory while it runs, and a
   * thread of Node's pool (`UV_THREADPOOL_SIZE`, 4), which signing and files need as well. Up to 64 more wait for at
   * most 10 s, by turns of the networks they come from; then `overloaded`.
   */
  readonly passwordConcurrency?: number;
  /** The clock, for tests and special applications. Default: the clock of the system. */
  readonly clock?: Clock;
  /** The source of random bytes, for tests and special applications; default: the generator of the system. */
  readonly random?: RandomSource;
  /** The hashes of passwords, for tests and special applications; default: scrypt. */
  readonly passwordHasher?: PasswordHasher;
  /** Calls back once after these milliseconds, unless it is cancelled. Default: the system's timers. */
  readonly after?: After;
}

/** The numbers of each plan when the application sets none. */
export const DEFAULT_PLANS: Readonly<Record<Plan, PlanLimits>> = {
  starter: { keys: 20, passports: 1_000, verifications_per_minute: 6_000, writes_per_minute: 1_200 },
  team: { keys: 200, passports: 50_000, verifications_per_minute: 60_000, writes_per_minute: 12_000 },
  enterprise: { keys: null, passports: null, verifications_per_minute: null, writes_per_minute: null },
};

/** `batched`: filed soon, and flushed on close. `strict`: a verdict is answered after its record is stored. */
export type JournalMode = 'batched' | 'strict';
