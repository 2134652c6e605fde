/** Examples of webhooks for the OpenAPI document. */
import type { RequestName } from '../../schema/requests.ts';
import type { WebhookResponseName } from '../../schema/webhook.ts';

const MADE_AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:05:00.000Z';

const input = {
  url: 'https://shop.example/hooks/agents',
  types: ['passport.*', 'verdict.denied'],
  description: 'The inbox of the shop',
  format: 'event',
};

const shownWebhook = {
  id: 'whk_4mC8sKwQx2LmNb7VtR4yZa',
  ...input,
  status: 'active',
  disabled_reason: null,
  created_at: MADE_AT,
  created_by: 'mem_5Q2bGmYwX0aNcTqLr8sVdK',
  updated_at: MADE_AT,
  last_success_at: LATER,
  last_failure_at: null,
  failures_in_a_row: 0,
};

const delivery = {
  id: 'dlv_0bNq8ZrT2yLkXc0BvHs4Ge',
  event_id: 'evt_0VZ4Hy3WcZr7cQ2mT9pLx4BvK',
  event_type: 'passport.revoked',
  status: 'delivered',
  attempt: 1,
  http_status: 204,
  duration_ms: 38,
  next_attempt_at: null,
  created_at: LATER,
};

const page = <Item>(item: Item) => ({ data: [item], has_more: false, next_cursor: null });

export const webhookRequestExamples: Readonly<Record<Extract<RequestName, `Webhook${string}`>, unknown>> = {
  WebhookRequest: input,
  WebhookPatch: { types: ['passport.*'], status: 'active' },
  WebhookRotation: { grace_seconds: 86_400 },
};

/** An example of each response body. The secret has a form that no secret scanner reports. */
export const webhookResponseExamples: Readonly<Record<WebhookResponseName, unknown>> = {
  Webhook: shownWebhook,
  WebhookPage: page(shownWebhook),
  NewWebhook: { ...shownWebhook, last_success_at: null, secret: `whsec_${'A'.repeat(43)}=` },
  WebhookDelivery: delivery,
  WebhookDeliveryPage: page(delivery),
  WebhookTest: { delivery: { ...delivery, event_type: 'webhook.test' } },
};
