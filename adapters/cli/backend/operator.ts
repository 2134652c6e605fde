import { everyCapability } from '../../../src/capabilities.ts';
import type { HostDomainRooms } from '../../../src/domains/index.ts';
import type { HostEvidenceRooms } from '../../../src/evidence/index.ts';
import type { HostIdentityRooms } from '../../../src/identity/index.ts';
import {
  createIdentityService,
  IdentityError,
  type IdentityService,
  type Logger,
} from '../../../src/index.ts';
import type { Signer } from '../../../src/ports/index.ts';
import { nodeWebhookTransport } from '../../node/index.ts';
import { readSealing, type SecretOptions } from '../input/secrets.ts';
import { COMMAND_DEADLINE_MS, openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { createLogger } from '../serve/logger.ts';

export interface OperatorOptions extends SecretOptions {
  readonly storage: string;
  readonly json?: boolean;
}

export interface StoredServiceOptions {
  /** `false` to create the database if it does not exist; default `true`. */
  readonly mustExist?: boolean;
  /** `true` for commands that need the secret with which `serve` encrypts its keys. */
  readonly isSealing?: boolean;
}

export type StoredService = IdentityService & HostDomainRooms & HostEvidenceRooms & HostIdentityRooms;

export async function withStoredService<Result>(
  { storage, ...files }: OperatorOptions,
  use: (service: StoredService) => Promise<Result>,
  { mustExist = true, isSealing = false }: StoredServiceOptions = {},
): Promise<Result> {
  const place = readStorageUrl(storage);
  if (place.kind === 'memory')
    throw usageError('memory: would be lost when this command ends. Use sqlite:<file>');
  const log = commandLog();
  const sealing = isSealing ? await readSealing(place, files, 'the keys are') : undefined;
  const service = createIdentityService({
    storage: await openStorage(place, { mustExist }),
    storageDeadlineMs: COMMAND_DEADLINE_MS,
    allowLocalhost: allowsLocalhost(),
    capabilities: everyCapability({
      evidence: { begins: false },
      identity: sealing === undefined ? { signer: NO_SIGNER } : { ...sealing, publicUrl: storedUrl() },
      // The secrets of webhooks are encrypted as well.
      webhooks: sealing && { transport: nodeWebhookTransport(), sends: false },
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

export function allowsLocalhost(): boolean {
  return process.env['AGENT_IDENTITY_ALLOW_LOCALHOST'] === '1';
}

/**
 * Returns the public URL for a command with direct storage access. It comes from the variables
 * `AGENT_IDENTITY_PUBLIC_URL` and `PORT`, as in `serve`, because proofs of possession name this URL.
 */
export function storedUrl(): string {
  const { AGENT_IDENTITY_PUBLIC_URL: publicUrl, PORT: port = '3000' } = process.env;
  return publicUrl ?? `http://localhost:${port}/api`;
}

/** A signer for a service that signs nothing, which thus needs no secret and creates no signing key. */
export const NO_SIGNER: Signer = {
  keys: async () => [],
  sign: async () => {
    throw new IdentityError('not_found', 'This command signs nothing.');
  },
};

/**
 * Returns the option `log` for a command with direct storage access. If `AGENT_IDENTITY_LOG` names a format, the
 * command logs changes as `serve` does. Otherwise it logs nothing.
 */
export function commandLog(): { readonly log?: Logger } {
  const format = process.env['AGENT_IDENTITY_LOG'];
  if (format === undefined) return {};
  if (format === 'text' || format === 'json') return { log: createLogger(format) };
  throw usageError('AGENT_IDENTITY_LOG must be text or json.');
}
