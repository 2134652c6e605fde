import { everyCapability } from '../../../src/capabilities.ts';
import type { HostEvidenceRooms } from '../../../src/evidence/index.ts';
import {
  createIdentityService,
  IdentityError,
  type IdentityService,
  type IdentityServiceOptions,
  type Logger,
} from '../../../src/index.ts';
import { nodeWebhookTransport } from '../../node/index.ts';
import { readSealing, type SecretOptions } from '../input/secrets.ts';
import { COMMAND_DEADLINE_MS, openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { createLogger } from '../serve/logger.ts';

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

/** The service of commands for the operator. */
export type StoredService = IdentityService & HostEvidenceRooms;

/** Returns the result of `use` with a service over the storage, which is closed afterwards; `memory:` is refused. */
export async function withStoredService<Result>(
  { storage, ...files }: OperatorOptions,
  use: (service: StoredService) => Promise<Result>,
  { mustExist = true, isSealing = false }: StoredServiceOptions = {},
): Promise<Result> {
  const place = readStorageUrl(storage);
  if (place.kind === 'memory')
    throw usageError('memory: would be lost when this command ends. Use sqlite:<file>');
  const log = verbLog();
  const identity = isSealing ? await readSealing(place, files, 'the keys are') : undefined;
  const service = createIdentityService({
    storage: await openStorage(place, { mustExist }),
    storageDeadlineMs: COMMAND_DEADLINE_MS,
    allowLocalhost: allowsLocalhost(),
    ...(identity !== undefined && { identity: { ...identity, ...publicUrlOf() } }),
    capabilities: everyCapability({
      evidence: { begins: false },
      // The secrets of webhooks are encrypted as well.
      webhooks: identity && { transport: nodeWebhookTransport(), sends: false },
    }),
    ...log,
  });
  try {
    // The list has the evidence log, whose type depends on the other options.
    return await use(service as unknown as StoredService);
  } finally {
    await service.close();
  }
}

function publicUrlOf(): { readonly publicUrl?: string } {
  const { publicUrl } = storedIdentity();
  return publicUrl === undefined ? {} : { publicUrl };
}

/**
 * Returns `true` when the environment lets a command on the storage accept localhost as a domain, with the same variable
 * as `serve`.
 */
export function allowsLocalhost(): boolean {
  return process.env['AGENT_IDENTITY_ALLOW_LOCALHOST'] === '1';
}

/**
 * Returns the option `identity` of a command on the storage: proofs of possession name the service as they do for `serve`
 * with the same variables. Nothing is signed, so no secret is needed.
 */
export function storedIdentity(): NonNullable<IdentityServiceOptions['identity']> {
  const { AGENT_IDENTITY_PUBLIC_URL: publicUrl, PORT: port = '3000' } = process.env;
  return {
    publicUrl: publicUrl ?? `http://localhost:${port}/api`,
    signer: {
      keys: async () => [],
      sign: async () => {
        throw new IdentityError('not_found', 'This command signs nothing.');
      },
    },
  };
}

/**
 * Returns the log of a command that works on a storage: it logs changes as `serve` does when `AGENT_IDENTITY_LOG` names a
 * format, otherwise nothing.
 */
export function verbLog(): { readonly log?: Logger } {
  const format = process.env['AGENT_IDENTITY_LOG'];
  if (format === undefined) return {};
  if (format === 'text' || format === 'json') return { log: createLogger(format) };
  throw usageError('AGENT_IDENTITY_LOG must be text or json.');
}
