import type { Authzen } from '../base/authzen.ts';
import type { ServiceFigures, ServiceMetrics } from '../ports/metrics.ts';
import type { Logger, StorageHealth } from '../ports/storage.ts';
import { defaultRules } from '../verdict/index.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createOwnAccount } from './accounts/own-account.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createThrottle } from './accounts/throttle.ts';
import { type As, createAs } from './acting/as.ts';
import { type Management, withKnownOptions } from './acting/management.ts';
import { openApprovals } from './approvals/approvals.ts';
import { createDomains } from './domains/domains.ts';
import { createErasures, type Erasures } from './erasure/erasures.ts';
import { createEvents } from './events/events.ts';
import { createAnalytics } from './insight/analytics.ts';
import { createVerifications } from './insight/verifications.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { startRetention } from './journal/merge/retention.ts';
import { createKeyUse } from './keys/key-use.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import type { IdentityServiceOptions } from './options.ts';
import { openOutcomes } from './outcomes/deed-reports.ts';
import type { Outcomes } from './outcomes/outcomes.ts';
import { createPassports } from './passports/passports.ts';
import { createPublished, type Published } from './passports/published.ts';
import { createRevocation } from './passports/revocation.ts';
import { createAuthzen } from './setup/authzen.ts';
import { checkOptions } from './setup/checked-options.ts';
import { checkedJournal, checkedRules } from './setup/checked-values.ts';
import { openContext } from './setup/open-context.ts';
import type { Context } from './shared/context.ts';
import { createHooks } from './shared/hooks.ts';
import { createIdempotency } from './shared/idempotency.ts';
import { createSigning, type Signing } from './signing/signing.ts';
import { createSpending } from './spending/spending.ts';
import { createSpends } from './spending/spends.ts';
import { createPublicPlaces } from './storage/public-places.ts';
import { createSubjects } from './subjects/subjects.ts';
import { type CallCounts, createCallCounts } from './verification/call-counts.ts';
import { createProofCheck } from './verification/proof-check.ts';
import { createReplays } from './verification/replays.ts';
import { type ToTake, takeAll } from './verification/takings.ts';
import { createVerify, type VerifyService } from './verification/verify.ts';
import { createVerifyAs, type VerifyAs } from './verification/verify-as.ts';
import { createVerifiers, type VerifierParts, type Verifiers } from './verifiers/verifiers.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';
import type { OpenWebhooks } from './webhooks/webhooks.ts';

/** The parts of a service that its bindings to HTTP use, and a host does not. */
export interface Serving extends CallCounts {
  /** Returns the caller of an API key; `unauthenticated` for one that is not valid now. */
  readonly authenticateKey: Keys['authenticate'];
  /** The counter of answers; `undefined` without `metrics`. */
  readonly metrics: Pick<ServiceMetrics, 'onRequest'> | undefined;
  /** The AuthZEN settings; `undefined` without `authzen`. */
  readonly authzen: Authzen | undefined;
  /** `true` if accounts can sign in. */
  readonly logins: boolean;
  /** `open` if a stranger may open an account. */
  readonly registration: 'open' | 'closed';
  /** Receives the messages for the operator. */
  readonly log: Logger;
  /** The milliseconds that a call of the storage may take, and each half of a request: to authenticate, and to answer. */
  readonly deadlineMs: number;
}

/** The whole service in this process. HTTP is a table over it and adds nothing. */
export interface IdentityService extends Management, VerifyService {
  /** Opens a session: `invalid_credentials` for a wrong e-mail and a wrong password alike. */
  readonly login: Sessions['login'];
  /** Ends the session of a token at once, on every node. */
  readonly logout: Sessions['logout'];
  /** Opens an account for a stranger, where `registration` is open. */
  readonly register: Accounts['register'];
  /** Manages accounts. For operators: the caller is not checked. */
  readonly accounts: Accounts;
  /** Returns the verbs for one actor, as `createAdminClient` has them: no call names who acts, and none can change it. */
  readonly as: As;
  /** Who is behind a session token; `unauthenticated` for any that is not valid now. */
  readonly authenticateSession: Sessions['authenticate'];
  /** The verdict for the holder of this key, as over HTTP; `insufficient_scope` without `verify`. */
  readonly verifyAs: VerifyAs;
  /** Confirms the passports that local verifiers hold. */
  readonly verifiers: Verifiers;
  /** Takes reports of what came of verdicts. */
  readonly outcomes: Outcomes;
  /** The keys that the service signs with. */
  readonly signing: Signing;
  /** What strangers may read of agents and domains. */
  readonly published: Published;
  /** Finishes what was begun to be erased. */
  readonly erasures: Erasures;
  /** The parts that only a binding to HTTP uses. */
  readonly serving: Serving;
  /** Whether the storage answers and the clock of this node agrees with it, and what the storage promises. */
  health(): Promise<StorageHealth>;
  /** Writes what is still in memory and closes the storage. Closing twice is allowed. */
  close(): Promise<void>;
  /** The same, for `await using service = createIdentityService(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * An identity service over `options.storage`; `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const { agent_id } = await service.passports.create({
 *   domain: 'example.com',
 *   agent_name: 'reader',
 *   allowed_actions: ['orders.read'],
 *   monetary_limit_per_txn: 0,
 * });
 * const { verdict } = await service.verify({ agent_id, action: 'orders.read' });
 * console.log(verdict); // ALLOW
 */
export function createIdentityService(options: IdentityServiceOptions): IdentityService {
  const { context, close: closeContext } = openContext(checkOptions(options));
  const throttle = createThrottle(context);
  const idempotency = createIdempotency(context);
  const use = createKeyUse(context);
  const rates = createCallCounts(context);
  const erasures = createErasures(context);
  const accounts = createAccounts(context, throttle, erasures);
  const sessions = createSessions(context, accounts, throttle);
  const keys = createKeys(context, { idempotency, use });
  const rules = checkedRules(options.rules);
  const journal = createJournal(context, checkedJournal(options.journal ?? 'batched', options.storage));
  const retention = startRetention(context);
  const events = createEvents(context);
  const [places, spending] = [createPublicPlaces(), createSpending(context)];
  const signing = createSigning(context, options, places);
  const webhooks = openWebhooks(context, options, { events, signEd25519: signing.signEd25519 });
  const judging = { rules, spending, checkProof: createProofCheck(context.proofTerms) };
  const domains = createDomains(context);
  const hooks = createHooks(context, options);
  const unwatch = context.metrics?.watch(() => figuresOf(context, journal));
  const approvals = openApprovals(context, hooks);
  const { outcomes, reportsFor } = openOutcomes(context, journal);
  const takingParts = { spending, ...approvals.parts };
  const parts = {
    ...{ ...judging, journal, hooks, reportsFor, replays: createReplays(context) },
    ...{ isThere: spending.isThere, take: (toTake: ToTake) => takeAll(takingParts, toTake) },
  };
  const { verifySince, ...verifying } = createVerify(context, parts);
  const verifiers = createVerifiers(context, {
    ...{ ...rates, journal, callers: keys.callers, ask: askOf(options) },
  });
  async function close(): Promise<void> {
    verifiers.end();
    retention.stop();
    context.caches.stop();
    signing.stop();
    domains.stop();
    await Promise.all([spending.lapses.stop(), approvals.stop(), erasures.stop()]);
    await webhooks.stop();
    await events.close();
    await journal.close();
    await Promise.all([rates.close(), use.close()]);
    unwatch?.();
    await closeContext();
  }

  const management = withKnownOptions({
    keys,
    passports: createPassports(context, {
      ...{ ...judging, idempotency, proofs: domains, tokens: signing.tokens, erasures, journal },
    }),
    spends: createSpends(context, spending.lapses, idempotency),
    approvals: approvals.verbs,
    domains,
    ...createOwnAccount(context, { keys, throttle, erasures }),
    ...createRevocation(context),
    analytics: createAnalytics(context, journal),
    verifications: createVerifications(context, journal),
    ...{ events, webhooks, subjects: createSubjects(context, journal) },
  });

  return {
    ...management,
    ...verifying,
    as: createAs(context, management, sessions.end),
    accounts,
    ...{ login: sessions.login, logout: sessions.logout, register: accounts.register },
    authenticateSession: sessions.authenticate,
    verifyAs: createVerifyAs({ monotonic: context.caches.monotonic, callers: keys.callers, verifySince }),
    ...{ verifiers, outcomes, erasures: { run: erasures.run } },
    signing: { ...signing, reseal: () => resealAll(options, signing, webhooks) },
    published: createPublished(context, options.identity, { signing, places }),
    serving: servingOf(context, options, { ...rates.counts, authenticateKey: keys.authenticate }),
    health: () => healthOf(context, signing.ready),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the reason why no verifier may decide for this service. */
function askOf({ consistency, journal, rules = defaultRules }: IdentityServiceOptions): VerifierParts['ask'] {
  if (consistency === 'strict' || journal === 'strict') return 'strict';
  return rules === defaultRules ? null : 'rules';
}

/** Returns the parts for bindings to HTTP. */
function servingOf(
  context: Context,
  { authzen }: IdentityServiceOptions,
  calls: CallCounts & Pick<Serving, 'authenticateKey'>,
): Serving {
  const { metrics, tokens, registration, log, deadlineMs } = context;
  const asked = createAuthzen(authzen, context);
  return { ...calls, metrics, authzen: asked, logins: tokens !== undefined, registration, log, deadlineMs };
}

/** What is counted all the time, and read when it is asked for. */
function figuresOf({ caches, isStorageUp }: Context, journal: Journal): ServiceFigures {
  const { passports, keys, accounts, domains } = caches;
  return {
    journal: journal.figures(),
    caches: {
      passports: passports.counts,
      keys: keys.counts,
      accounts: accounts.counts,
      domains: domains.counts,
    },
    storageUp: isStorageUp(),
  };
}

/** A service without signing keys may have secrets of webhooks all the same. */
async function resealAll(
  { identity }: IdentityServiceOptions,
  signing: Signing,
  webhooks: OpenWebhooks,
): ReturnType<Signing['reseal']> {
  const hasKeys = identity !== undefined && identity.signer === undefined;
  const { resealed } = hasKeys || !webhooks.isOn ? await signing.reseal() : { resealed: 0 };
  return { resealed: resealed + (await webhooks.reseal()) };
}

/** What the storage promises, where everything works that a node needs. */
async function healthOf(context: Context, signingReady: () => Promise<unknown>): Promise<StorageHealth> {
  const [health] = await Promise.all([
    context.store.check(),
    context.secretWatch.assertShared(),
    context.clockWatch.assertRight(),
    signingReady(),
  ]);
  return health;
}
