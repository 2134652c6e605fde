/** Converts webhooks and deliveries from their stored form to their public form. */
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { type Actor, readScopeOf, requireScope } from '../core/shared/callers.ts';
import { accountOf, type Context } from '../core/shared/context.ts';
import { digestText } from '../credential/random-id.ts';
import { noSuch } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import type { Webhook, WebhookDelivery } from '../records/webhook.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';

export function toWebhook(record: WebhookRecord): Webhook {
  const { id, url, types, description, status, disabled_reason, created_at, created_by } = record;
  const { format = 'event' } = record;
  const { updated_at, last_success_at, last_failure_at, failures_in_a_row } = record;
  return {
    id,
    url,
    types,
    format,
    description,
    status,
    disabled_reason,
    created_at,
    created_by,
    updated_at,
    last_success_at,
    last_failure_at,
    failures_in_a_row,
  };
}

export function toDelivery(record: WebhookDeliveryRecord): WebhookDelivery {
  const { id, event_id, event_type, status, attempt, http_status, duration_ms } = record;
  const { due_at = null, is_leased, created_at } = record;
  const next_attempt_at = is_leased ? null : due_at;
  return {
    id,
    event_id,
    event_type,
    status,
    attempt,
    http_status,
    duration_ms,
    next_attempt_at,
    created_at,
  };
}

export async function ownedWebhook(
  context: Pick<Context, 'store' | 'session'>,
  id: string,
  actor: Actor,
): Promise<WebhookRecord> {
  const account_id = accountOf(context, actor);
  const record = await context.store.get('webhooks', id);
  if (record?.account_id === account_id) return record;
  throw noSuch('webhook');
}

/** Reads the webhook that the caller is about to change. A management key must be allowed to read its events. */
export async function changedWebhook(
  context: Pick<Context, 'store' | 'session'>,
  id: string,
  actor: Actor,
): Promise<WebhookRecord> {
  return readable(actor, await ownedWebhook(context, id, actor));
}

export function readable<Kept extends { readonly types: readonly string[] }>(
  { management }: Actor,
  webhook: Kept,
): Kept {
  if (management !== undefined) for (const type of webhook.types) requireScope(management, readScopeOf(type));
  return webhook;
}

export interface Sendable {
  readonly id: string;
  readonly type: string;
  /** The body of the request. If it is `OF_STORED_EVENT`, the body is created from the stored event. */
  readonly payload: string;
}

/** The days for which a delivery is kept. There are no attempts after that. */
export const DELIVERY_DAYS = 7;

export function newDelivery(
  { id: webhook_id, account_id }: WebhookRecord,
  event: Sendable,
  atMs: number,
): WebhookDeliveryRecord {
  const created_at = formatInstant(atMs);
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
    expires_at: formatInstant(atMs + DELIVERY_DAYS * RESOLUTION_MS.day),
  };
}
