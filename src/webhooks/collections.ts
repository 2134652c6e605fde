import type { Collection } from '../ports/collection.ts';
import type { RecordBase } from '../ports/stored.ts';
import type { Webhook, WebhookDelivery } from '../records/webhook.ts';
import type { Instant } from '../records.ts';

/** A webhook. Its `id` is `whk_…`. */
export type WebhookRecord = RecordBase &
  Pick<
    Webhook,
    'url' | 'types' | 'description' | 'status' | 'disabled_reason' | 'created_by' | 'updated_at'
  > &
  Pick<Webhook, 'last_success_at' | 'last_failure_at' | 'failures_in_a_row'> &
  Partial<Pick<Webhook, 'format'>> & {
    /** The encrypted secret, with the previous secret while both sign: JWE compact. */
    readonly sealed: string;
    readonly previous_sealed: string | null;
    readonly previous_until: Instant | null;
    /** The instant up to which all events have deliveries. Later events may not have them yet. */
    readonly read_from: Instant;
  };

/**
 * A delivery of an event to a webhook. Its `id` is computed from the event and the webhook, so each pair has only one
 * delivery.
 */
export type WebhookDeliveryRecord = RecordBase &
  Pick<WebhookDelivery, 'event_id' | 'event_type' | 'status' | 'attempt' | 'http_status' | 'duration_ms'> & {
    readonly webhook_id: string;
    readonly attempted_at: Instant | null;
    /**
     * The instant of the next attempt. During an attempt, it is the end of the node's lease. Absent after the delivery
     * has ended.
     */
    readonly due_at?: Instant;
    /** `true` while a node makes an attempt. */
    readonly is_leased: boolean;
    /** The body of the request. If `payload` is empty, the sender creates the body from the stored event. */
    readonly payload: string;
    readonly expires_at: Instant;
  };

export const webhookCollection: Collection<WebhookRecord> = {
  fields: {
    url: 'text',
    types: 'json',
    format: 'text?',
    description: 'text|null',
    status: 'text',
    disabled_reason: 'text|null',
    created_by: 'text',
    updated_at: 'text',
    last_success_at: 'text|null',
    last_failure_at: 'text|null',
    failures_in_a_row: 'integer',
    sealed: 'text',
    previous_sealed: 'text|null',
    previous_until: 'text|null',
    read_from: 'text',
  },
  lists: [[], ['account_id']],
};

export const webhookDeliveryCollection: Collection<WebhookDeliveryRecord> = {
  fields: {
    webhook_id: 'text',
    event_id: 'text',
    event_type: 'text',
    status: 'text',
    attempt: 'integer',
    http_status: 'integer|null',
    duration_ms: 'integer|null',
    attempted_at: 'text|null',
    due_at: 'text?',
    is_leased: 'boolean',
    payload: 'text',
    expires_at: 'text',
  },
  lists: [[], ['webhook_id']],
  due: [],
  expires: true,
};
