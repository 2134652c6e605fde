/** The webhooks of an account, their changes and their deliveries. */

import type { NewWebhook, Webhook, WebhookDelivery, WebhookTest } from '../../records/webhook.ts';
import type { Page } from '../../records.ts';
import type { Actor } from '../shared/callers.ts';
import type { PageRequest } from '../shared/pages.ts';
import type { WebhookInput, WebhookPatch, WebhookRotation } from './webhook-input.ts';

/** Manages the webhooks of an account. A webhook of another account is `not_found`, as one that does not exist. */
export interface Webhooks {
  /** `true` if this service sends webhooks (option `webhooks`). Every method is `not_found` otherwise. */
  readonly isOn: boolean;
  /** Creates a webhook; `plan_limit_reached` over the number of the option, counted in one write with the insert. */
  create(input: WebhookInput, actor?: Actor): Promise<NewWebhook>;
  /** Lists the webhooks, newest first. */
  list(request?: PageRequest, actor?: Actor): Promise<Page<Webhook>>;
  /** Returns one webhook. */
  get(id: string, actor?: Actor): Promise<Webhook>;
  /** Changes a webhook. A patch that changes nothing writes nothing. */
  update(id: string, patch: WebhookPatch, actor?: Actor): Promise<Webhook>;
  /** Removes a webhook. Deliveries that were not sent yet are lost. */
  remove(id: string, actor?: Actor): Promise<void>;
  /**
   * Makes a new secret. During the grace period requests are signed with the replaced secret as well, but no earlier
   * one.
   */
  rotate(id: string, rotation?: WebhookRotation, actor?: Actor): Promise<NewWebhook>;
  /**
   * Sends an event `webhook.test` once, also to a disabled webhook, and waits for the result, at most 15 s.
   * `rate_limited` if the endpoint or its account has all of its requests in flight.
   */
  test(id: string, actor?: Actor): Promise<WebhookTest>;
  /** Lists the deliveries, sent or still to be sent, newest first. */
  deliveries(id: string, request?: PageRequest, actor?: Actor): Promise<Page<WebhookDelivery>>;
  /**
   * Sends an event again, with all attempts of a new one. `conflict` while the webhook is disabled, and if the event
   * is no longer stored.
   */
  redeliver(id: string, deliveryId: string, actor?: Actor): Promise<WebhookDelivery>;
}

/** The webhooks with what the service itself needs. */
export interface OpenWebhooks extends Webhooks {
  /** Encrypts the secrets with the first secret of the service; returns the number that had another. */
  reseal(): Promise<number>;
  stop(): Promise<void>;
}
