/** The next state of a delivery, and of its webhook, after an attempt. */
import { isFromJournal } from '../base/values/event-types.ts';
import { formatInstant } from '../base/values/instant.ts';
import { floorTo, RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { WebhookDisabledReason } from '../records/webhook.ts';
import type { Attempted } from './attempt.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';
import { nextDelayMs, retryAfterMs } from './retry-plan.ts';

/** The result of an attempt. */
export interface Settled {
  readonly delivery: WebhookDeliveryRecord;
  readonly isSuccess: boolean;
  /** The reason to disable the webhook, if there is one. */
  readonly disables: WebhookDisabledReason | undefined;
}

/**
 * The time for which delivered verdicts are kept: a day, because they are many. Other deliveries are kept for all 7
 * days.
 */
const ARRIVED_VERDICT_MS = RESOLUTION_MS.day;

/** Returns the delivery after an attempt that ended at `at`, in milliseconds. */
export function settleAttempt(
  record: WebhookDeliveryRecord,
  attempted: Attempted,
  at: number,
  random: RandomSource,
): Settled {
  const { http_status, duration_ms } = attempted;
  const attempt = record.attempt + 1;
  const attempted_at = formatInstant(at);
  const tried = { ...record, attempt, http_status, duration_ms, attempted_at };
  if (http_status !== null && http_status >= 200 && http_status < 300) {
    const delivery = endDelivery(tried, 'delivered');
    const isVerdict = isFromJournal(record.event_type);
    const expires_at = isVerdict ? formatInstant(at + ARRIVED_VERDICT_MS) : delivery.expires_at;
    return { delivery: { ...delivery, expires_at }, isSuccess: true, disables: undefined };
  }
  const delay = nextDelayMs(attempt, random);
  if (http_status === 410 || delay === undefined) {
    const disables = http_status === 410 ? 'gone' : 'failures';
    return { delivery: endDelivery(tried, 'failed'), isSuccess: false, disables };
  }
  const isBusy = http_status === 429 || http_status === 503;
  const asked = isBusy ? retryAfterMs(attempted.retryAfter, at) : 0;
  const due_at = formatInstant(at + Math.max(delay, asked));
  const delivery = { ...tried, due_at, is_leased: false, version: record.version + 1 };
  return { delivery, isSuccess: false, disables: undefined };
}

/** Returns the delivery in its final state. */
export function endDelivery(
  { due_at: _, ...record }: WebhookDeliveryRecord,
  status: 'delivered' | 'failed',
): WebhookDeliveryRecord {
  return { ...record, status, is_leased: false, version: record.version + 1 };
}

/** Returns the webhook after the attempt; `undefined` if it does not change. Successes are noted to the minute. */
export function healthAfter(
  webhook: WebhookRecord,
  { isSuccess, disables }: Settled,
  at: number,
): WebhookRecord | undefined {
  const version = webhook.version + 1;
  if (isSuccess) {
    const last_success_at = formatInstant(floorTo('minute', at));
    if (webhook.failures_in_a_row === 0 && webhook.last_success_at === last_success_at) return undefined;
    return { ...webhook, version, last_success_at, failures_in_a_row: 0 };
  }
  const failures_in_a_row = webhook.failures_in_a_row + 1;
  const failed = { ...webhook, version, last_failure_at: formatInstant(at), failures_in_a_row };
  const isEnd = disables !== undefined && webhook.status === 'active';
  return isEnd ? { ...failed, status: 'disabled', disabled_reason: disables } : failed;
}
