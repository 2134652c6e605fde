import { everyCapability } from '../../../src/capabilities.ts';
import type { AdminClient } from '../../../src/client.ts';
import type { HostEvidenceRooms } from '../../../src/evidence/index.ts';
import type { IdentityOptions } from '../../../src/identity/index.ts';
import {
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '../../../src/index.ts';
import type { Actor, Capability, ServiceWith } from '../../../src/types.ts';
import { nodeDomainProver, nodeWebhookTransport } from '../../node/index.ts';
import { readSealing, type SecretOptions } from '../input/secrets.ts';
import { COMMAND_DEADLINE_MS, openStorage, type StoragePlace } from '../input/storage-url.ts';
import type { Backend, BackendOptions, Verifier, WebhookBackend } from './methods.ts';
import { chosenAccountId } from './named-account.ts';
import { allowsLocalhost, commandLog, NO_SIGNER, storedUrl } from './operator.ts';

type LocalOptions = Pick<BackendOptions, 'account' | 'publicUrl'> & SecretOptions;

export async function openLocalBackend(place: StoragePlace, options: LocalOptions): Promise<Backend> {
  const identity = await signingIdentity(place, options);
  const capabilities = everyCapability({ identity, evidence: { begins: false } });
  const service = await openService(place, { capabilities });
  return closedOnFailure(service, async () => {
    const actor = { account_id: await chosenAccountId(service, options.account), operator: true };
    return { ...service.as(actor), ...ownCommands(service, actor) };
  });
}

/** Opens the storage like `openLocalBackend`, with webhooks. Events are not sent, because only `serve` sends them. */
export async function openLocalWebhooks(place: StoragePlace, options: LocalOptions): Promise<WebhookBackend> {
  const identity = await readSealing(place, options, 'the secrets of webhooks are');
  const capabilities = everyCapability({
    identity,
    webhooks: { transport: nodeWebhookTransport(), sends: false },
    evidence: { begins: false },
  });
  const service = await openService(place, { capabilities });
  return closedOnFailure(service, async () => {
    const actor = { account_id: await chosenAccountId(service, options.account), operator: true };
    return { ...service.as(actor), ...ownCommands(service, actor) };
  });
}

function ownCommands(
  service: Pick<IdentityService & HostEvidenceRooms, 'passports' | 'erasures' | 'logs' | 'close'>,
  actor: Actor,
): Omit<Backend, keyof AdminClient> {
  return {
    importPassports: (list) => service.passports.createAll(list, actor),
    importsAtOnce: IMPORTED_IN_ONE_WRITE,
    finishErasures: () => finishErasures(service),
    logTile: service.logs.tile,
    close: () => service.close(),
  };
}

/**
 * Opens the storage for its operator, who gets verdicts for every passport. With `account`, the operator gets verdicts
 * only for passports of this account.
 */
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

async function openService<const Listed extends readonly Capability[] = readonly []>(
  place: StoragePlace,
  special: Partial<IdentityServiceOptions<Listed>>,
): Promise<ServiceWith<Listed>> {
  const log = commandLog();
  const storage = await openStorage(place, { mustExist: true });
  return createIdentityService<Listed>({
    storage,
    proofAudiences: [storedUrl()],
    // A service without capabilities gives verdicts and proves no domain.
    ...(special.capabilities !== undefined && { domainProver: nodeDomainProver() }),
    allowLocalhost: allowsLocalhost(),
    storageDeadlineMs: COMMAND_DEADLINE_MS,
    ...special,
    ...log,
  });
}

async function closedOnFailure<Opened>(
  service: Pick<IdentityService, 'close'>,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    await service.close();
    throw error;
  }
}

async function signingIdentity(
  place: StoragePlace,
  { publicUrl, ...files }: LocalOptions,
): Promise<IdentityOptions> {
  if (publicUrl === undefined) return { signer: NO_SIGNER, publicUrl: storedUrl() };
  return { ...(await readSealing(place, files, 'the signing keys are')), publicUrl };
}

/** The number of passports in one write. Such a write takes a fraction of a second. */
const IMPORTED_IN_ONE_WRITE = 512;

const EVERY_MS = 1_000;

export async function finishErasures({ erasures }: Pick<IdentityService, 'erasures'>): Promise<void> {
  let saidAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  await erasures.run({
    onProgress({ removed, state }) {
      if (state === 'waiting' && !isWaiting) {
        process.stderr.write('Waits some seconds for requests that are still under way.\n');
      }
      isWaiting = state === 'waiting';
      if (state !== 'removing' || performance.now() - saidAt < EVERY_MS) return;
      saidAt = performance.now();
      process.stderr.write(`${removed} records are removed so far.\n`);
    },
  });
}
