/** Webhooks, as they are shown. */
import type { Instant } from '../records.ts';

/** Why a webhook gets no events: its account has disabled it, its URL answered 410, or an event failed for good. */
export type WebhookDisabledReason = 'account' | 'gone' | 'failures';

/** Where events of an account are sent. */
export interface Webhook {
  /** `whk_…`. */
  readonly id: string;
  /** Where requests are sent. */
  readonly url: string;
  /** Types such as `passport.revoked`, or all of a kind as `passport.*`. */
  readonly types: readonly string[];
  /** What the account says of it. */
  readonly description: string | null;
  /** Events that happen while it is `disabled` are not sent later. */
  readonly status: 'active' | 'disabled';
  /** `null` while it is active. */
  readonly disabled_reason: WebhookDisabledReason | null;
  /** When it was made. */
  readonly created_at: Instant;
  /** Who made it: an account, or `operator`. */
  readonly created_by: string;
  /** When its account changed it last. */
  readonly updated_at: Instant;
  /** To the minute. */
  readonly last_success_at: Instant | null;
  /** When an attempt failed last. */
  readonly last_failure_at: Instant | null;
  /** Attempts that failed since the last one that did not. */
  readonly failures_in_a_row: number;
}

/** A webhook with its secret, which is shown this once. */
export interface NewWebhook extends Webhook {
  /** `whsec_` and 32 bytes in base64. */
  readonly secret: string;
}

/** An event on its way to a webhook, or at its end. */
export interface WebhookDelivery {
  /** `dlv_…`. */
  readonly id: string;
  /** The id of the event, which is the same in each attempt. */
  readonly event_id: string;
  /** Such as `passport.revoked`, or `webhook.test`. */
  readonly event_type: string;
  /** `failed`: it is not tried again. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** How many attempts were made. */
  readonly attempt: number;
  /** What the last attempt was answered; `null`: nothing. */
  readonly http_status: number | null;
  /** How long the last attempt took. */
  readonly duration_ms: number | null;
  /** When it is tried next; `null`: no more, or it is being tried. */
  readonly next_attempt_at: Instant | null;
  /** When it was made ready. */
  readonly created_at: Instant;
}

/** The result of an event `webhook.test`. */
export interface WebhookTest {
  /** Its one delivery. */
  readonly delivery: WebhookDelivery;
}
