/** The options of webhooks, the input of accounts, and its errors. */
import { eventTypesOf } from '../base/values/event-types.ts';
import { mustBe } from '../base/values/expected.ts';
import { anyOf, WEBHOOK_STATUSES } from '../base/values/vocabulary.ts';
import { type FieldError, pointer } from '../errors.ts';
import type { WebhookTransport } from '../ports/webhook-transport.ts';
import type { Webhook } from '../records/webhook.ts';

/** The options of `webhooks`. */
export interface WebhookOptions {
  /** `nodeWebhookTransport()` on Node, or your own. */
  readonly transport: WebhookTransport;
  /** The most webhooks of an account, 1 to 1,000; default 10. */
  readonly maxPerAccount?: number;
  /** `false`: this process only manages webhooks, and others on the same storage send; default `true`. */
  readonly sends?: boolean;
}

/** A webhook to create. */
export interface WebhookInput {
  /** The URL: `https://…`, port 443 or from 1,024 on, without credentials; at most 2,048 characters. */
  readonly url: string;
  /** 1 to 32 types such as `passport.revoked`, or whole kinds such as `passport.*`. */
  readonly types: readonly string[];
  /** At most 500 characters. */
  readonly description?: string;
}

/** A change of a webhook. */
export interface WebhookPatch {
  /** The URL, as at creation. */
  readonly url?: string;
  /** The types, as at creation. */
  readonly types?: readonly string[];
  /** The status. `active` also enables a webhook that was disabled for failures; earlier events are not sent. */
  readonly status?: Webhook['status'];
  /** The description; `null` removes it. */
  readonly description?: string | null;
}

/** Options of a rotation of the secret. */
export interface WebhookRotation {
  /** The time for which requests carry the signatures of both secrets: 0 to 604,800; default 0. */
  readonly grace_seconds?: number;
}

/** Finds the errors that the schemas of webhooks cannot express. */
export type WebhookErrors = (fields: Readonly<Record<string, unknown>>) => readonly FieldError[];

/** Makes the checks by the rules of a transport. */
export function webhookErrors(transport: WebhookTransport, allowLocalhost: boolean): WebhookErrors {
  return ({ url, types, status }) => {
    const refusal = typeof url === 'string' ? transport.refusal(url, allowLocalhost) : undefined;
    const isStatus = status === undefined || (WEBHOOK_STATUSES as readonly unknown[]).includes(status);
    const message = `This must be ${anyOf(WEBHOOK_STATUSES)}.`;
    return [
      ...(refusal === undefined ? [] : [{ path: '/url', code: 'not_allowed', message: refusal }]),
      ...(Array.isArray(types) ? types.flatMap(typeErrors) : []),
      ...(isStatus ? [] : [{ path: '/status', code: 'not_allowed', message }]),
    ];
  };
}

function typeErrors(type: unknown, index: number): readonly FieldError[] {
  if (typeof type !== 'string' || eventTypesOf(type).length > 0) return [];
  const path = `/types${pointer(`${index}`)}`;
  return [{ path, code: 'not_allowed', message: mustBe(path) }];
}
