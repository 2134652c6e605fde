/** The log of what is sent to a webhook, a test of it, and how an event is sent again. */
import { eventId } from '../../base/event-position.ts';
import { formatInstant } from '../../base/instant.ts';
import { RESOLUTION_MS } from '../../base/time-buckets.ts';
import { IdentityError } from '../../errors.ts';
import type { WebhookDeliveryRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { readPage } from '../shared/pages.ts';
import { onlyAfter, recordsBy } from '../shared/record-lists.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { type Attempt, TIMEOUT_MS } from './attempt.ts';
import { endDelivery, settleAttempt } from './settle.ts';
import { DELIVERY_DAYS, newDelivery, ownedWebhook, toDelivery } from './webhook-record.ts';
import type { Webhooks } from './webhooks.ts';

/** What deliveries need beside the context. */
export interface DeliveryParts {
  readonly attempt: Attempt;
  /** Has what is due sent soon. */
  readonly wake: () => void;
}

/** What accounts see and do of deliveries. */
export function createDeliveries(
  context: Context,
  { attempt, wake }: DeliveryParts,
): Pick<Webhooks, 'test' | 'deliveries' | 'redeliver'> {
  const { store, clock, random } = context;

  async function ownedDelivery(webhookId: string, id: string): Promise<WebhookDeliveryRecord> {
    const record = await store.get('webhook_deliveries', id);
    if (record?.webhook_id === webhookId) return record;
    throw new IdentityError('not_found', 'There is no such delivery.');
  }

  return {
    async test(id, actor = {}) {
      const webhook = await ownedWebhook(context, id, actor);
      const at = clock.now();
      const event = {
        id: eventId({ ms: at, source: 'c', name: context.nextEventName() }),
        type: 'webhook.test',
        timestamp: formatInstant(at),
        data: { webhook_id: id },
      };
      // As long as it is under way no node takes it; a test is not tried again.
      const leased = {
        ...newDelivery(webhook, event, at),
        due_at: formatInstant(at + 2 * TIMEOUT_MS),
        is_leased: true,
      };
      await store.write(insert('webhook_deliveries', leased));
      const attempted = await attempt(webhook, leased);
      const { delivery, isSuccess } = settleAttempt(leased, attempted, clock.now(), random);
      const ended = isSuccess ? delivery : { ...endDelivery(delivery, 'failed'), version: delivery.version };
      await store.write(replace('webhook_deliveries', ended, leased.version));
      return { delivery: toDelivery(ended) };
    },

    async deliveries(id, request = {}, actor = {}) {
      const owned = () => ownedWebhook(context, id, actor);
      const source = {
        query: ['webhook_deliveries', id],
        ...onlyAfter(owned, recordsBy(store, 'webhook_deliveries', { webhook_id: id })),
        show: toDelivery,
      };
      return readPage(context, source, request);
    },

    async redeliver(id, deliveryId, actor = {}) {
      const { status } = await ownedWebhook(context, id, actor);
      const shown = await untilWritten(async () => {
        const found = await ownedDelivery(id, deliveryId);
        if (status === 'disabled')
          throw new IdentityError('conflict', 'The webhook is disabled: set its status to active first.');
        const at = clock.now();
        const isUnderWay = found.is_leased && found.due_at !== undefined && found.due_at > formatInstant(at);
        if (isUnderWay) return toDelivery(found);
        const next: WebhookDeliveryRecord = {
          ...found,
          ...{ status: 'pending', attempt: 0, is_leased: false, version: found.version + 1 },
          due_at: formatInstant(at),
          expires_at: formatInstant(at + DELIVERY_DAYS * RESOLUTION_MS.day),
        };
        const result = await store.write(replace('webhook_deliveries', next, found.version));
        return result.written ? toDelivery(next) : undefined;
      });
      wake();
      return shown;
    },
  };
}
