import { createIdentityService, type IdentityService } from '../../../src/index.ts';
import { webhooks } from '../../../src/webhooks/index.ts';
import { nodeWebhookTransport } from '../../domain-check/index.ts';
import { readSealing, type SecretOptions } from '../input/secrets.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { allowsLocalhost, storedIdentity } from './stored-identity.ts';
import { verbLog } from './verb-log.ts';

/** The options of a command for the operator of the storage. */
export interface OperatorOptions extends SecretOptions {
  readonly storage: string;
  readonly json?: boolean;
}

/** The options of `withStoredService`. */
export interface StoredServiceOptions {
  /** `false` makes a database that does not exist; default `true`. */
  readonly mustExist?: boolean;
  /** `true` for commands that need the secret of `serve`, because keys are encrypted with it. */
  readonly isSealing?: boolean;
}

/** Returns the result of `use` with a service over the storage, which is closed afterwards; `memory:` is refused. */
export async function withStoredService<Result>(
  { storage, ...files }: OperatorOptions,
  use: (service: IdentityService) => Promise<Result>,
  { mustExist = true, isSealing = false }: StoredServiceOptions = {},
): Promise<Result> {
  const place = readStorageUrl(storage);
  if (place.kind === 'memory')
    throw usageError('memory: would be lost when this command ends. Use sqlite:<file>');
  const log = verbLog();
  const identity = isSealing ? await readSealing(place, files, 'the keys are') : undefined;
  const service = createIdentityService({
    storage: await openStorage(place, { mustExist }),
    allowLocalhost: allowsLocalhost(),
    ...(identity !== undefined && {
      identity: { ...identity, ...publicUrlOf() },
      capabilities: [webhooks({ transport: nodeWebhookTransport(), sends: false })],
    }),
    ...log,
  });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

/** Returns the public URL, by which proofs and logs name the service. */
function publicUrlOf(): { readonly publicUrl?: string } {
  const { publicUrl } = storedIdentity();
  return publicUrl === undefined ? {} : { publicUrl };
}
