/** Sends an event to a webhook once, signed by Standard Webhooks 1.0. */

import { isFromJournal } from '../base/values/event-types.ts';
import { formatInstant } from '../base/values/instant.ts';
import { floorTo, RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { Context } from '../core/shared/context.ts';
import { signedContent, webhookSignature } from '../credential/webhook-secret.ts';
import { type IdentityEvent, ocsfLine } from '../ocsf/index.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { WebhookTransport } from '../ports/webhook-transport.ts';
import type { WebhookDisabledReason } from '../records/webhook.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';
import type { SignPublicly } from './public-signatures.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

interface Attempted {
  readonly http_status: number | null;
  readonly retryAfter: string | null;
  readonly duration_ms: number;
}

export type Attempt = (
  webhook: WebhookRecord,
  delivery: Pick<WebhookDeliveryRecord, 'event_id' | 'payload'>,
  signal?: AbortSignal,
) => Promise<Attempted>;

interface AttemptParts {
  readonly transport: WebhookTransport;
  readonly secrets: WebhookSecrets;
  readonly signPublicly: SignPublicly;
}

export const TIMEOUT_MS = 15_000;

export function createAttempt(
  context: Pick<Context, 'caches' | 'clock' | 'allowLocalhost' | 'awaitedAfter'>,
  { transport, secrets, signPublicly }: AttemptParts,
): Attempt {
  const { clock, caches, awaitedAfter, allowLocalhost } = context;

  return async (webhook, { event_id, payload }, signal) => {
    const atMs = clock.now();
    const body = bodyOf(webhook, payload);
    const request = { id: event_id, timestamp: Math.floor(atMs / 1_000), body };
    const content = signedContent(request);
    const keys = await secrets.open(webhook, formatInstant(atMs));
    const ownSignatures = await Promise.all(keys.map((key) => webhookSignature(key, content)));
    const signatures = [...ownSignatures, ...(await signPublicly(content))];
    const endedController = new AbortController();
    const end = (): void => endedController.abort();
    const cancel = awaitedAfter(TIMEOUT_MS, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    const begunMs = caches.monotonic();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'agent-identity-service',
      'webhook-id': request.id,
      'webhook-timestamp': `${request.timestamp}`,
      'webhook-signature': signatures.join(' '),
    };
    try {
      const { url } = webhook;
      const answer = await transport
        .post({ url, headers, body, signal: endedController.signal, allowLocalhost })
        .catch(() => undefined);
      return {
        http_status: answer?.status ?? null,
        retryAfter: answer?.retryAfter ?? null,
        duration_ms: Math.max(0, Math.round(caches.monotonic() - begunMs)),
      };
    } finally {
      cancel();
      signal?.removeEventListener('abort', end);
    }
  };
}

function bodyOf({ format }: WebhookRecord, payload: string): string {
  return format === 'ocsf' ? ocsfLine(JSON.parse(payload) as IdentityEvent) : payload;
}

// Computes the next state of a delivery, and of its webhook, after an attempt.

export interface Settled {
  readonly delivery: WebhookDeliveryRecord;
  readonly isSuccess: boolean;
  readonly disables: WebhookDisabledReason | undefined;
}

/**
 * The milliseconds for which delivered verdicts are kept: one day, because they are many. Other deliveries are kept for
 * 7 days.
 */
const ARRIVED_VERDICT_MS = RESOLUTION_MS.day;

export function settleAttempt(
  record: WebhookDeliveryRecord,
  result: Attempted,
  atMs: number,
  random: RandomSource,
): Settled {
  const { http_status, duration_ms } = result;
  const attempt = record.attempt + 1;
  const attempted_at = formatInstant(atMs);
  const triedRecord = { ...record, attempt, http_status, duration_ms, attempted_at };
  if (http_status !== null && http_status >= 200 && http_status < 300) {
    const delivery = endDelivery(triedRecord, 'delivered');
    const isVerdict = isFromJournal(record.event_type);
    const expires_at = isVerdict ? formatInstant(atMs + ARRIVED_VERDICT_MS) : delivery.expires_at;
    return { delivery: { ...delivery, expires_at }, isSuccess: true, disables: undefined };
  }
  const delay = nextDelayMs(attempt, random);
  if (http_status === 410 || delay === undefined) {
    const disables = http_status === 410 ? 'gone' : 'failures';
    return { delivery: endDelivery(triedRecord, 'failed'), isSuccess: false, disables };
  }
  const isBusy = http_status === 429 || http_status === 503;
  const askedMs = isBusy ? retryAfterMs(result.retryAfter, atMs) : 0;
  const due_at = formatInstant(atMs + Math.max(delay, askedMs));
  const delivery = { ...triedRecord, due_at, is_leased: false, version: record.version + 1 };
  return { delivery, isSuccess: false, disables: undefined };
}

export function endDelivery(
  { due_at: _, ...record }: WebhookDeliveryRecord,
  status: 'delivered' | 'failed',
): WebhookDeliveryRecord {
  return { ...record, status, is_leased: false, version: record.version + 1 };
}

/**
 * Returns the webhook after the attempt. Returns `undefined` if it does not change. The time of a success is rounded to
 * the minute.
 */
export function healthAfter(
  webhook: WebhookRecord,
  { isSuccess, disables }: Settled,
  atMs: number,
): WebhookRecord | undefined {
  const version = webhook.version + 1;
  if (isSuccess) {
    const last_success_at = formatInstant(floorTo('minute', atMs));
    if (webhook.failures_in_a_row === 0 && webhook.last_success_at === last_success_at) return undefined;
    return { ...webhook, version, last_success_at, failures_in_a_row: 0 };
  }
  const failures_in_a_row = webhook.failures_in_a_row + 1;
  const failedWebhook = { ...webhook, version, last_failure_at: formatInstant(atMs), failures_in_a_row };
  const isEnd = disables !== undefined && webhook.status === 'active';
  return isEnd ? { ...failedWebhook, status: 'disabled', disabled_reason: disables } : failedWebhook;
}

const DELAYS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** The random part of each delay, so that endpoints that failed together are not retried together. */
const JITTER = 0.2;

function nextDelayMs(attempt: number, random: RandomSource): number | undefined {
  const delay = DELAYS_S[attempt - 1];
  if (delay === undefined) return undefined;
  const [high = 0, low = 0] = random.bytes(2);
  const share = (high * 256 + low) / 65_535;
  return Math.round(delay * 1_000 * (1 - JITTER + 2 * JITTER * share));
}

/** The maximum delay in milliseconds that an endpoint may ask for. */
const LONGEST_MS = RESOLUTION_MS.day;

function retryAfterMs(text: string | null, atMs: number): number {
  if (text === null) return 0;
  const askedMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - atMs;
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), LONGEST_MS);
}
