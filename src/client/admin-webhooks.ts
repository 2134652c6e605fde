/** The webhooks of the account, over HTTP. */
import type { AdminWebhooks } from '../service.ts';
import type { AdminRequests } from './admin-requests.ts';
import { pathOf } from './path-of.ts';

/** Makes the methods of webhooks over these requests. */
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
