/** The webhooks of an account, their changes and their deliveries. Types only. */
import type { Pages } from '../base/pages.ts';
import type { NewWebhook, Webhook, WebhookDelivery, WebhookTest } from '../records/webhook.ts';
import type { Page } from '../records.ts';
import type { CallOptions } from '../service/shared/call-options.ts';
import type { PageRequest } from '../service/shared/pages.ts';
import type { WebhookInput, WebhookPatch, WebhookRotation } from './webhook-input.ts';

/** Manages the webhooks of an account. A webhook of another account is `not_found`, as one that does not exist. */
export interface Webhooks<Options = CallOptions> {
  /**
   * Creates a webhook; only this answer has the secret. A client sends the request once.
   *
   * @throws {IdentityError} `plan_limit_reached` if the account has as many as the option `maxPerAccount` allows
   */
  create(input: WebhookInput, options?: Options): Promise<NewWebhook>;
  /** Lists the webhooks, newest first: the first page, with `for await` every page. */
  list(page?: PageRequest, options?: Options): Pages<Page<Webhook>>;
  /** Returns a webhook in its present state. */
  get(id: string, options?: Options): Promise<Webhook>;
  /** Changes the URL, the types, the description or the status. A patch that changes nothing writes nothing. */
  update(id: string, patch: WebhookPatch, options?: Options): Promise<Webhook>;
  /** Removes a webhook. Deliveries that were not sent yet are lost. */
  remove(id: string, options?: Options): Promise<void>;
  /**
   * Makes a new secret; only this answer has it. During the grace period requests are signed with the replaced secret
   * as well, but no earlier one. A client sends the request once.
   */
  rotate(id: string, rotation?: WebhookRotation, options?: Options): Promise<NewWebhook>;
  /**
   * Sends an event `webhook.test` once, also to a disabled webhook, and waits for the result, at most 15 s.
   *
   * @throws {IdentityError} `rate_limited` if the endpoint or its account has all of its requests in flight
   */
  test(id: string, options?: Options): Promise<WebhookTest>;
  /** Lists the deliveries, sent or still to be sent, newest first: the first page, with `for await` every page. */
  deliveries(id: string, page?: PageRequest, options?: Options): Pages<Page<WebhookDelivery>>;
  /**
   * Sends an event again, with all attempts of a new one.
   *
   * @throws {IdentityError} `conflict` while the webhook is disabled, and if the event is not stored any more
   */
  redeliver(id: string, deliveryId: string, options?: Options): Promise<WebhookDelivery>;
}
