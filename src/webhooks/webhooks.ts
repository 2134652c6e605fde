/** The webhooks of an account, their changes and their deliveries. Types only. */
import type { Pages } from '../base/pages.ts';
import { eventTypesOf } from '../base/values/event-types.ts';
import { anyOf, WEBHOOK_FORMATS, WEBHOOK_STATUSES } from '../base/values/vocabulary.ts';
import type { CallOptions } from '../core/shared/callers.ts';
import type { PageRequest } from '../core/shared/pages.ts';
import { type FieldError, pointer } from '../errors.ts';
import type { WebhookTransport } from '../ports/webhook-transport.ts';
import type { NewWebhook, Webhook, WebhookDelivery, WebhookFormat, WebhookTest } from '../records/webhook.ts';
import type { Page } from '../records.ts';
import { mustBe } from '../schema/expected.ts';

/** Manages the webhooks of an account. */
export interface Webhooks<Options = CallOptions> {
  /**
   * Creates a webhook. Only this answer contains the secret, so a client does not repeat the request.
   *
   * @throws {IdentityError} `plan_limit_reached` if the account has as many as the option `maxPerAccount` allows.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  create(input: WebhookInput, options?: Options): Promise<NewWebhook>;
  /**
   * Lists the webhooks, newest first. `await` returns the first page, and `for await` every page.
   *
   * @throws {IdentityError} `invalid_request` for a wrong limit or cursor.
   */
  list(page?: PageRequest, options?: Options): Pages<Page<Webhook>>;
  /**
   * Returns the current state of a webhook.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook.
   */
  get(id: string, options?: Options): Promise<Webhook>;
  /**
   * Changes the URL, the types, the description or the status. A patch that changes nothing writes nothing.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook.
   * @throws {IdentityError} `invalid_request` for a wrong patch.
   */
  update(id: string, patch: WebhookPatch, options?: Options): Promise<Webhook>;
  /**
   * Removes a webhook. Deliveries that were not sent yet are lost.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook.
   */
  remove(id: string, options?: Options): Promise<void>;
  /**
   * Creates a new secret. Only this answer contains the secret, so a client does not repeat the request. During the
   * grace period, requests have a second signature with the old secret.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  rotate(id: string, rotation?: WebhookRotation, options?: Options): Promise<NewWebhook>;
  /**
   * Sends an event `webhook.test` once, even to a disabled webhook, and waits at most 15 s for the result.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook.
   * @throws {IdentityError} `rate_limited` if too many requests to the endpoint or for its account are running
   */
  test(id: string, options?: Options): Promise<WebhookTest>;
  /**
   * Lists the deliveries, sent or not yet sent, newest first. `await` returns the first page, and `for await` every
   * page.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook.
   * @throws {IdentityError} `invalid_request` for a wrong limit or cursor.
   */
  deliveries(id: string, page?: PageRequest, options?: Options): Pages<Page<WebhookDelivery>>;
  /**
   * Sends an event again, with all attempts of a new delivery.
   *
   * @throws {IdentityError} `not_found` if the account has no such webhook, or the webhook has no such delivery.
   * @throws {IdentityError} `conflict` while the webhook is disabled, or if the event is no longer stored.
   */
  redeliver(id: string, deliveryId: string, options?: Options): Promise<WebhookDelivery>;
}

/** The options of `webhooks`. */
export interface WebhookOptions {
  /** Sends the requests: `nodeWebhookTransport()` on Node, or your own transport. */
  readonly transport: WebhookTransport;
  /** The maximum number of webhooks of an account, 1 to 1,000; default 10. */
  readonly maxPerAccount?: number;
  /** `false`: this process only manages webhooks, and other processes with the same storage send. Default: `true`. */
  readonly sends?: boolean;
}

/** A webhook to create. */
export interface WebhookInput {
  /** The URL: `https://…`, port 443 or from 1,024 on, without credentials, at most 2,048 characters. */
  readonly url: string;
  /** The event types, 1 to 32: types such as `passport.revoked`, or whole kinds such as `passport.*`. */
  readonly types: readonly string[];
  /** A description of at most 500 characters. */
  readonly description?: string;
  /** The body of requests. `ocsf`: a line of OCSF 1.8.0. Default: `event`. */
  readonly format?: WebhookFormat;
}

/** A change of a webhook. */
export interface WebhookPatch {
  /** The URL, with the same rules as at creation. */
  readonly url?: string;
  /** The event types, with the same rules as at creation. */
  readonly types?: readonly string[];
  /** The status. `active` also enables a webhook that was disabled because of failures. Earlier events are not sent. */
  readonly status?: Webhook['status'];
  /** The description. `null` removes it. */
  readonly description?: string | null;
  /** The format of all later request bodies, including retries. */
  readonly format?: WebhookFormat;
}

/** Options of a rotation of the secret. */
export interface WebhookRotation {
  /** The seconds for which requests have signatures with both secrets, 0 to 604,800. Default: 0. */
  readonly grace_seconds?: number;
}

/** Finds the errors that the schemas of webhooks cannot express. */
export type WebhookErrors = (fields: Readonly<Record<string, unknown>>) => readonly FieldError[];

export function webhookErrors(transport: WebhookTransport, allowLocalhost: boolean): WebhookErrors {
  return ({ url, types, status, format }) => {
    const refusal = typeof url === 'string' ? transport.refusal(url, allowLocalhost) : undefined;
    return [
      ...(refusal === undefined ? [] : [{ path: '/url', code: 'not_allowed', message: refusal }]),
      ...(Array.isArray(types) ? types.flatMap(typeErrors) : []),
      ...wordErrors('/status', status, WEBHOOK_STATUSES),
      ...wordErrors('/format', format, WEBHOOK_FORMATS),
    ];
  };
}

function wordErrors(path: string, word: unknown, words: readonly string[]): readonly FieldError[] {
  if (word === undefined || (words as readonly unknown[]).includes(word)) return [];
  return [{ path, code: 'not_allowed', message: `This must be ${anyOf(words)}.` }];
}

function typeErrors(type: unknown, index: number): readonly FieldError[] {
  if (typeof type !== 'string' || eventTypesOf(type).length > 0) return [];
  const path = `/types${pointer(`${index}`)}`;
  return [{ path, code: 'not_allowed', message: mustBe(path) }];
}
