/** Sends due deliveries: each by one node at a time, which holds its lease in the storage. */
import { formatInstant } from '../base/values/instant.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { Context } from '../service/shared/context.ts';
import { createChore, oneAtATime } from '../service/shared/timers.ts';
import { replace } from '../service/storage/store.ts';
import type { Attempt } from './attempt.ts';
import { byTurns } from './by-turns.ts';
import type { WebhookDeliveryRecord } from './collections.ts';
import { createDeliver } from './deliver.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { createFailureLine } from './failure-line.ts';
import { createLeases } from './leases.ts';

/** Sends once a second, and when it is woken. */
export interface Sender {
  /** Makes the sender look for due deliveries now. */
  wake(): void;
  /** Begins no more attempts; settles when the running ones have ended, for which they get 2 s. */
  stop(): Promise<void>;
}

/** The parts of a sender in addition to the context. */
export interface SenderParts {
  readonly attempt: Attempt;
  readonly slots: EndpointSlots;
  /** Says whether there is any webhook: without one the storage is not asked. */
  readonly hasWebhooks: () => boolean;
}

const EVERY_MS = 1_000;
const PAGE = 100;
const PATIENCE_MS = 2_000;

/** Makes the sender of one node. */
export function createSender(context: Context, { attempt, slots, hasWebhooks }: SenderParts): Sender {
  const { store, clock, caches } = context;
  const leases = createLeases(context);
  const deliver = createDeliver(context, attempt);
  const underWay = new Map<string, { readonly sending: Promise<void>; readonly ending: AbortController }>();
  let isStopped = false;
  const failures = createFailureLine(context, {
    event: 'webhooks_failed',
    message: 'Webhooks could not be sent.',
  });
  const look = oneAtATime(lookForDue);
  const chore = createChore(context.after, EVERY_MS, async () => {
    if (hasWebhooks()) await look.run();
    return true;
  });
  chore.ask();

  async function lookForDue(): Promise<void> {
    try {
      while (!isStopped && slots.free > 0 && (await takePage()));
      failures.over();
    } catch (error) {
      failures.report(error);
    }
  }

  /** Takes one page of due deliveries; `true` if there may be more. */
  async function takePage(): Promise<boolean> {
    const due = await store.due('webhook_deliveries', formatInstant(clock.now()), PAGE);
    const at = caches.monotonic();
    const waiting = due.filter(({ id }) => !underWay.has(id));
    const isFull = due.length === PAGE;
    const inOrder = leases.hasOthers ? fromAnywhere(waiting, context.random) : waiting;
    const taken = byTurns(inOrder).filter((delivery) => slots.enter(delivery, at));
    const { won, failure } = await leases.take(taken);
    const own = new Set(won.map(({ id }) => id));
    for (const delivery of taken) if (!own.has(delivery.id)) slots.leave(delivery);
    for (const leased of won) begin(leased);
    if (failure !== undefined) throw failure;
    if (!isFull) return false;
    if (taken.length > 0) return true;
    return postpone(context, waiting, (delivery) => slots.waitMs(delivery, at));
  }

  function begin(leased: WebhookDeliveryRecord): void {
    // One signal for each request: Node would warn of a leak if many listened to one signal.
    const ending = new AbortController();
    const begunAt = caches.monotonic();
    const sending = deliver(leased, ending.signal)
      .catch((error: unknown) => failures.report(error))
      .then((isSuccess) => {
        underWay.delete(leased.id);
        const tookMs = caches.monotonic() - begunAt;
        slots.leave(leased, typeof isSuccess === 'boolean' ? { isSuccess, tookMs } : undefined);
        wake();
      });
    underWay.set(leased.id, { sending, ending });
  }

  function wake(): void {
    if (!isStopped) void look.run();
  }

  return {
    wake,
    async stop() {
      isStopped = true;
      await chore.stop();
      await look.settled();
      const all = [...underWay.values()];
      const cancel = context.awaitedAfter(PATIENCE_MS, () => {
        for (const { ending } of all) ending.abort();
      });
      await Promise.all(all.map(({ sending }) => sending));
      cancel();
    },
  };
}

/** Rotates the list to a random start: nodes that all begin with the first delivery would take it from each other. */
function fromAnywhere<Item>(list: readonly Item[], random: RandomSource): readonly Item[] {
  const [byte = 0] = random.bytes(1);
  const start = Math.floor((byte / 256) * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

/** Postpones deliveries, each by its time in milliseconds; `true` if any was postponed. */
async function postpone(
  { store, clock }: Context,
  waiting: readonly WebhookDeliveryRecord[],
  waitMs: (record: WebhookDeliveryRecord) => number,
): Promise<boolean> {
  const at = clock.now();
  const changes = waiting.flatMap((record) => {
    const ms = waitMs(record);
    if (ms === 0) return [];
    const later = { ...record, due_at: formatInstant(at + ms), version: record.version + 1 };
    return [replace('webhook_deliveries', later, record.version)];
  });
  return changes.length > 0 && (await store.write(...changes)).written;
}
