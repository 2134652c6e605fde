/** Webhooks and their deliveries, as they are shown. */
import type { Instant } from '../records.ts';

/**
 * The reason why a webhook gets no events: its account disabled it, its URL answered 410, or an event failed for good.
 */
export type WebhookDisabledReason = 'account' | 'gone' | 'failures';

/** The body of requests: the event, or its line of OCSF 1.8.0. */
export type WebhookFormat = 'event' | 'ocsf';

/** A webhook: a URL that events of an account are sent to. */
export interface Webhook {
  /** The id, `whk_…`. */
  readonly id: string;
  /** The URL that requests are sent to. */
  readonly url: string;
  /** The types of its events, such as `passport.revoked`, or all of a kind as `passport.*`. */
  readonly types: readonly string[];
  /** The body of its requests. */
  readonly format: WebhookFormat;
  /** The description that the account gave it. */
  readonly description: string | null;
  /** The status. Events that happen while it is `disabled` are not sent later. */
  readonly status: 'active' | 'disabled';
  /** The reason why it is disabled; `null` while it is active. */
  readonly disabled_reason: WebhookDisabledReason | null;
  /** The instant at which it was made. */
  readonly created_at: Instant;
  /** The account that made it, or `operator`. */
  readonly created_by: string;
  /** The instant of the last change by its account. */
  readonly updated_at: Instant;
  /** The last successful delivery, to the minute. */
  readonly last_success_at: Instant | null;
  /** The instant of the last failed attempt. */
  readonly last_failure_at: Instant | null;
  /** The number of failed attempts since the last successful attempt. */
  readonly failures_in_a_row: number;
}

/** A webhook with its secret, which is shown only once. */
export interface NewWebhook extends Webhook {
  /** The secret: `whsec_` and 32 bytes in base64. */
  readonly secret: string;
}

/** The delivery of an event to a webhook. */
export interface WebhookDelivery {
  /** The id, `dlv_…`. */
  readonly id: string;
  /** The id of the event, the same in each attempt. */
  readonly event_id: string;
  /** The type of the event, such as `passport.revoked`, or `webhook.test`. */
  readonly event_type: string;
  /** The status. `failed`: it is not tried again. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** The number of attempts so far. */
  readonly attempt: number;
  /** The HTTP status of the last attempt; `null` without an answer. */
  readonly http_status: number | null;
  /** The duration of the last attempt. */
  readonly duration_ms: number | null;
  /** The instant of the next attempt; `null`: none is planned, or one is in progress. */
  readonly next_attempt_at: Instant | null;
  /** The instant at which it was created. */
  readonly created_at: Instant;
}

/** The result of an event `webhook.test`. */
export interface WebhookTest {
  /** The only delivery of the test event. */
  readonly delivery: WebhookDelivery;
}
