/** What accounts say of webhooks, and what is wrong with it. */
import { eventTypesOf } from '../../base/event-types.ts';
import { mustBe } from '../../base/expected.ts';
import { anyOf, WEBHOOK_STATUSES } from '../../base/vocabulary.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { WebhookTransport } from '../../ports/webhook-transport.ts';
import type { Webhook } from '../../records/webhook.ts';

/** The webhook to make. */
export interface WebhookInput {
  /** `https://…`, port 443 or from 1,024 on, without credentials; at most 2,048 characters. */
  readonly url: string;
  /** 1 to 32 types such as `passport.revoked`, or all of a kind as `passport.*`. */
  readonly types: readonly string[];
  /** At most 500 characters. */
  readonly description?: string;
}

/** What to change of a webhook. */
export interface WebhookPatch {
  /** As at creation. */
  readonly url?: string;
  /** As at creation. */
  readonly types?: readonly string[];
  /** `active` also enables one that was disabled for failures; earlier events are not sent. */
  readonly status?: Webhook['status'];
  /** `null`: none. */
  readonly description?: string | null;
}

/** How to rotate the secret. */
export interface WebhookRotation {
  /** 0 to 604,800: how long requests carry the signatures of both secrets; default 0. */
  readonly grace_seconds?: number;
}

/** Finds what the schemas of webhooks cannot express. */
export type WebhookErrors = (fields: Readonly<Record<string, unknown>>) => readonly FieldError[];

/** The errors by the rules of a transport. */
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
