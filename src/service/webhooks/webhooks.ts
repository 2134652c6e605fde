/** The webhooks of an account: what they are, how they change, and what was sent to them. */

import type { NewWebhook, Webhook, WebhookDelivery, WebhookTest } from '../../records/webhook.ts';
import type { Page } from '../../records.ts';
import type { Actor } from '../shared/callers.ts';
import type { PageRequest } from '../shared/pages.ts';
import type { WebhookInput, WebhookPatch, WebhookRotation } from './webhook-input.ts';

/** Manages the webhooks of an account. `not_found` for one of another account as for one that does not exist. */
export interface Webhooks {
  /** Whether this service sends webhooks: the option `webhooks` was given. Otherwise every verb is `not_found`. */
  readonly isOn: boolean;
  /** `plan_limit_reached` over the number of the option; counted in one step with the insert. */
  create(input: WebhookInput, actor?: Actor): Promise<NewWebhook>;
  /** Newest first. */
  list(request?: PageRequest, actor?: Actor): Promise<Page<Webhook>>;
  /** Its state now. */
  get(id: string, actor?: Actor): Promise<Webhook>;
  /** A patch that changes nothing writes nothing. */
  update(id: string, patch: WebhookPatch, actor?: Actor): Promise<Webhook>;
  /** Nothing more is sent; what was not sent yet is lost. */
  remove(id: string, actor?: Actor): Promise<void>;
  /** A new secret. For the grace period requests are also signed with the secret that it replaces, and with no earlier one. */
  rotate(id: string, rotation?: WebhookRotation, actor?: Actor): Promise<NewWebhook>;
  /**
   * Sends an event `webhook.test` once, also to one that is disabled, and waits for its end, at most 15 s. `rate_limited`
   * where the endpoint or its account has all requests under way that it may have.
   */
  test(id: string, actor?: Actor): Promise<WebhookTest>;
  /** What was sent, or is to be, newest first. */
  deliveries(id: string, request?: PageRequest, actor?: Actor): Promise<Page<WebhookDelivery>>;
  /** Sends an event again, with all attempts of a new one; `conflict` while the webhook is disabled, and where the event is not kept any more. */
  redeliver(id: string, deliveryId: string, actor?: Actor): Promise<WebhookDelivery>;
}

/** The same with what the service itself needs. */
export interface OpenWebhooks extends Webhooks {
  /** Encrypts the secrets with the first secret of the service; how many had another. */
  reseal(): Promise<number>;
  stop(): Promise<void>;
}
