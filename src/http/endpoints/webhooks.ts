import type { IdentityService, WebhookInput, WebhookPatch, WebhookRotation } from '../../service.ts';
import { type Call, type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';

const shared = {
  tag: 'Webhooks',
  credential: 'session',
  needs: ({ webhooks }: IdentityService) => webhooks.isOn,
} as const;

/** Where events of an account are sent. */
export const webhookEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    method: 'POST',
    path: '/webhooks',
    summary: 'Have events sent to a URL; the secret of their signatures is shown this once',
    body: { schema: 'WebhookRequest' },
    success: { status: 201, description: 'The webhook with its secret.', schema: 'NewWebhook' },
    errors: ['plan_limit_reached'],
    handle: async ({ service, caller, body }) => ({
      body: await service.webhooks.create(body as WebhookInput, caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks, newest first',
    query: pageParameters,
    success: { status: 200, description: 'A page of webhooks, never their secrets.', schema: 'WebhookPage' },
    handle: async ({ service, caller, query }) => ({
      body: await service.webhooks.list(pageOf(query), caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'Show a webhook',
    success: { status: 200, description: 'The webhook, never its secret.', schema: 'Webhook' },
    errors: ['not_found'],
    handle: async ({ service, caller, params }) => ({
      body: await service.webhooks.get(idOf(params), caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change the URL, the types, the description or the status of a webhook',
    body: { schema: 'WebhookPatch' },
    success: { status: 200, description: 'The webhook as it is now.', schema: 'Webhook' },
    errors: ['not_found'],
    handle: async ({ service, caller, params, body }) => ({
      body: await service.webhooks.update(idOf(params), body as WebhookPatch, caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Remove a webhook; what was not sent yet is lost',
    success: { status: 204, description: 'Nothing more is sent.' },
    errors: ['not_found'],
    async handle({ service, caller, params }) {
      await service.webhooks.remove(idOf(params), caller);
      return {};
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/webhooks/{id}/rotate',
    summary: 'Give a webhook a new secret; for a grace both secrets sign',
    body: { schema: 'WebhookRotation', optional: true },
    success: { status: 201, description: 'The webhook with its new secret.', schema: 'NewWebhook' },
    errors: ['not_found'],
    handle: async ({ service, caller, params, body }) => ({
      body: await service.webhooks.rotate(idOf(params), body as WebhookRotation, caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send an event webhook.test once, and report the result',
    patient: true,
    success: { status: 200, description: 'The delivery at its end.', schema: 'WebhookTest' },
    errors: ['not_found'],
    handle: async ({ service, caller, params }) => ({
      body: await service.webhooks.test(idOf(params), caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'List what was sent to a webhook, or is to be, newest first',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of deliveries, without their bodies.',
      schema: 'WebhookDeliveryPage',
    },
    errors: ['not_found'],
    handle: async ({ service, caller, params, query }) => ({
      body: await service.webhooks.deliveries(idOf(params), pageOf(query), caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    summary: 'Send an event again',
    success: { status: 202, description: 'The delivery, which is due now.', schema: 'WebhookDelivery' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, params }) => ({
      body: await service.webhooks.redeliver(idOf(params), params['delivery_id'] ?? '', caller),
    }),
  }),
];

function idOf({ id = '' }: Call<'session'>['params']): string {
  return id;
}
