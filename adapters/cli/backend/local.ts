import { createIdentityService, type IdentityService } from '../../../src/index.ts';
import { openStorage, type StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { findAccount } from './operator.ts';
import { verbLog } from './verb-log.ts';
import type { Backend, Purpose } from './verbs.ts';

/** A service over the storage, in this process, that acts as one account. */
export async function openLocalBackend(
  place: StoragePlace,
  { account }: { readonly account?: string },
  purpose: Purpose,
): Promise<Backend> {
  const log = verbLog();
  const service = createIdentityService({ storage: await openStorage(place, { mustExist: true }), ...log });
  try {
    return localBackend(service, await chooseActor(service, account, purpose));
  } catch (error) {
    await service.close();
    throw error;
  }
}

type Actor = { readonly account_id?: string; readonly operator: true };

function localBackend(service: IdentityService, actor: Actor): Backend {
  const { keys, passports } = service;
  return {
    createKey: (input) => keys.create(input, actor),
    listKeys: (page) => keys.list(page, actor),
    updateKey: (id, patch) => keys.update(id, patch, actor),
    rotateKey: (id, rotation) => keys.rotate(id, rotation, actor),
    revokeKey: (id) => keys.revoke(id, actor),
    createPassport: (input) => passports.create(input, actor),
    listPassports: (query) => passports.list(query, actor),
    getPassport: (agentId) => passports.get(agentId, actor),
    listPassportVersions: (agentId, page) => passports.versions(agentId, page, actor),
    updatePassport: (agentId, patch, condition) => passports.update(agentId, patch, actor, condition),
    listVerifications: (query) => service.verifications.list(query, actor),
    exportVerifications: (filter) => service.verifications.csv(filter, actor),
    analytics: (query) => service.analytics(query, actor),
    revoke: (input) => service.revoke(input, actor),
    suspend: (input) => service.suspend(input, actor),
    reinstate: (input) => service.reinstate(input, actor),
    verify: (intent) => service.verify(intent, actor),
    close: () => service.close(),
  };
}

async function chooseActor(
  service: IdentityService,
  email: string | undefined,
  purpose: Purpose,
): Promise<Actor> {
  if (email !== undefined) return { account_id: await namedAccount(service, email), operator: true };
  // Whoever holds the storage may ask about every passport in it.
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
