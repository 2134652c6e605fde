/** Sends a delivery that this node has leased, and stores the result. */

import type { Context } from '../service/shared/context.ts';
import { logSecurityEvent } from '../service/shared/security-log.ts';
import { answered, groupSteps } from '../service/storage/step-groups.ts';
import { remove, replace } from '../service/storage/store.ts';
import type { Attempt } from './attempt.ts';
import type { WebhookDeliveryRecord } from './collections.ts';
import { readPayload } from './payload.ts';
import { endDelivery, healthAfter, type Settled, settleAttempt } from './settle.ts';

/** The pause between two tries to store the result of an attempt. */
const AGAIN_MS = 1_000;

/** Delivers once; `true` if the endpoint is expected to take the next event. `signal` aborts it. */
export type Deliver = (leased: WebhookDeliveryRecord, signal: AbortSignal) => Promise<boolean>;

/** Makes the function that delivers by one attempt each. */
export function createDeliver(context: Context, attempt: Attempt): Deliver {
  const { store, clock, awaitedAfter } = context;

  async function deliver(leased: WebhookDeliveryRecord, signal: AbortSignal): Promise<boolean> {
    const webhook = await store.get('webhooks', leased.webhook_id);
    const payload = await readPayload(context, leased);
    if (webhook?.status !== 'active' || payload === undefined) {
      const end =
        webhook === undefined
          ? remove('webhook_deliveries', leased.id, leased.version)
          : replace('webhook_deliveries', endDelivery(leased, 'failed'), leased.version);
      await store.write(end);
      return true;
    }
    const attempted = await attempt(webhook, { ...leased, payload }, signal);
    // An attempt that the end of this node has aborted is made again by another node, when the lease is over.
    if (signal.aborted && attempted.http_status === null) return true;
    const settled = settleAttempt(leased, attempted, clock.now(), context.random);
    await noteWhileLeased(leased, settled, signal);
    return settled.isSuccess;
  }

  /** Stores a result, and retries until the lease is over: without the result the event would be sent twice. */
  async function noteWhileLeased(leased: WebhookDeliveryRecord, settled: Settled, signal: AbortSignal) {
    const until = leased.due_at === undefined ? 0 : Date.parse(leased.due_at);
    for (;;) {
      try {
        return await note(leased, settled);
      } catch (error) {
        if (signal.aborted || clock.now() + AGAIN_MS >= until) throw error;
      }
      await new Promise<void>((resolve) => awaitedAfter(AGAIN_MS, resolve));
    }
  }

  /** Stores the result of an attempt, and the health of the webhook. */
  async function note(leased: WebhookDeliveryRecord, settled: Settled): Promise<void> {
    const delivery = replace('webhook_deliveries', settled.delivery, leased.version);
    for (;;) {
      const webhook = await store.get('webhooks', leased.webhook_id);
      const next = webhook && healthAfter(webhook, settled, clock.now());
      const health = webhook && next ? [replace('webhooks', next, webhook.version)] : [];
      const steps = groupSteps<'delivery' | 'health'>(['delivery', [delivery]], ['health', health]);
      const answer = answered(await store.write(...steps.changes));
      if (answer.written) {
        if (webhook?.status === 'active' && next?.status === 'disabled') {
          const { id: webhook_id, account_id } = webhook;
          const reason = next.disabled_reason ?? undefined;
          logSecurityEvent(context, 'webhook.disabled', {
            account_id,
            webhook_id,
            ...(reason && { reason }),
          });
        }
        return;
      }
      // The lease was over, and another node has the delivery. The event is sent again: delivery is at least once.
      if (steps.failed(answer).has('delivery')) return;
    }
  }

  return deliver;
}
