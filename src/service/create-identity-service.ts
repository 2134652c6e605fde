/// <reference lib="esnext.disposable" />
/** Wiring only: which service gets what. */
import { passwordHasher } from '../credential/password.ts';
import { createSeal } from '../credential/seal.ts';
import { sessionTokens } from '../credential/session.ts';
import { IdentityError } from '../errors.ts';
import { secureRandom } from '../platform/index.ts';
import type { Logger, StorageHealth } from '../ports/storage.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createOwnAccount, type OwnAccount } from './accounts/own-account.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createThrottle } from './accounts/throttle.ts';
import { checkOptions } from './checked-options.ts';
import { type AskAnalytics, createAnalytics } from './insight/analytics.ts';
import { createVerifications, type Verifications } from './insight/verifications.ts';
import { createJournal } from './journal/journal.ts';
import { startRetention } from './journal/retention.ts';
import { createKeyUse } from './keys/key-use.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import {
  checkedCache,
  checkedJournal,
  checkedPasswordConcurrency,
  checkedRetention,
  checkedRules,
  DEFAULT_PLANS,
  type IdentityServiceOptions,
} from './options.ts';
import { createDomains, type Domains } from './passports/domains.ts';
import { createPassports, type Passports } from './passports/passports.ts';
import { createRevocation, type RevocationService } from './passports/revocation.ts';
import { boundLog } from './shared/bounded-log.ts';
import type { Traced } from './shared/call-options.ts';
import type { KeyCaller } from './shared/callers.ts';
import type { Context } from './shared/context.ts';
import { createHooks } from './shared/hooks.ts';
import { createIdempotency } from './shared/idempotency.ts';
import { requireScope } from './shared/scope.ts';
import { awaitedAfter, systemAfter } from './shared/timers.ts';
import { openCaches } from './storage/caches.ts';
import { createClockWatch } from './storage/clock-watch.ts';
import { createSecretWatch, secretsOf } from './storage/secret-watch.ts';
import { createStorageGuard, type StorageGuard } from './storage/storage-guard.ts';
import { openStore } from './storage/store.ts';
import { createRates, type RateState } from './verification/rates.ts';
import { createVerify, type VerifyService } from './verification/verify.ts';

/** The whole service in this process. HTTP is a table over it and adds nothing. */
export interface IdentityService extends VerifyService, RevocationService, OwnAccount {
  /** Opens a session: `invalid_credentials` for a wrong e-mail and a wrong password alike. */
  readonly login: Sessions['login'];
  /** Ends the session of a token at once, on every node. */
  readonly logout: Sessions['logout'];
  /** Opens an account for a stranger, where `registration` is open. */
  readonly register: Accounts['register'];
  /** Manages accounts. For operators: the caller is not checked. */
  readonly accounts: Accounts;
  /** Manages the API keys of an account. */
  readonly keys: Keys;
  /** Manages the passports of an account. */
  readonly passports: Passports;
  /** Manages the claims of domains. For operators: the caller is not checked. */
  readonly domains: Domains;
  /** Who is behind a session token; `unauthenticated` for any that is not valid now. */
  readonly authenticateSession: Sessions['authenticate'];
  /** Who is behind an API key; `unauthenticated` for any that is not valid now. */
  readonly authenticateKey: Keys['authenticate'];
  /** What HTTP does: the verdict for whoever holds this key; `insufficient_scope` without `verify`. */
  verifyAs(apiKey: string, intent: Intent, traced?: Traced): Promise<VerdictRecord>;
  /** What happened in a stretch of time, at a cost that does not grow with the number of verdicts. */
  readonly analytics: AskAnalytics;
  /** The recorded verdicts, newest first. */
  readonly verifications: Verifications;
  /**
   * What HTTP does before it judges: counts against the rate of the caller's plan, or `rate_limited`. What is
   * left, or `undefined` without a limit.
   */
  countVerifications(caller: KeyCaller, count: number): RateState | undefined;
  /** Whether accounts can sign in. */
  readonly logins: boolean;
  /** Whether strangers may open accounts. */
  readonly registration: 'open' | 'closed';
  /** Receives what an operator should know. */
  readonly log: Logger;
  /** Milliseconds that the storage has for a call, and a request to find out who asks and then to be answered. */
  readonly deadlineMs: number;
  /** Whether the storage answers and the clock of this node agrees with it, and what the storage promises. */
  health(): Promise<StorageHealth>;
  /** Writes what waits in memory and lets go of the storage. Closing twice is fine. */
  close(): Promise<void>;
  /** The same, for `await using service = createIdentityService(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** An identity service over `options.storage`; `invalid_configuration` for options that cannot work. */
export function createIdentityService(options: IdentityServiceOptions): IdentityService {
  const { session, storage } = checkOptions(options);
  const clock = options.clock ?? { now: Date.now };
  const random = options.random ?? secureRandom;
  const [secret = random.bytes(32), ...previous] = secretsOf(session).map((text) =>
    new TextEncoder().encode(text),
  );
  const deadlineMs = options.storageDeadlineMs ?? 1_000;
  const guard = createStorageGuard(deadlineMs);
  let isClosed = false;
  const settle: StorageGuard = (kind, call) => (isClosed ? Promise.reject(closedError()) : guard(kind, call));
  const { store, caches } = openCaches({
    storage,
    store: openStore(storage, settle),
    deadlineMs,
    monotonic: () => clock.monotonic?.() ?? performance.now(),
    isStrict: options.consistency === 'strict',
    ...checkedCache(options.cache),
  });
  const after = options.after ?? systemAfter;
  const { log, close: closeLog } = boundLog(options.log ?? (() => {}), after);
  const clockWatch = createClockWatch({ store, clock, after, log, clockOk: options.clockOk === true });
  const context: Context = {
    store,
    caches,
    clock,
    clockWatch,
    random,
    secretWatch: createSecretWatch(store, random, session),
    passwords: createPasswords(options.passwordHasher ?? passwordHasher(), {
      concurrency: checkedPasswordConcurrency(options.passwordConcurrency),
      after: options.after ?? awaitedAfter,
    }),
    seal: createSeal(secret, ...previous),
    tokens: session && sessionTokens({ issuer: NAME, audience: NAME, ...session, clock }),
    plans: { ...DEFAULT_PLANS, ...options.plans },
    defaultPlan: options.defaultPlan ?? 'starter',
    registration: options.registration ?? 'closed',
    allowLocalhost: options.allowLocalhost ?? false,
    claimsDomains: options.domainProof !== 'off',
    retentionDays: checkedRetention(options.retentionDays),
    limitsRates: options.rateLimits !== 'off',
    after,
    awaitedAfter: options.after ?? awaitedAfter,
    log,
  };
  const throttle = createThrottle(context);
  const idempotency = createIdempotency(context);
  const use = createKeyUse(context);
  const rates = createRates(context);
  const accounts = createAccounts(context, throttle);
  const sessions = createSessions(context, accounts, throttle);
  const keys = createKeys(context, { idempotency, use });
  const journal = createJournal(context, checkedJournal(options.journal ?? 'batched', storage));
  const retention = startRetention(context);
  const {
    verify,
    verifyBatch,
    verifySince,
    guard: guardDeed,
  } = createVerify(context, {
    rules: checkedRules(options.rules),
    journal,
    hooks: createHooks(context, options),
  });
  async function close(): Promise<void> {
    retention.stop();
    caches.stop();
    await journal.close();
    await Promise.all([rates.close(), use.close(), clockWatch.stop()]);
    closeLog();
    isClosed = true;
    await context.store.close();
  }

  return {
    accounts,
    keys,
    passports: createPassports(context, idempotency),
    domains: createDomains(context),
    ...createOwnAccount(context, keys, throttle),
    ...createRevocation(context),
    verify,
    guard: guardDeed,
    verifyBatch,
    login: sessions.login,
    logout: sessions.logout,
    register: accounts.register,
    authenticateSession: sessions.authenticate,
    authenticateKey: keys.authenticate,
    async verifyAs(apiKey, intent, { request_id = null } = {}) {
      const startedAt = caches.monotonic();
      const caller = await keys.authenticateSince(apiKey, { request_id }, startedAt);
      requireScope(caller, 'verify');
      return verifySince(intent, request_id === null ? caller : { ...caller, request_id }, startedAt);
    },
    analytics: createAnalytics(context, journal),
    verifications: createVerifications(context, journal),
    countVerifications: rates.take,
    logins: context.tokens !== undefined,
    registration: context.registration,
    log: context.log,
    deadlineMs,
    async health() {
      const [health] = await Promise.all([
        store.check(),
        context.secretWatch.assertShared(),
        clockWatch.assertRight(),
      ]);
      return health;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NAME = 'agent-identity-service';

function closedError(): IdentityError {
  return new IdentityError('storage_unavailable', 'The service is closed.');
}
