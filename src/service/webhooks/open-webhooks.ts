/** The webhooks of one service and their senders. Without the option `webhooks` the service has none. */
import { wholeNumber } from '../../base/values/whole-number.ts';
import { IdentityError } from '../../errors.ts';
import type { IdentityServiceOptions } from '../options.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { readPage } from '../shared/pages.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { sealingSecrets } from '../shared/sealing-secrets.ts';
import type { SignEd25519 } from '../signing/signing.ts';
import { createAttempt } from './attempt.ts';
import { createDeliveries } from './deliveries.ts';
import { createEndpointSlots } from './endpoint-slots.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createPublicSignatures } from './public-signatures.ts';
import type { PumpParts } from './pump.ts';
import { createSender, type Sender } from './sender.ts';
import { createTestWebhook } from './test-webhook.ts';
import { createWebhookChanges } from './webhook-changes.ts';
import { webhookErrors } from './webhook-input.ts';
import { ownedWebhook, toWebhook } from './webhook-record.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import type { OpenWebhooks } from './webhooks.ts';

const MAX_WEBHOOKS = 1_000;

/** The parts of the webhooks besides the context. */
interface OpenWebhooksParts extends Pick<PumpParts, 'events'> {
  /** Signs with the published key; absent if the service has no such key. */
  readonly signEd25519: SignEd25519 | undefined;
}

/** Opens the webhooks. Throws `invalid_configuration` for the option without a secret, or with a number out of range. */
export function openWebhooks(
  context: Context,
  options: IdentityServiceOptions,
  { events, signEd25519 }: OpenWebhooksParts,
): OpenWebhooks {
  if (options.webhooks === undefined) return noWebhooks;
  const { transport, maxPerAccount = 10, sends = true } = options.webhooks;
  wholeNumber('options.webhooks.maxPerAccount', maxPerAccount, { from: 1, to: MAX_WEBHOOKS });
  const own = sealingSecrets(options);
  if (own.length === 0) {
    const message = 'options.webhooks needs a secret: session.secret, or identity.secret.';
    throw new IdentityError('invalid_configuration', message);
  }
  const { store, allowLocalhost } = context;
  const secrets = createWebhookSecrets(context, own);
  const signPublicly = signEd25519 && createPublicSignatures(context, signEd25519);
  const attempt = createAttempt(context, { transport, secrets, signPublicly });
  const slots = createEndpointSlots();
  const sender: Sender | undefined = sends
    ? createSender(context, { attempt, slots, hasWebhooks: () => fanOut?.hasWebhooks === true })
    : undefined;
  const fanOut: FanOut | undefined = sender && createFanOut(context, { events, wake: sender.wake });
  const wake = (): void => sender?.wake();
  return {
    isOn: true,
    ...createWebhookChanges(context, {
      secrets,
      errorsOf: webhookErrors(transport, allowLocalhost),
      maxPerAccount,
      changed: () => fanOut?.changed(),
    }),
    ...createDeliveries(context, { wake }),
    test: createTestWebhook(context, { attempt, slots, wake }),

    list: async (request = {}, actor = {}) => {
      const account_id = accountOf(context, actor);
      const records = recordsBy(store, 'webhooks', { account_id });
      return readPage(context, { query: ['webhooks', account_id], ...records, show: toWebhook }, request);
    },

    get: async (id, actor = {}) => toWebhook(await ownedWebhook(context, id, actor)),

    reseal: secrets.reseal,
    async stop() {
      await fanOut?.stop();
      await sender?.stop();
    },
  };
}

async function refuse(): Promise<never> {
  throw new IdentityError('not_found', 'This service sends no webhooks.');
}

const noWebhooks: OpenWebhooks = {
  isOn: false,
  create: refuse,
  list: refuse,
  get: refuse,
  update: refuse,
  remove: refuse,
  rotate: refuse,
  test: refuse,
  deliveries: refuse,
  redeliver: refuse,
  reseal: async () => 0,
  stop: async () => {},
};
