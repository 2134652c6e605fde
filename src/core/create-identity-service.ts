import type { ServiceFigures } from '../ports/metrics.ts';
import type { StorageHealth } from '../ports/storage.ts';
import { defaultRules } from '../verdict/index.ts';
import { createAccounts } from './accounts/accounts.ts';
import { openApprovals } from './approvals/approvals.ts';
import type { Capability, Core } from './capabilities/capability.ts';
import { type OpenCapabilities, openCapabilities } from './capabilities/open-capabilities.ts';
import { type OpenOffers, openCore } from './capabilities/open-core.ts';
import { servedTables } from './core-operations.ts';
import { createErasures } from './erasure/erasures.ts';
import type { IdentityService, IdentityServiceOptions, ServiceWith, Serving } from './identity-service.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { startRetention } from './journal/merge/retention.ts';
import { createKeyUse } from './keys/authenticate-key.ts';
import { createAuthenticateManagementKey } from './keys/authenticate-management-key.ts';
import { createKeys } from './keys/keys.ts';
import { createAs, openAccountRooms } from './open-account-rooms.ts';
import type { CoreOptions } from './options.ts';
import { openOutcomes } from './outcomes/outcomes.ts';
import { NO_SLOTS } from './passports/status-slots.ts';
import { checkOptions } from './setup/checked-options.ts';
import { observedRules } from './setup/observed-rules.ts';
import { assertChecked, checkedJournal, checkedRules, openContext } from './setup/open-context.ts';
import type { Context } from './shared/context.ts';
import { createHooks } from './shared/hooks.ts';
import { createIdempotency } from './shared/idempotency.ts';
import { LOG_NOT_APPENDED } from './shared/log-state.ts';
import { sealingSecrets } from './shared/sealing-secrets.ts';
import { createSpending } from './spending/spending.ts';
import { createPublicPlaces } from './storage/public-reads.ts';
import { isActiveAt } from './verification/ancestries.ts';
import type { VerifyParts } from './verification/filed.ts';
import { createProofCheck } from './verification/proof-check.ts';
import { type CallCounts, createCallCounts } from './verification/rates.ts';
import { createReplays } from './verification/replays.ts';
import { refusePermit, type TakingParts, type ToTake, takeAll } from './verification/takings.ts';
import { createVerify, createVerifyAs } from './verification/verify.ts';

/**
 * Creates an identity service over `options.storage`.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
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
  const checkedOptions = checkOptions(options);
  const { context, close: closeContext } = openContext(checkedOptions);
  const parts = openParts(context, options);
  const { erasures, hooks, journal, keys, rates, rules, spending, use } = parts;
  const offers: OpenOffers = {
    callers: keys.callers,
    countVerifications: rates.counts.countVerifications,
    decidedElsewhere: rates.decidedElsewhere,
    publicPlaces: createPublicPlaces(),
    revokeKey: keys.revoke,
    wakeErasures: erasures.wake,
  };
  const { core, closeShared } = openCore(context, {
    rules,
    journal,
    ask: askOf(options),
    sealingSecrets: sealingSecrets(checkedOptions),
    isSecretLost: options.session?.secretLost === true,
    offers,
  });
  const capabilities = openCapabilities(core, checkedOptions.capabilities, offers);
  assertChecked(options, capabilities.names);
  if (!capabilities.names.has('evidence')) context.logState.onTurnedOn(() => context.log(LOG_NOT_APPENDED));
  const evaluating = { rules, spending, checkProof: createProofCheck(context.proofTerms) };
  const unwatch = context.metrics?.watch(() => figuresOf(context, journal, capabilities));
  const retention = startRetention(context);
  const approvals = openApprovals(context, hooks);
  const { outcomes, reportsFor } = openOutcomes(context, journal);
  const take = takingPermits(offers, { spending, seal: context.seal, ...approvals.parts });
  const { verifySince, modules, ...verifying } = createVerify(context, {
    ...evaluating,
    journal,
    hooks,
    reportsFor,
    isThere: spending.isThere,
    replays: createReplays(context),
    take,
  });
  offers.issuing = { ...modules, take, hooks };
  const close = closing([
    capabilities.stop,
    ...[retention, context.caches].map((part) => () => part.stop()),
    () => Promise.all([spending.expiries.stop(), approvals.stop(), erasures.stop()]),
    closeShared,
    ...[journal, capabilities].map((part) => () => part.close()),
    () => Promise.all([rates.close(), use.close()]),
    () => unwatch?.(),
    closeContext,
  ]);
  const { rooms, roomsFor } = openAccountRooms(context, {
    ...evaluating,
    approvals,
    capabilities,
    claimDomain: offers.claimDomain,
    idempotency: parts.idempotency,
    journal,
    keys,
    slots: offers.statusSlots ?? NO_SLOTS,
  });

  const service: IdentityService = {
    ...rooms,
    ...capabilities.hostRooms,
    ...verifying,
    isActive: async (agent_id) =>
      isActiveAt(await modules.ancestries.find(agent_id, context.caches.monotonic()), context.clock.now()),
    as: createAs(context, { capabilities, roomsFor }),
    accounts: createAccounts(context, erasures),
    verifyAs: createVerifyAs({ monotonic: context.caches.monotonic, callers: keys.callers, verifySince }),
    outcomes,
    erasures: { run: erasures.run },
    reseal: capabilities.reseal,
    serving: servingOf(context, { calls: callsOf(context, parts), capabilities, offers }),
    health: () => healthOf(context, capabilities),
    close,
    [Symbol.asyncDispose]: close,
  }; // The rooms of the list were added by name, which the compiler cannot follow.
  return service as unknown as ServiceWith<Listed>;
}

/** Opens the parts that need no capability. */
function openParts(context: Context, options: CoreOptions) {
  const idempotency = createIdempotency(context);
  const use = createKeyUse(context);
  const hooks = createHooks(context, options);
  return {
    idempotency,
    use,
    hooks,
    rates: createCallCounts(context),
    erasures: createErasures(context),
    keys: createKeys(context, { idempotency, use }),
    rules: observedRules(checkedRules(options.rules), hooks.failRule),
    journal: createJournal(context, checkedJournal(options.journal ?? 'batched', options.storage)),
    spending: createSpending(context),
  };
}

function callsOf(context: Context, { keys, use, rates }: ReturnType<typeof openParts>) {
  return {
    ...rates.counts,
    authenticateKey: keys.authenticate,
    authenticateManagement: createAuthenticateManagementKey(context, use),
  };
}

function closing(steps: readonly (() => unknown)[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await step();
  };
}

function takingPermits(
  { takePermitted = refusePermit }: OpenOffers,
  parts: TakingParts,
): VerifyParts['take'] {
  const take = (toTake: ToTake) => takeAll(parts, toTake);
  return (toTake) => (toTake.intent.permit === undefined ? take(toTake) : takePermitted(take, toTake));
}

function askOf({ consistency, journal, rules = defaultRules }: CoreOptions): Core['ask'] {
  if (consistency === 'strict' || journal === 'strict') return 'strict';
  return rules === defaultRules ? null : 'rules';
}

function servingOf(
  context: Pick<Context, 'claimsDomains' | 'metrics' | 'session' | 'registration' | 'log' | 'deadlineMs'>,
  parts: {
    readonly calls: CallCounts & Pick<Serving, 'authenticateKey' | 'authenticateManagement'>;
    readonly capabilities: OpenCapabilities;
    readonly offers: OpenOffers;
  },
): Serving {
  const { claimsDomains, metrics, session, registration, log, deadlineMs } = context;
  const { calls, capabilities, offers } = parts;
  const has = { domains: claimsDomains, signs: offers.tokens !== undefined };
  return {
    ...calls,
    tables: servedTables(capabilities.tables, has),
    limits: capabilities.limits,
    authenticateHost: offers.authenticateHost,
    authzen: offers.authzen,
    logins: session !== undefined && capabilities.names.has('people'),
    registration,
    oidcLabel: offers.oidcLabel,
    metrics,
    log,
    deadlineMs,
  };
}

function figuresOf(
  { caches, isStorageUp }: Pick<Context, 'caches' | 'isStorageUp'>,
  journal: Journal,
  capabilities: OpenCapabilities,
): ServiceFigures {
  const { passports, keys, accounts, domains } = caches;
  return {
    journal: journal.figures(),
    caches: {
      passports: passports.counts,
      keys: keys.counts,
      accounts: accounts.counts,
      domains: domains.counts,
    },
    ...capabilities.figures(),
    storageUp: isStorageUp(),
  };
}

async function healthOf(
  context: Pick<Context, 'store' | 'secretWatch' | 'clockWatch'>,
  capabilities: OpenCapabilities,
): Promise<StorageHealth> {
  const [health] = await Promise.all([
    context.store.check(),
    context.secretWatch.assertShared().then(context.clockWatch.assertRight),
    capabilities.ready(),
  ]);
  return health;
}
