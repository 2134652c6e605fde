import {
  DELIVERY_STATUSES,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
} from '../base/values/vocabulary.ts';
import type { NewWebhook, Webhook, WebhookDelivery } from '../records/webhook.ts';
import { graceSeconds, instant, webhookDescription, webhookTypes, webhookUrl } from './fields.ts';
import { answer, closedObject, type JsonSchema, nullable, page, ref } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const timeSchema = nullable(instant);

const webhook: Readonly<Record<keyof Webhook, JsonSchema>> = {
  id: { type: 'string', pattern: '^whk_[0-9A-Za-z]{22}$' },
  url: webhookUrl,
  types: webhookTypes,
  format: { type: 'string', enum: WEBHOOK_FORMATS },
  description: nullable(text),
  status: { type: 'string', enum: WEBHOOK_STATUSES },
  disabled_reason: nullable({ type: 'string', enum: [...WEBHOOK_DISABLED_REASONS, null] }),
  created_at: instant,
  created_by: text,
  updated_at: instant,
  last_success_at: { ...timeSchema, description: 'To the minute.' },
  last_failure_at: timeSchema,
  failures_in_a_row: count,
};

const secret: JsonSchema = {
  type: 'string',
  description: 'Shown this once: whsec_ and 32 bytes in base64, as libraries of Standard Webhooks take it.',
};

const delivery: Readonly<Record<keyof WebhookDelivery, JsonSchema>> = {
  id: { type: 'string', pattern: '^dlv_[0-9A-Za-z]{22}$' },
  event_id: { type: 'string', description: 'The header webhook-id of every attempt.' },
  event_type: text,
  status: { type: 'string', enum: DELIVERY_STATUSES },
  attempt: { ...count, description: 'How many attempts were made.' },
  http_status: nullable({ type: 'integer', description: 'null: no answer came.' }),
  duration_ms: nullable(count),
  next_attempt_at: { ...timeSchema, description: 'null: no more, or it is being tried.' },
  created_at: instant,
};

/** The names of the webhook schemas. */
export type WebhookResponseName =
  | 'Webhook'
  | 'WebhookPage'
  | 'NewWebhook'
  | 'WebhookDelivery'
  | 'WebhookDeliveryPage'
  | 'WebhookTest';

/** The webhook schemas by name. Only a new webhook has its secret, and a delivery has no body. */
export const webhookResponses: Readonly<Record<WebhookResponseName, JsonSchema>> = {
  Webhook: answer<Webhook>(webhook),
  WebhookPage: page('Webhook'),
  NewWebhook: answer<NewWebhook>({ ...webhook, secret }),
  WebhookDelivery: answer<WebhookDelivery>(delivery),
  WebhookDeliveryPage: page('WebhookDelivery'),
  WebhookTest: answer({ delivery: ref('WebhookDelivery') }),
};

/** The names of the requests of webhooks. */
export type WebhookRequestName = 'WebhookRequest' | 'WebhookPatch' | 'WebhookRotation';

export const webhookRequests: Readonly<Record<WebhookRequestName, JsonSchema>> = {
  WebhookRequest: closedObject(
    { url: webhookUrl, types: webhookTypes, description: webhookDescription, format: {} },
    ['url', 'types'],
    'The URL that gets events, and their types.',
  ),
  WebhookPatch: closedObject(
    {
      url: webhookUrl,
      types: webhookTypes,
      status: { type: 'string' },
      description: nullable(webhookDescription),
      format: {},
    },
    [],
    'What to change of a webhook. status active also enables one that was disabled for failures.',
  ),
  WebhookRotation: closedObject(
    {
      grace_seconds: {
        ...graceSeconds,
        description: 'Seconds for which requests carry the signatures of both secrets; by default none.',
      },
    },
    [],
    'How long the service also signs with the replaced secret.',
  ),
};
