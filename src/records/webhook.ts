/** Webhooks and their deliveries, in the form that callers get. */
import type { Instant } from '../records.ts';

/**
 * The reason why a webhook gets no events. `account`: its account disabled it. `gone`: its URL answered 410.
 * `failures`: the delivery of an event failed permanently.
 */
export type WebhookDisabledReason = 'account' | 'gone' | 'failures';

/** The body of requests: the event as JSON, or the same event as one line of JSON in the format OCSF 1.8.0. */
export type WebhookFormat = 'event' | 'ocsf';

/** A webhook: a URL to which the events of an account are sent. */
export interface Webhook {
  /** The id, `whk_…`. */
  readonly id: string;
  /** The URL that requests are sent to. */
  readonly url: string;
  /** The types of its events, such as `passport.revoked`, or all types of a kind, such as `passport.*`. */
  readonly types: readonly string[];
  /** The format of its request bodies. */
  readonly format: WebhookFormat;
  /** The description that the account gave it. */
  readonly description: string | null;
  /** The status. Events that happen while it is `disabled` are not sent later. */
  readonly status: 'active' | 'disabled';
  /** The reason why it is disabled. `null` while it is active. */
  readonly disabled_reason: WebhookDisabledReason | null;
  /** The instant at which it was created. */
  readonly created_at: Instant;
  /** The id of the API key, member or account that created it, or `operator`. */
  readonly created_by: string;
  /** The instant of the last change by its account. */
  readonly updated_at: Instant;
  /** The instant of the last successful delivery, to the minute. */
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
  /** The id of the event, which is the same in each attempt. */
  readonly event_id: string;
  /** The type of the event, such as `passport.revoked`, or `webhook.test`. */
  readonly event_type: string;
  /** The status. `failed`: there is no further attempt. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** The number of attempts so far. */
  readonly attempt: number;
  /** The HTTP status of the last attempt. `null` if there was no answer. */
  readonly http_status: number | null;
  /** The duration of the last attempt in milliseconds. */
  readonly duration_ms: number | null;
  /** The instant of the next attempt. `null` if none is planned, or an attempt is running. */
  readonly next_attempt_at: Instant | null;
  /** The instant at which it was created. */
  readonly created_at: Instant;
}

/** The result of an event `webhook.test`. */
export interface WebhookTest {
  /** The only delivery of the test event. */
  readonly delivery: WebhookDelivery;
}
