import { eventId } from '../base/bytes/event-position.ts';
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { wholeNumber } from '../base/values/whole-number.ts';
import type { Core, OpenCapability } from '../core/capabilities/capability.ts';
import { createEvents } from '../core/events/events.ts';
import type { Actor } from '../core/shared/callers.ts';
import { accountOf, type Context } from '../core/shared/context.ts';
import { readPage } from '../core/shared/pages.ts';
import { onlyAfter, recordsBy } from '../core/shared/record-lists.ts';
import { insert, replace, untilWritten } from '../core/storage/store.ts';
import { conflict, IdentityError, noSuch, unfit } from '../errors.ts';
import type { RoomCode } from '../operations/room-code.ts';
import {
  type Attempt,
  createAttempt,
  endDelivery,
  type Settled,
  settleAttempt,
  TIMEOUT_MS,
} from './attempt.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';
import { createEndpointSlots, type Ended, type EndpointSlots } from './endpoint-slots.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { readPayload } from './payload.ts';
import { createPublicSignatures } from './public-signatures.ts';
import type { PumpParts } from './pump.ts';
import { createSender, type Sender } from './sender.ts';
import { createWebhookChanges } from './webhook-changes.ts';
import {
  changedWebhook,
  DELIVERY_DAYS,
  newDelivery,
  ownedWebhook,
  toDelivery,
  toWebhook,
} from './webhook-record.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import type { Webhooks } from './webhooks.ts';
import { type WebhookOptions, webhookErrors } from './webhooks.ts';

const MAX_WEBHOOKS = 1_000;

export function openWebhooks(core: Core, options: WebhookOptions): OpenCapability {
  const { transport, maxPerAccount = 10, sends = true } = options;
  wholeNumber('webhooks.maxPerAccount', maxPerAccount, { from: 1, to: MAX_WEBHOOKS });
  if (core.sealingSecrets.length === 0) {
    const message = 'webhooks() needs a secret of the service: session.secret, or identity.secret.';
    throw unfit(message);
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

function createDeliveries(
  context: Context,
  { wake }: Pick<PumpParts, 'wake'>,
): Pick<RoomCode<Webhooks<Actor>>, 'deliveries' | 'redeliver'> {
  const { store, clock } = context;

  async function ownedDelivery(webhookId: string, id: string): Promise<WebhookDeliveryRecord> {
    const record = await store.get('webhook_deliveries', id);
    if (record?.webhook_id === webhookId) return record;
    throw noSuch('delivery');
  }

  return {
    async deliveries(id, request = {}, actor = {}) {
      const readOwned = () => ownedWebhook(context, id, actor);
      const source = {
        query: ['webhook_deliveries', id],
        ...onlyAfter(readOwned, recordsBy(store, 'webhook_deliveries', { webhook_id: id })),
        show: toDelivery,
      };
      return readPage(context, source, request);
    },

    async redeliver(id, deliveryId, actor = {}) {
      const { status } = await changedWebhook(context, id, actor);
      const shownDelivery = await untilWritten(async () => {
        const record = await ownedDelivery(id, deliveryId);
        if (status === 'disabled') throw conflict('The webhook is disabled. Set its status to active first.');
        const atMs = clock.now();
        if ((await readPayload(context, record)) === undefined)
          throw conflict('The event of this delivery is no longer stored, and cannot be sent again.');
        const isUnderWay =
          record.is_leased && record.due_at !== undefined && record.due_at > formatInstant(atMs);
        if (isUnderWay) return toDelivery(record);
        const next: WebhookDeliveryRecord = {
          ...record,
          status: 'pending',
          attempt: 0,
          is_leased: false,
          version: record.version + 1,
          due_at: formatInstant(atMs),
          expires_at: formatInstant(atMs + DELIVERY_DAYS * RESOLUTION_MS.day),
        };
        const result = await store.write(replace('webhook_deliveries', next, record.version));
        return result.written ? toDelivery(next) : undefined;
      });
      wake();
      return shownDelivery;
    },
  };
}

interface TestParts {
  readonly attempt: Attempt;
  readonly slots: EndpointSlots;
  readonly wake: () => void;
}

function createTestWebhook(context: Context, { attempt, slots, wake }: TestParts): Webhooks<Actor>['test'] {
  const { caches } = context;
  return async (id, actor = {}) => {
    const webhook = await changedWebhook(context, id, actor);
    const endpoint = { webhook_id: id, account_id: webhook.account_id };
    const begunAt = caches.monotonic();
    if (!slots.enter(endpoint, begunAt)) throw allUnderWay();
    let ending: Ended | undefined;
    try {
      const { delivery, isSuccess } = await sendTest(context, attempt, webhook);
      ending = { isSuccess, tookMs: caches.monotonic() - begunAt };
      return { delivery: toDelivery(delivery) };
    } finally {
      slots.leave(endpoint, ending);
      wake();
    }
  };
}

/**
 * Sends a test event once, without a retry. The node holds the lease meanwhile, so that no other node sends the
 * delivery.
 */
async function sendTest(context: Context, attempt: Attempt, webhook: WebhookRecord): Promise<Settled> {
  const { store, clock, random } = context;
  const atMs = clock.now();
  const event = {
    id: eventId({ ms: atMs, source: 'c', name: context.nextEventName() }),
    type: 'webhook.test',
    timestamp: formatInstant(atMs),
    data: { webhook_id: webhook.id },
  };
  const leasedRecord = {
    ...newDelivery(webhook, { ...event, payload: JSON.stringify(event) }, atMs),
    due_at: formatInstant(atMs + 2 * TIMEOUT_MS),
    is_leased: true,
  };
  await store.write(insert('webhook_deliveries', leasedRecord));
  const settlement = settleAttempt(leasedRecord, await attempt(webhook, leasedRecord), clock.now(), random);
  const { version } = settlement.delivery;
  const delivery = settlement.isSuccess
    ? settlement.delivery
    : { ...endDelivery(settlement.delivery, 'failed'), version };
  await store.write(replace('webhook_deliveries', delivery, leasedRecord.version));
  return { ...settlement, delivery };
}

function allUnderWay(): IdentityError {
  const message = 'This endpoint or its account has as many open requests as it may have. Try again later.';
  const details = { retryAfterSeconds: TIMEOUT_MS / 1_000 };
  return new IdentityError('rate_limited', message, { details });
}
