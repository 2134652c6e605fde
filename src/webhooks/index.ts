/** Webhooks: sends events of accounts to URLs that the accounts choose. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { openWebhooks } from './open-webhooks.ts';
import { webhookOperations } from './operations.ts';
import type { WebhookOptions, Webhooks } from './webhooks.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { WebhookInput, WebhookOptions, WebhookPatch, WebhookRotation, Webhooks } from './webhooks.ts';

/** The property that webhooks add to the service: in process, or for one account. */
export interface WebhookRooms<Options> {
  /** The webhooks to which the events of an account are sent. */
  readonly webhooks: Webhooks<Options>;
}

/** The capability that `webhooks` returns. */
export type WebhookCapability = Capability<WebhookRooms<Actor>, WebhookRooms<CallOptions>>;

const NAMES: OptionNames<WebhookOptions> = { transport: true, maxPerAccount: true, sends: true };

/**
 * Returns the capability that sends events to URLs. The service needs `session.secret` or `identity.secret`, which
 * encrypts the secrets of webhooks in the storage.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { nodeWebhookTransport } from 'agent-identity-service/node';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { webhooks } from 'agent-identity-service/webhooks';
 *
 * const service = createIdentityService({
 *   storage: memoryStorage(),
 *   session: { secret: 'a secret of 32 characters or more' },
 *   capabilities: [webhooks({ transport: nodeWebhookTransport() })],
 * });
 * const { id } = await service.webhooks.create(
 *   { url: 'https://hooks.example.com/agents', types: ['passport.*'] },
 *   { account_id: 'acc_1' },
 * );
 * console.log(id.slice(0, 4)); // whk_
 */
export function webhooks(options: WebhookOptions): WebhookCapability {
  const checkedOptions = knownOptions('webhooks', options, NAMES);
  const capability: WholeCapability<WebhookRooms<Actor>, WebhookRooms<CallOptions>> = {
    name: 'webhooks',
    operations: [webhookOperations],
    open: (core) => openWebhooks(core, checkedOptions),
  };
  return capability;
}
