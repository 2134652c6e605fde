/** The webhooks of the account, over HTTP. */

import type { NewWebhook, Webhook, WebhookDelivery, WebhookTest } from '../records/webhook.ts';
import type { Page } from '../records.ts';
import type { PageRequest, WebhookInput, WebhookPatch, WebhookRotation } from '../service.ts';
import type { AdminRequests, Pages } from './admin-requests.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** The webhooks of the account. `not_found` when the service sends none. */
export interface AdminWebhooks {
  /** Creates a webhook. Sent once: only this answer has the secret. */
  create(input: WebhookInput, options?: RequestOptions): Promise<NewWebhook>;
  /** Lists the webhooks: the first page, with `for await` every page. */
  list(page?: PageRequest, options?: RequestOptions): Pages<Page<Webhook>>;
  /** Returns a webhook in its present state. */
  get(id: string, options?: RequestOptions): Promise<Webhook>;
  /** Changes the URL, the types, the description or the status. */
  update(id: string, patch: WebhookPatch, options?: RequestOptions): Promise<Webhook>;
  /** Removes a webhook: nothing more is sent to it. */
  remove(id: string, options?: RequestOptions): Promise<void>;
  /** Replaces the secret. Sent once: only this answer has the new one. */
  rotate(id: string, rotation?: WebhookRotation, options?: RequestOptions): Promise<NewWebhook>;
  /** Sends an event `webhook.test` once, and waits for the result, at most 15 s. */
  test(id: string, options?: RequestOptions): Promise<WebhookTest>;
  /** Lists the deliveries: the first page, with `for await` every page. */
  deliveries(id: string, page?: PageRequest, options?: RequestOptions): Pages<Page<WebhookDelivery>>;
  /** Sends an event again. */
  redeliver(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>;
}

/** Makes the verbs of webhooks over these requests. */
export function webhooksOf({ ask, change, list }: AdminRequests): AdminWebhooks {
  const holds = ['id', 'url'];
  return {
    create: (input, options) =>
      change('POST', '/webhooks', { input, options, success: 201, holds: [...holds, 'secret'] }),
    list: (page = {}, options) => list('/webhooks', page, options),
    get: (id, options) => ask(pathOf`/webhooks/${id}`, { options, holds }),
    update: (id, input, options) =>
      change('PATCH', pathOf`/webhooks/${id}`, { input, options, success: 200, holds }),
    async remove(id, options) {
      await change('DELETE', pathOf`/webhooks/${id}`, { options, success: 204 });
    },
    rotate: (id, input = {}, options) =>
      change('POST', pathOf`/webhooks/${id}/rotate`, {
        input,
        options,
        success: 201,
        holds: [...holds, 'secret'],
      }),
    test: (id, options) =>
      change('POST', pathOf`/webhooks/${id}/test`, { options, success: 200, holds: ['delivery'] }),
    deliveries: (id, page = {}, options) => list(pathOf`/webhooks/${id}/deliveries`, page, options),
    redeliver: (id, deliveryId, options) =>
      change('POST', pathOf`/webhooks/${id}/deliveries/${deliveryId}/redeliver`, {
        options,
        success: 202,
        holds: ['id', 'event_id'],
      }),
  };
}
