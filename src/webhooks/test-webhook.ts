/** A test of a webhook: one event that is sent at once. It takes a slot of its endpoint, as any other event does. */
import { eventId } from '../base/bytes/event-position.ts';
import { formatInstant } from '../base/values/instant.ts';
import { IdentityError } from '../errors.ts';
import type { Actor } from '../service/shared/callers.ts';
import type { Context } from '../service/shared/context.ts';
import { insert, replace } from '../service/storage/store.ts';
import { type Attempt, TIMEOUT_MS } from './attempt.ts';
import type { WebhookRecord } from './collections.ts';
import type { Ended, EndpointSlots } from './endpoint-slots.ts';
import { endDelivery, type Settled, settleAttempt } from './settle.ts';
import { newDelivery, ownedWebhook, toDelivery } from './webhook-record.ts';
import type { Webhooks } from './webhooks.ts';

/** The dependencies of this method in addition to the context. */
export interface TestParts {
  readonly attempt: Attempt;
  readonly slots: EndpointSlots;
  /** Makes the sender look for due deliveries soon. */
  readonly wake: () => void;
}

/** Makes the method that tests a webhook. */
export function createTestWebhook(
  context: Context,
  { attempt, slots, wake }: TestParts,
): Webhooks<Actor>['test'] {
  const { caches } = context;
  return async (id, actor = {}) => {
    const webhook = await ownedWebhook(context, id, actor);
    const endpoint = { webhook_id: id, account_id: webhook.account_id };
    const begunAt = caches.monotonic();
    if (!slots.enter(endpoint, begunAt)) throw allUnderWay();
    let ended: Ended | undefined;
    try {
      const { delivery, isSuccess } = await sendTest(context, attempt, webhook);
      ended = { isSuccess, tookMs: caches.monotonic() - begunAt };
      return { delivery: toDelivery(delivery) };
    } finally {
      slots.leave(endpoint, ended);
      wake();
    }
  };
}

/** Sends a test by one attempt, without retry. Meanwhile it holds the lease, so that no node takes the delivery. */
async function sendTest(context: Context, attempt: Attempt, webhook: WebhookRecord): Promise<Settled> {
  const { store, clock, random } = context;
  const at = clock.now();
  const event = {
    id: eventId({ ms: at, source: 'c', name: context.nextEventName() }),
    type: 'webhook.test',
    timestamp: formatInstant(at),
    data: { webhook_id: webhook.id },
  };
  const leased = {
    ...newDelivery(webhook, { ...event, payload: JSON.stringify(event) }, at),
    due_at: formatInstant(at + 2 * TIMEOUT_MS),
    is_leased: true,
  };
  await store.write(insert('webhook_deliveries', leased));
  const settled = settleAttempt(leased, await attempt(webhook, leased), clock.now(), random);
  const { version } = settled.delivery;
  const delivery = settled.isSuccess
    ? settled.delivery
    : { ...endDelivery(settled.delivery, 'failed'), version };
  await store.write(replace('webhook_deliveries', delivery, leased.version));
  return { ...settled, delivery };
}

function allUnderWay(): IdentityError {
  const message = 'All requests that this endpoint or its account may have at a time are under way.';
  const details = { retryAfterSeconds: TIMEOUT_MS / 1_000 };
  return new IdentityError('rate_limited', message, { details });
}
