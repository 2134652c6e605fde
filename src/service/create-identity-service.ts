import type { ServiceFigures } from '../ports/metrics.ts';
import type { StorageHealth } from '../ports/storage.ts';
import { defaultRules } from '../verdict/index.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createOwnAccount } from './accounts/own-account.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createThrottle } from './accounts/throttle.ts';
import { createAs } from './acting/as.ts';
import { openApprovals } from './approvals/approvals.ts';
import type { Capability, Offers } from './capabilities/capability.ts';
import { type OpenCapabilities, openCapabilities } from './capabilities/open-capabilities.ts';
import { openCore } from './capabilities/open-core.ts';
import { withRooms } from './capabilities/with-rooms.ts';
import { createDomains } from './domains/domains.ts';
import { createErasures } from './erasure/erasures.ts';
import { createEvents } from './events/events.ts';
import { type OpenEvidence, openEvidence } from './evidence/open-evidence.ts';
import { createHostAccounts } from './hosts/host-accounts.ts';
import type { IdentityService, IdentityServiceOptions, ServiceWith, Serving } from './identity-service.ts';
import { createAnalytics } from './insight/analytics.ts';
import { createAudit } from './insight/audit.ts';
import { createVerifications } from './insight/verifications.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { startRetention } from './journal/merge/retention.ts';
import { createKeyUse } from './keys/key-use.ts';
import { createKeys } from './keys/keys.ts';
import { createLinks, createMembers, type LinkParts, type Links } from './members/members.ts';
import { createOidc, type Oidc, oidcLabelOf } from './oidc/oidc.ts';
import type { CoreOptions } from './options.ts';
import { openOutcomes } from './outcomes/deed-reports.ts';
import { createPassports } from './passports/passports.ts';
import { createPublished } from './passports/published.ts';
import { createRevocation } from './passports/revocation.ts';
import { createAuthzen } from './setup/authzen.ts';
import { checkOptions } from './setup/checked-options.ts';
import { checkedJournal, checkedRules } from './setup/checked-values.ts';
import { observedRules } from './setup/observed-rules.ts';
import { openContext } from './setup/open-context.ts';
import type { Context } from './shared/context.ts';
import { createHooks } from './shared/hooks.ts';
import { createIdempotency } from './shared/idempotency.ts';
import { sealingSecrets } from './shared/sealing-secrets.ts';
import { createSigning, type OpenSigning, type Signing } from './signing/signing.ts';
import { createSpending } from './spending/spending.ts';
import { createSpends } from './spending/spends.ts';
import { createPublicPlaces, type PublicPlaces } from './storage/public-places.ts';
import { createSubjects } from './subjects/subjects.ts';
import { type CallCounts, createCallCounts } from './verification/call-counts.ts';
import { issueVerdicts } from './verification/issued.ts';
import { takingPermits } from './verification/permitted.ts';
import { createProofCheck } from './verification/proof-check.ts';
import { createReplays } from './verification/replays.ts';
import { type ToTake, takeAll } from './verification/takings.ts';
import { createVerify } from './verification/verify.ts';
import { createVerifyAs } from './verification/verify-as.ts';
import type { VerifyParts } from './verification/verify-parts.ts';
import { createVerifiers, type VerifierParts } from './verifiers/verifiers.ts';

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
export function createIdentityService<const Listed extends readonly Capability[] = readonly []>(
  options: IdentityServiceOptions<Listed>,
): ServiceWith<Listed> {
  const { context, close: closeContext } = openContext(checkOptions(options));
  const [throttle, idempotency] = [createThrottle(context), createIdempotency(context)];
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
  const [places, spending] = [createPublicPlaces(), createSpending(context)];
  const signing = createSigning(context, options, places);
  const offers = offersOf(signing, places, rates.counts);
  const core = openCore(context, { rules, journal, secrets: sealingSecrets(options), offers });
  const [retention, events] = [startRetention(context), core.use(createEvents)];
  const evidence = openEvidence(context, options.identity?.log === true, { journal, signing, places });
  const capabilities = openCapabilities(core, options.capabilities ?? []);
  const judging = { rules, spending, checkProof: createProofCheck(context.proofTerms) };
  const unwatch = context.metrics?.watch(() => figuresOf(context, journal, evidence));
  const [domains, approvals] = [createDomains(context), openApprovals(context, hooks)];
  const { outcomes, reportsFor } = openOutcomes(context, journal);
  const takingParts = { spending, ...approvals.parts };
  const parts = {
    ...{ ...judging, journal, hooks, reportsFor, isThere: spending.isThere, replays: createReplays(context) },
    take: takingPermits(context, signing.tokens, (toTake: ToTake) => takeAll(takingParts, toTake)),
  };
  const { verifySince, issue, verifying } = openVerify(context, parts);
  offers.issue = issue;
  const asked = { ...rates, journal, callers: keys.callers, ask: askOf(options) };
  const verifiers = createVerifiers(context, asked);
  async function close(): Promise<void> {
    verifiers.end();
    for (const part of [retention, context.caches, signing, domains]) part.stop();
    await Promise.all([spending.lapses.stop(), approvals.stop(), erasures.stop()]);
    await capabilities.stop();
    for (const part of [events, journal, evidence]) await part.close();
    await Promise.all([rates.close(), use.close()]);
    unwatch?.();
    await closeContext();
  }

  const management = withRooms(capabilities.rooms, {
    keys,
    passports: createPassports(context, {
      ...{ ...judging, idempotency, proofs: domains, tokens: signing.tokens, erasures },
      changeApprovals: approvals.changeApprovals,
    }),
    spends: createSpends(context, spending.lapses, idempotency),
    ...{ approvals: approvals.verbs, domains },
    ...{ members: createMembers(context, keys), ...createOwnAccount(context, { keys, throttle, erasures }) },
    ...createRevocation(context),
    ...{ analytics: createAnalytics(context, journal), audit: createAudit(context), ...evidence.rooms },
    verifications: { ...createVerifications(context, journal), receipt: evidence.receipt },
    ...{ events, subjects: createSubjects(context, journal) },
  });

  const service: IdentityService = {
    ...{ ...management, ...capabilities.hostRooms, ...verifying },
    as: createAs(context, management, { end: sessions.end, links: signIns, roomsFor: capabilities.roomsFor }),
    ...{ accounts, ...signIns, register: accounts.register },
    ...loginsOf(sessions),
    actorOf,
    verifyAs: createVerifyAs({ monotonic: context.caches.monotonic, callers: keys.callers, verifySince }),
    ...{ verifiers, outcomes, erasures: { run: erasures.run }, logs: evidence.logs },
    signing: { ...signing, reseal: () => resealAll(options, signing, capabilities) },
    published: createPublished(context, options.identity, { signing, places }),
    serving: servingOf(context, options, { ...calls, ...capabilities.serving }),
    health: () => healthOf(context, [signing.ready, evidence.ready]),
    ...{ close, [Symbol.asyncDispose]: close },
  };
  // The rooms of the list were added by name, which the compiler cannot follow.
  return service as unknown as ServiceWith<Listed>;
}

/** Opens the verdicts: those that are asked for, and those that give a token. */
function openVerify(context: Context, parts: VerifyParts) {
  const { verifySince, modules, ...verifying } = createVerify(context, parts);
  const issue = issueVerdicts(context, { ...modules, take: parts.take, hooks: parts.hooks });
  return { verifySince, issue, verifying: { ...verifying, isActive: issue.isActive } };
}

/** Makes the methods with which people sign in otherwise than with a password that they have. */
function openSignIns(
  context: Context,
  { oidc }: CoreOptions,
  { throttle, open }: LinkParts,
): Links & { readonly oidc: Oidc } {
  const links = createLinks(context, { throttle, open });
  const { readLink, acceptLink } = links;
  return { readLink, acceptLink, oidc: createOidc(context, oidc, { links, throttle, open }) };
}

/** Returns the functions for capabilities; one that is `undefined` here is offered later, or not at all. */
function offersOf(
  { signEd25519, tokens }: OpenSigning,
  publicPlaces: PublicPlaces,
  { countVerifications }: CallCounts,
): { -readonly [Name in keyof Offers]?: Offers[Name] } {
  return {
    ...(signEd25519 && { signEd25519 }),
    ...(tokens && { tokens }),
    publicPlaces,
    countVerifications,
  };
}

/** Returns the methods that open and end sessions. */
function loginsOf({ login, logout, authenticate }: Sessions) {
  return { login, logout, authenticateSession: authenticate };
}

/** Returns the reason why no verifier may decide for this service. */
function askOf({ consistency, journal, rules = defaultRules }: CoreOptions): VerifierParts['ask'] {
  if (consistency === 'strict' || journal === 'strict') return 'strict';
  return rules === defaultRules ? null : 'rules';
}

/** Returns the parts for bindings to HTTP. */
function servingOf(
  context: Context,
  { authzen, oidc }: CoreOptions,
  calls: CallCounts & Pick<Serving, 'authenticateKey' | 'authenticateHost' | 'tables' | 'limits'>,
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

/** Encrypts all secrets again: a service without signing keys may have secrets of capabilities all the same. */
async function resealAll(
  { identity }: CoreOptions,
  signing: Signing,
  { reseal }: OpenCapabilities,
): ReturnType<Signing['reseal']> {
  const hasKeys = identity !== undefined && identity.signer === undefined;
  const { resealed } = hasKeys || reseal === undefined ? await signing.reseal() : { resealed: 0 };
  return { resealed: resealed + ((await reseal?.()) ?? 0) };
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
