import type { IdentityService, WebhookInput, WebhookPatch, WebhookRotation } from '../../service.ts';
import { type Call, type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';
import { EDITORS, MEMBERS } from '../roles.ts';

const shared = {
  tag: 'Webhooks',
  credential: 'session',
  needs: ({ webhooks }: IdentityService) => webhooks.isOn,
} as const;

/** The endpoints of webhooks: the URLs to which an account's events are sent. */
export const webhookEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    role: EDITORS,
    method: 'POST',
    path: '/webhooks',
    verb: 'webhooks',
    writes: true,
    summary: 'Create a webhook and get its secret once',
    body: { schema: 'WebhookRequest' },
    success: { status: 201, description: 'The webhook with its secret.', schema: 'NewWebhook' },
    errors: ['plan_limit_reached'],
    handle: async ({ service, caller, body }) => ({
      body: await service.webhooks.create(body as WebhookInput, caller),
    }),
  }),
  endpoint({
    ...shared,
    role: MEMBERS,
    method: 'GET',
    path: '/webhooks',
    verb: 'webhooks',
    summary: 'List the webhooks, newest first',
    query: pageParameters,
    success: { status: 200, description: 'A page of webhooks, never their secrets.', schema: 'WebhookPage' },
    handle: async ({ service, caller, query }) => ({
      body: await service.webhooks.list(pageOf(query), caller),
    }),
  }),
  aboutOne('GET', '', {
    summary: 'Show a webhook',
    success: { status: 200, description: 'The webhook, never its secret.', schema: 'Webhook' },
    answer: ({ webhooks }, id, { caller }) => webhooks.get(id, caller),
  }),
  aboutOne('PATCH', '', {
    writes: true,
    summary: 'Change the URL, the types, the description or the status of a webhook',
    body: { schema: 'WebhookPatch' },
    success: { status: 200, description: 'The webhook as it is now.', schema: 'Webhook' },
    answer: ({ webhooks }, id, { body, caller }) => webhooks.update(id, body as WebhookPatch, caller),
  }),
  aboutOne('DELETE', '', {
    summary: 'Remove a webhook and its waiting events',
    success: { status: 204, description: 'Nothing more is sent.' },
    answer: ({ webhooks }, id, { caller }) => webhooks.remove(id, caller),
  }),
  aboutOne('POST', '/rotate', {
    writes: true,
    summary: 'Replace the secret of a webhook, at once or after a grace period',
    body: { schema: 'WebhookRotation', optional: true },
    success: { status: 201, description: 'The webhook with its new secret.', schema: 'NewWebhook' },
    answer: ({ webhooks }, id, { body, caller }) => webhooks.rotate(id, body as WebhookRotation, caller),
  }),
  aboutOne('POST', '/test', {
    writes: true,
    summary: 'Send an event webhook.test once, and report the result',
    patient: true,
    success: { status: 200, description: 'The delivery at its end.', schema: 'WebhookTest' },
    errors: ['rate_limited'],
    answer: ({ webhooks }, id, { caller }) => webhooks.test(id, caller),
  }),
  aboutOne('GET', '/deliveries', {
    summary: 'List the deliveries of a webhook, newest first',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of deliveries, without their bodies.',
      schema: 'WebhookDeliveryPage',
    },
    answer: ({ webhooks }, id, { query, caller }) => webhooks.deliveries(id, pageOf(query), caller),
  }),
  aboutOne('POST', '/deliveries/{delivery_id}/redeliver', {
    writes: true,
    summary: 'Send an event again',
    success: { status: 202, description: 'The delivery, which is due now.', schema: 'WebhookDelivery' },
    errors: ['conflict'],
    answer: ({ webhooks }, id, { params, caller }) =>
      webhooks.redeliver(id, params['delivery_id'] ?? '', caller),
  }),
];

interface AboutOne
  extends Pick<
    Endpoint<'session'>,
    'summary' | 'body' | 'query' | 'patient' | 'writes' | 'success' | 'errors'
  > {
  /** Returns the body of the answer. */
  readonly answer: (service: IdentityService, id: string, call: Call<'session'>) => Promise<unknown>;
}

/** Makes an endpoint about the webhook that its path names. */
function aboutOne(
  method: Endpoint['method'],
  below: string,
  { answer, errors = [], ...rest }: AboutOne,
): Endpoint {
  return endpoint({
    ...shared,
    ...rest,
    method,
    role: method === 'GET' ? MEMBERS : EDITORS,
    path: `/webhooks/{id}${below}`,
    verb: 'webhooks',
    errors: ['not_found', ...errors],
    handle: async (call) => ({ body: await answer(call.service, call.params['id'] ?? '', call) }),
  });
}
