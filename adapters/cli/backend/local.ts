import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '../../../src/index.ts';
import { nodeDomainProver, nodeWebhookTransport } from '../../domain-check/index.ts';
import { readSecrets, type SecretOptions } from '../input/secrets.ts';
import { openStorage, type StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { finishErasures } from './finish-erasures.ts';
import { findAccount } from './operator.ts';
import { allowsLocalhost, storedIdentity } from './stored-identity.ts';
import { verbLog } from './verb-log.ts';
import type { Backend, BackendOptions, Purpose } from './verbs.ts';

/** Who acts, and the secrets for verbs that sign. */
type LocalOptions = Pick<BackendOptions, 'account' | 'publicUrl'> & SecretOptions;

/** A service over the storage, in this process, that acts as one account. */
export async function openLocalBackend(
  place: StoragePlace,
  options: LocalOptions,
  purpose: Purpose,
): Promise<Backend> {
  const { account } = options;
  const log = verbLog();
  const special =
    purpose === 'webhooks' ? await withWebhooks(place, options) : await signingIdentity(place, options);
  const storage = await openStorage(place, { mustExist: true });
  const domainProver = nodeDomainProver();
  const service = createIdentityService({
    ...{ storage, identity: storedIdentity(), domainProver, allowLocalhost: allowsLocalhost() },
    ...special,
    ...log,
  });
  try {
    return localBackend(service, await chooseActor(service, account, purpose));
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The option of the service with which `serve` signs, for a verb that signs. */
async function signingIdentity(
  place: StoragePlace,
  { publicUrl, ...files }: LocalOptions,
): Promise<Pick<IdentityServiceOptions, 'identity'>> {
  if (publicUrl === undefined) return {};
  return { identity: { ...(await readSealing(place, files, 'the signing keys are')), publicUrl } };
}

/** The options of the service with which `serve` seals the secrets of webhooks. Only `serve` sends events. */
async function withWebhooks(
  place: StoragePlace,
  files: SecretOptions,
): Promise<Pick<IdentityServiceOptions, 'identity' | 'webhooks'>> {
  return {
    identity: await readSealing(place, files, 'the secrets of webhooks are'),
    webhooks: { transport: nodeWebhookTransport(), sends: false },
  };
}

/** The secrets of `identity`, or a usage error that says what is encrypted with them. */
async function readSealing(place: StoragePlace, files: SecretOptions, what: string) {
  const { secret, previousSecret, previousSecrets } = await readSecrets(place, files);
  if (secret === undefined) {
    throw usageError(`Set AGENT_IDENTITY_SECRET or --secret-file: ${what} encrypted with it.`);
  }
  const before = previousSecret === undefined ? [] : [previousSecret];
  return { secret, previousSecrets: [...before, ...previousSecrets] };
}

/** One write of this many passports takes a fraction of a second. */
const IMPORTED_IN_ONE_WRITE = 512;

type Actor = { readonly account_id?: string; readonly operator: true };

function localBackend(service: IdentityService, actor: Actor): Backend {
  const { approvals, keys, passports, domains, spends, webhooks } = service;
  return {
    createKey: (input) => keys.create(input, actor),
    listKeys: (page) => keys.list(page, actor),
    updateKey: (id, patch) => keys.update(id, patch, actor),
    rotateKey: (id, rotation) => keys.rotate(id, rotation, actor),
    revokeKey: (id) => keys.revoke(id, actor),
    createPassport: (input) => passports.create(input, actor),
    importPassports: (list) => passports.createAll(list, actor),
    importsAtOnce: IMPORTED_IN_ONE_WRITE,
    listPassports: (query) => passports.list(query, actor),
    getPassport: (agentId) => passports.get(agentId, actor),
    listPassportVersions: (agentId, page) => passports.versions(agentId, page, actor),
    signPassport: (agentId, input) => passports.sign(agentId, input, actor),
    effectivePassport: (agentId) => passports.effective(agentId, actor),
    listBudgets: (agentId, query) => passports.budgets(agentId, query, actor),
    getSpend: (id) => spends.get(id, actor),
    settleSpend: (verb, id, input, key) =>
      spends[verb](id, input, { ...actor, ...(key !== undefined && { idempotencyKey: key }) }),
    listApprovals: (query) => approvals.list(query, actor),
    getApproval: (id) => approvals.get(id, actor),
    decideApproval: (verb, id, decision) => approvals[verb](id, decision, actor),
    updatePassport: (agentId, patch, condition) =>
      passports.update(agentId, patch, { ...actor, ...condition }),
    async purgePassport(agentId) {
      await passports.purge(agentId, actor);
      await finishErasures(service);
    },
    claimDomain: (name) => domains.claim(name, actor),
    checkDomain: (name) => domains.check(name, actor),
    listDomains: (page) => domains.list(page, actor),
    releaseDomain: (name) => domains.release(name, actor),
    listVerifications: (query) => service.verifications.list(query, actor),
    exportVerifications: (filter) => service.verifications.csv(filter, actor),
    analytics: (query) => service.analytics(query, actor),
    revoke: (input) => service.revoke(input, actor),
    suspend: (input) => service.suspend(input, actor),
    reinstate: (input) => service.reinstate(input, actor),
    verify: (intent, key) =>
      service.verify(intent, { ...actor, ...(key !== undefined && { idempotencyKey: key }) }),
    async *events(query, signal) {
      yield* await service.events.open(query, { ...actor, signal });
    },
    webhooks: {
      create: (input) => webhooks.create(input, actor),
      list: (page) => webhooks.list(page, actor),
      get: (id) => webhooks.get(id, actor),
      update: (id, patch) => webhooks.update(id, patch, actor),
      remove: (id) => webhooks.remove(id, actor),
      rotate: (id, rotation) => webhooks.rotate(id, rotation, actor),
      test: (id) => webhooks.test(id, actor),
      deliveries: (id, page) => webhooks.deliveries(id, page, actor),
      redeliver: (id, delivery) => webhooks.redeliver(id, delivery, actor),
    },
    close: () => service.close(),
  };
}

async function chooseActor(
  service: IdentityService,
  email: string | undefined,
  purpose: Purpose,
): Promise<Actor> {
  if (email !== undefined) return { account_id: await namedAccount(service, email), operator: true };
  // The operator of the storage may ask about every passport in it.
  if (purpose === 'verify') return { operator: true };
  const { data } = await service.accounts.list({ limit: 2 });
  const [only] = data;
  if (only === undefined) {
    throw usageError('The storage has no account yet. Make one with: agent-identity account create');
  }
  if (data.length > 1) throw usageError('The storage has several accounts. Name one with --account <email>.');
  return { account_id: only.id, operator: true };
}

async function namedAccount(service: IdentityService, email: string): Promise<string> {
  const found = await findAccount(service, email);
  if (found !== undefined) return found.id;
  throw usageError(`There is no account ${email}. See them with: agent-identity account list`);
}
