import {
  type Account,
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
} from '../../../src/index.ts';
import { nodeWebhookTransport } from '../../domain-check/index.ts';
import { openStorage, readStorageUrl, type StoragePlace } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { allowsLocalhost } from './stored-identity.ts';
import { verbLog } from './verb-log.ts';

/** The options of a verb for the operator of the storage. */
export interface OperatorOptions {
  readonly storage: string;
  readonly json?: boolean;
}

/** How the storage is opened. */
export interface StoredServiceOptions {
  readonly mustExist?: boolean;
  /** The option `identity` of the service, for verbs that need the secret. */
  readonly identityOf?: (place: StoragePlace) => Promise<IdentityServiceOptions['identity']>;
}

/** What `use` gives back of the service over a storage that stays, in this process; it is closed afterwards. */
export async function withStoredService<Result>(
  { storage }: OperatorOptions,
  use: (service: IdentityService) => Promise<Result>,
  { mustExist = true, identityOf }: StoredServiceOptions = {},
): Promise<Result> {
  const place = readStorageUrl(storage);
  if (place.kind === 'memory')
    throw usageError('memory: would be lost when this command ends. Use sqlite:<file>');
  const log = verbLog();
  const identity = await identityOf?.(place);
  const service = createIdentityService({
    storage: await openStorage(place, { mustExist }),
    allowLocalhost: allowsLocalhost(),
    ...(identity !== undefined && {
      identity,
      webhooks: { transport: nodeWebhookTransport(), sends: false },
    }),
    ...log,
  });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** The account of this e-mail, in any case of letters. */
export async function findAccount(service: IdentityService, email: string): Promise<Account | undefined> {
  const spelled = email.normalize('NFC').toLowerCase().normalize('NFC');
  let cursor: string | null = null;
  do {
    const page = await service.accounts.list({ limit: 100, ...(cursor !== null && { cursor }) });
    const found = page.data.find((account) => account.email === spelled);
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return undefined;
}
