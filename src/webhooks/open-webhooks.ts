/** Opens the webhooks of one service and their senders. */
import { wholeNumber } from '../base/values/whole-number.ts';
import { IdentityError } from '../errors.ts';
import type { RoomCode } from '../operations/room-code.ts';
import type { Core, OpenCapability } from '../service/capabilities/capability.ts';
import { createEvents } from '../service/events/events.ts';
import type { Actor } from '../service/shared/callers.ts';
import { accountOf } from '../service/shared/context.ts';
import { readPage } from '../service/shared/pages.ts';
import { recordsBy } from '../service/shared/record-lists.ts';
import { createAttempt } from './attempt.ts';
import { createDeliveries } from './deliveries.ts';
import { createEndpointSlots } from './endpoint-slots.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createPublicSignatures } from './public-signatures.ts';
import { createSender, type Sender } from './sender.ts';
import { createTestWebhook } from './test-webhook.ts';
import { createWebhookChanges } from './webhook-changes.ts';
import { type WebhookOptions, webhookErrors } from './webhook-input.ts';
import { ownedWebhook, toWebhook } from './webhook-record.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import type { Webhooks } from './webhooks.ts';

const MAX_WEBHOOKS = 1_000;

/** Opens the webhooks. Throws `invalid_configuration` without a secret, or with a number out of range. */
export function openWebhooks(core: Core, options: WebhookOptions): OpenCapability {
  const { transport, maxPerAccount = 10, sends = true } = options;
  wholeNumber('webhooks.maxPerAccount', maxPerAccount, { from: 1, to: MAX_WEBHOOKS });
  if (core.sealingSecrets.length === 0) {
    const message = 'webhooks() needs a secret of the service: session.secret, or identity.secret.';
    throw new IdentityError('invalid_configuration', message);
  }
  const { store, allowLocalhost } = core;
  const secrets = createWebhookSecrets(core, core.sealingSecrets);
  const signPublicly = createPublicSignatures(core, () => core.offered('signEd25519'));
  const attempt = createAttempt(core, { transport, secrets, signPublicly });
  const slots = createEndpointSlots();
  const sender: Sender | undefined = sends
    ? createSender(core, { attempt, slots, hasWebhooks: () => fanOut?.hasWebhooks === true })
    : undefined;
  const fanOut: FanOut | undefined =
    sender && createFanOut(core, { events: core.use(createEvents), wake: sender.wake });
  const wake = (): void => sender?.wake();
  const webhooks: RoomCode<Webhooks<Actor>> = {
    ...createWebhookChanges(core, {
      secrets,
      errorsOf: webhookErrors(transport, allowLocalhost),
      maxPerAccount,
      changed: () => fanOut?.changed(),
    }),
    ...createDeliveries(core, { wake }),
    test: createTestWebhook(core, { attempt, slots, wake }),

    list: async (request = {}, actor = {}) => {
      const account_id = accountOf(core, actor);
      const records = recordsBy(store, 'webhooks', { account_id });
      return readPage(core, { query: ['webhooks', account_id], ...records, show: toWebhook }, request);
    },

    get: async (id, actor = {}) => toWebhook(await ownedWebhook(core, id, actor)),
  };
  return {
    rooms: { webhooks },
    reseal: secrets.reseal,
    async stop() {
      await fanOut?.stop();
      await sender?.stop();
    },
  };
}
