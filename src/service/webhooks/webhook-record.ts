/** Webhooks and deliveries between their stored and their shown form. */
import { formatInstant } from '../../base/instant.ts';
import { RESOLUTION_MS } from '../../base/time-buckets.ts';
import { digestText } from '../../credential/random-id.ts';
import { IdentityError } from '../../errors.ts';
import { hashing } from '../../platform/index.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from '../../ports/stored-records.ts';
import type { Webhook, WebhookDelivery } from '../../records/webhook.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';

/** The webhook as it is shown. */
export function toWebhook(record: WebhookRecord): Webhook {
  const { id, url, types, description, status, disabled_reason, created_at, created_by } = record;
  const { updated_at, last_success_at, last_failure_at, failures_in_a_row } = record;
  return {
    ...{ id, url, types, description, status, disabled_reason, created_at, created_by },
    ...{ updated_at, last_success_at, last_failure_at, failures_in_a_row },
  };
}

/** The delivery as it is shown: without its body. */
export function toDelivery(record: WebhookDeliveryRecord): WebhookDelivery {
  const { id, event_id, event_type, status, attempt, http_status, duration_ms } = record;
  const { due_at = null, is_leased, created_at } = record;
  const next_attempt_at = is_leased ? null : due_at;
  return {
    ...{ id, event_id, event_type, status, attempt, http_status, duration_ms },
    ...{ next_attempt_at, created_at },
  };
}

/** The webhook, or `not_found` for one of another account as for one that does not exist. */
export async function ownedWebhook(context: Context, id: string, actor: Actor): Promise<WebhookRecord> {
  const account_id = accountOf(context, actor);
  const record = await context.store.get('webhooks', id);
  if (record?.account_id === account_id) return record;
  throw new IdentityError('not_found', 'There is no such webhook.');
}

/** An event that is to be sent. */
export interface Sendable {
  readonly id: string;
  readonly type: string;
  /** Its body, or that it is made of the stored event. */
  readonly payload: string;
}

/** How long a delivery is kept. Nothing is tried for longer. */
export const DELIVERY_DAYS = 7;

/** The first state of a delivery, due at `at`, in milliseconds. One event has one delivery to a webhook. */
export function newDelivery(
  { id: webhook_id, account_id }: WebhookRecord,
  event: Sendable,
  at: number,
): WebhookDeliveryRecord {
  const created_at = formatInstant(at);
  return {
    id: `dlv_${digestText(hashing.sha256Hex(`${webhook_id} ${event.id}`))}`,
    account_id,
    version: 1,
    created_at,
    webhook_id,
    event_id: event.id,
    event_type: event.type,
    status: 'pending',
    attempt: 0,
    http_status: null,
    duration_ms: null,
    attempted_at: null,
    due_at: created_at,
    is_leased: false,
    payload: event.payload,
    expires_at: formatInstant(at + DELIVERY_DAYS * RESOLUTION_MS.day),
  };
}
