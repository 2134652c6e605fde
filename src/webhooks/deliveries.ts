/** The log of a webhook's deliveries, and the redelivery of an event. */
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { IdentityError } from '../errors.ts';
import type { RoomCode } from '../operations/room-code.ts';
import type { Actor } from '../service/shared/callers.ts';
import type { Context } from '../service/shared/context.ts';
import { readPage } from '../service/shared/pages.ts';
import { onlyAfter, recordsBy } from '../service/shared/record-lists.ts';
import { replace, untilWritten } from '../service/storage/store.ts';
import type { WebhookDeliveryRecord } from './collections.ts';
import { readPayload } from './payload.ts';
import type { PumpParts } from './pump.ts';
import { DELIVERY_DAYS, ownedWebhook, toDelivery } from './webhook-record.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * Makes the calls with which accounts read and repeat deliveries. `wake` makes the sender look for due deliveries
 * soon.
 */
export function createDeliveries(
  context: Context,
  { wake }: Pick<PumpParts, 'wake'>,
): Pick<RoomCode<Webhooks<Actor>>, 'deliveries' | 'redeliver'> {
  const { store, clock } = context;

  async function ownedDelivery(webhookId: string, id: string): Promise<WebhookDeliveryRecord> {
    const record = await store.get('webhook_deliveries', id);
    if (record?.webhook_id === webhookId) return record;
    throw new IdentityError('not_found', 'There is no such delivery.');
  }

  return {
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
        if ((await readPayload(context, found)) === undefined)
          throw new IdentityError('conflict', 'The event of this delivery is no longer kept.');
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
