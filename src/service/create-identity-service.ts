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
import { type Logs, type OpenEvidence, openEvidence } from './evidence/open-evidence.ts';
import { createHostAccounts, type HostAccounts } from './hosts/host-accounts.ts';
import { createAnalytics } from './insight/analytics.ts';
import { createAudit } from './insight/audit.ts';
import { createVerifications } from './insight/verifications.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { startRetention } from './journal/merge/retention.ts';
import { createKeyUse } from './keys/key-use.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { createLinks, createMembers, type LinkParts, type Links } from './members/members.ts';
import { createOidc, type Oidc, oidcLabelOf } from './oidc/oidc.ts';
import type { IdentityServiceOptions } from './options.ts';
import { openOutcomes } from './outcomes/deed-reports.ts';
import type { Outcomes } from './outcomes/outcomes.ts';
import { createPassports } from './passports/passports.ts';
import { createPublished, type Published } from './passports/published.ts';
import { createRevocation } from './passports/revocation.ts';
import { createAuthzen } from './setup/authzen.ts';
import { checkOptions } from './setup/checked-options.ts';
import { checkedJournal, checkedRules } from './setup/checked-values.ts';
import { observedRules } from './setup/observed-rules.ts';
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
import { takingPermits } from './verification/permitted.ts';
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
  /** Returns the caller of a login that a host lends. */
  readonly authenticateHost: HostAccounts['authenticateHost'];
  /** The counter of answers; `undefined` without `metrics`. */
  readonly metrics: Pick<ServiceMetrics, 'onRequest'> | undefined;
  /** The AuthZEN settings; `undefined` without `authzen`. */
  readonly authzen: Authzen | undefined;
  /** The name on the button of a sign-in with an issuer; `undefined` without `oidc`. */
  readonly oidcLabel: string | undefined;
  /** `true` if accounts can sign in. */
  readonly logins: boolean;
  /** `open` if a third party may open an account. */
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
  /** Opens an account for a third party, where `registration` is open. */
  readonly register: Accounts['register'];
  /** Returns the facts of a link, for the person that holds it, and uses nothing. */
  readonly readLink: Links['readLink'];
  /** Uses a link: its holder signs in with a password from now on. */
  readonly acceptLink: Links['acceptLink'];
  /** Signs people in with an issuer of OpenID Connect; `not_found` without the option `oidc`. */
  readonly oidc: Oidc;
  /** Manages accounts. For operators: the caller is not checked. */
  readonly accounts: Accounts;
  /** Returns the methods for one actor, as `createAdminClient` has them: no call names who acts, and none can change it. */
  readonly as: As;
  /** Who is behind a session token; `unauthenticated` for any that is not valid now. */
  readonly authenticateSession: Sessions['authenticate'];
  /**
   * Returns the actor for a person that the host has signed in. First sight opens the account of an organisation of
   * the host. `invalid_request` for a login that breaks a rule; `unauthenticated` for one that may not act.
   */
  readonly actorOf: HostAccounts['actorOf'];
  /** The verdict for the holder of this key, as over HTTP; `insufficient_scope` without `verify`. */
  readonly verifyAs: VerifyAs;
  /** Confirms the passports that local verifiers hold. */
  readonly verifiers: Verifiers;
  /** Takes reports of what came of verdicts. */
  readonly outcomes: Outcomes;
  /** The keys that the service signs with. */
  readonly signing: Signing;
  /** The logs of accounts: what third parties may read of them, and the methods of operators. */
  readonly logs: Logs;
  /** The documents of agents and domains that third parties may read. */
  readonly published: Published;
  /** Finishes what was begun to be erased. */
  readonly erasures: Erasures;
  /** The parts that only a binding to HTTP uses. */
  readonly serving: Serving;
  /** Returns what the storage promises. Rejects if it does not answer, or the clock of this node differs from it. */
  health(): Promise<StorageHealth>;
  /** Writes what is still in memory and closes the storage. Closing twice is allowed. */
  close(): Promise<void>;
  /** Closes as `close` does, for `await using service = createIdentityService(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates an identity service over `options.storage`; throws `invalid_configuration` for options that cannot work.
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
  const [use, rates] = [createKeyUse(context), createCallCounts(context)];
  const erasures = createErasures(context);
  const accounts = createAccounts(context, throttle, erasures);
  const sessions = createSessions(context, accounts, throttle);
  const signIns = openSignIns(context, options, { throttle, open: sessions.open });
  const keys = createKeys(context, { idempotency, use });
  const { authenticateHost, actorOf } = createHostAccounts(context);
  const calls = { ...rates.counts, authenticateKey: keys.authenticate, authenticateHost };
  const hooks = createHooks(context, options);
  const rules = observedRules(checkedRules(options.rules), hooks.failRule);
  const journal = createJournal(context, checkedJournal(options.journal ?? 'batched', options.storage));
  const [retention, events] = [startRetention(context), createEvents(context)];
  const [places, spending] = [createPublicPlaces(), createSpending(context)];
  const signing = createSigning(context, options, places);
  const evidence = openEvidence(context, options.identity?.log === true, { journal, signing, places });
  const webhooks = openWebhooks(context, options, { events, signEd25519: signing.signEd25519 });
  const judging = { rules, spending, checkProof: createProofCheck(context.proofTerms) };
  const domains = createDomains(context);
  const unwatch = context.metrics?.watch(() => figuresOf(context, journal, evidence));
  const approvals = openApprovals(context, hooks);
  const { outcomes, reportsFor } = openOutcomes(context, journal);
  const takingParts = { spending, ...approvals.parts };
  const parts = {
    ...{ ...judging, journal, hooks, reportsFor, isThere: spending.isThere, replays: createReplays(context) },
    take: takingPermits(context, signing.tokens, (toTake: ToTake) => takeAll(takingParts, toTake)),
  };
  const { verifySince, ...verifying } = createVerify(context, parts);
  const verifiers = createVerifiers(context, {
    ...{ ...rates, journal, callers: keys.callers, ask: askOf(options) },
  });
  async function close(): Promise<void> {
    verifiers.end();
    for (const part of [retention, context.caches, signing, domains]) part.stop();
    await Promise.all([spending.lapses.stop(), approvals.stop(), erasures.stop()]);
    await webhooks.stop();
    for (const part of [events, journal, evidence]) await part.close();
    await Promise.all([rates.close(), use.close()]);
    unwatch?.();
    await closeContext();
  }

  const management = withKnownOptions({
    keys,
    passports: createPassports(context, {
      ...{ ...judging, idempotency, proofs: domains, tokens: signing.tokens, erasures, journal },
      changeApprovals: approvals.changeApprovals,
    }),
    spends: createSpends(context, spending.lapses, idempotency),
    ...{ approvals: approvals.verbs, domains },
    ...{ members: createMembers(context, keys), ...createOwnAccount(context, { keys, throttle, erasures }) },
    ...createRevocation(context),
    ...{ analytics: createAnalytics(context, journal), audit: createAudit(context), ...evidence.rooms },
    verifications: { ...createVerifications(context, journal), receipt: evidence.receipt },
    ...{ events, webhooks, subjects: createSubjects(context, journal) },
  });

  return {
    ...{ ...management, ...verifying },
    as: createAs(context, management, { end: sessions.end, links: signIns }),
    ...{ accounts, ...signIns, register: accounts.register },
    ...{
      login: sessions.login,
      logout: sessions.logout,
      authenticateSession: sessions.authenticate,
      actorOf,
    },
    verifyAs: createVerifyAs({ monotonic: context.caches.monotonic, callers: keys.callers, verifySince }),
    ...{ verifiers, outcomes, erasures: { run: erasures.run }, logs: evidence.logs },
    signing: { ...signing, reseal: () => resealAll(options, signing, webhooks) },
    published: createPublished(context, options.identity, { signing, places }),
    serving: servingOf(context, options, calls),
    health: () => healthOf(context, [signing.ready, evidence.ready]),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Makes the methods with which people sign in otherwise than with a password that they have. */
function openSignIns(
  context: Context,
  { oidc }: IdentityServiceOptions,
  { throttle, open }: LinkParts,
): Links & { readonly oidc: Oidc } {
  const links = createLinks(context, { throttle, open });
  const { readLink, acceptLink } = links;
  return { readLink, acceptLink, oidc: createOidc(context, oidc, { links, throttle, open }) };
}

/** Returns the reason why no verifier may decide for this service. */
function askOf({ consistency, journal, rules = defaultRules }: IdentityServiceOptions): VerifierParts['ask'] {
  if (consistency === 'strict' || journal === 'strict') return 'strict';
  return rules === defaultRules ? null : 'rules';
}

/** Returns the parts for bindings to HTTP. */
function servingOf(
  context: Context,
  { authzen, oidc }: IdentityServiceOptions,
  calls: CallCounts & Pick<Serving, 'authenticateKey' | 'authenticateHost'>,
): Serving {
  const { metrics, tokens, registration, log, deadlineMs } = context;
  const asked = createAuthzen(authzen, context);
  const shown = { authzen: asked, logins: tokens !== undefined, registration, oidcLabel: oidcLabelOf(oidc) };
  return { ...calls, ...shown, metrics, log, deadlineMs };
}

/** Returns the figures that are counted all the time, and read when they are asked for. */
function figuresOf(
  { caches, isStorageUp }: Context,
  journal: Journal,
  evidence: OpenEvidence,
): ServiceFigures {
  const { passports, keys, accounts, domains } = caches;
  const log = evidence.pending();
  return {
    journal: journal.figures(),
    caches: {
      passports: passports.counts,
      keys: keys.counts,
      accounts: accounts.counts,
      domains: domains.counts,
    },
    ...(log !== undefined && { log }),
    storageUp: isStorageUp(),
  };
}

/** Encrypts all secrets again: a service without signing keys may have secrets of webhooks all the same. */
async function resealAll(
  { identity }: IdentityServiceOptions,
  signing: Signing,
  webhooks: OpenWebhooks,
): ReturnType<Signing['reseal']> {
  const hasKeys = identity !== undefined && identity.signer === undefined;
  const { resealed } = hasKeys || !webhooks.isOn ? await signing.reseal() : { resealed: 0 };
  return { resealed: resealed + (await webhooks.reseal()) };
}

/** Returns what the storage promises; rejects if something does not work that a node needs. */
async function healthOf(
  context: Context,
  parts: readonly (() => Promise<unknown>)[],
): Promise<StorageHealth> {
  const [health] = await Promise.all([
    context.store.check(),
    context.secretWatch.assertShared(),
    context.clockWatch.assertRight(),
    ...parts.map((ready) => ready()),
  ]);
  return health;
}
