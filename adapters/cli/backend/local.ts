import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '../../../src/index.ts';
import { nodeDomainProver, nodeWebhookTransport } from '../../domain-check/index.ts';
import { readSealing, type SecretOptions } from '../input/secrets.ts';
import { openStorage, type StoragePlace } from '../input/storage-url.ts';
import { finishErasures } from './finish-erasures.ts';
import { chosenAccountId } from './named-account.ts';
import { allowsLocalhost, storedIdentity } from './stored-identity.ts';
import { verbLog } from './verb-log.ts';
import type { Backend, BackendOptions, Verifier } from './verbs.ts';

/** The account that acts, and the secrets for commands that sign. */
type LocalOptions = Pick<BackendOptions, 'account' | 'publicUrl'> & SecretOptions;

/** Opens the storage with a service in this process, which acts as one account. */
export async function openLocalBackend(
  place: StoragePlace,
  options: LocalOptions,
  purpose: 'manage' | 'webhooks',
): Promise<Backend> {
  const special =
    purpose === 'webhooks' ? await withWebhooks(place, options) : await signingIdentity(place, options);
  const service = await openService(place, special);
  return closedOnFailure(service, async () => {
    const actor = { account_id: await chosenAccountId(service, options.account), operator: true };
    return {
      ...service.as(actor),
      importPassports: (list) => service.passports.createAll(list, actor),
      importsAtOnce: IMPORTED_IN_ONE_WRITE,
      finishErasures: () => finishErasures(service),
      logTile: service.logs.tile,
      close: () => service.close(),
    };
  });
}

/** Opens the storage for its operator, who may ask about every passport in it, or about those of one account. */
export async function openLocalVerifier(
  place: StoragePlace,
  { account }: Pick<LocalOptions, 'account'>,
): Promise<Verifier> {
  const service = await openService(place, {});
  return closedOnFailure(service, async () => {
    const account_id = account === undefined ? undefined : await chosenAccountId(service, account);
    const actor = { ...(account_id !== undefined && { account_id }), operator: true };
    return {
      verify: (intent, options) => service.verify(intent, { ...options, ...actor }),
      close: () => service.close(),
    };
  });
}

async function openService(
  place: StoragePlace,
  special: Partial<IdentityServiceOptions>,
): Promise<IdentityService> {
  const log = verbLog();
  const storage = await openStorage(place, { mustExist: true });
  const domainProver = nodeDomainProver();
  return createIdentityService({
    ...{ storage, identity: storedIdentity(), domainProver, allowLocalhost: allowsLocalhost() },
    ...special,
    ...log,
  });
}

async function closedOnFailure<Opened>(
  service: IdentityService,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Returns the option of the service that holds its signing keys, for a command that signs. */
async function signingIdentity(
  place: StoragePlace,
  { publicUrl, ...files }: LocalOptions,
): Promise<Pick<IdentityServiceOptions, 'identity'>> {
  if (publicUrl === undefined) return {};
  return { identity: { ...(await readSealing(place, files, 'the signing keys are')), publicUrl } };
}

/** Returns the options of the service with which `serve` seals the secrets of webhooks. Only `serve` sends events. */
async function withWebhooks(
  place: StoragePlace,
  files: SecretOptions,
): Promise<Pick<IdentityServiceOptions, 'identity' | 'webhooks'>> {
  return {
    identity: await readSealing(place, files, 'the secrets of webhooks are'),
    webhooks: { transport: nodeWebhookTransport(), sends: false },
  };
}

/** One write of this many passports takes a fraction of a second. */
const IMPORTED_IN_ONE_WRITE = 512;
