/** Sends what is due: each delivery by one node at a time, which has it leased in the storage. */
import { formatInstant } from '../../base/instant.ts';
import type { RandomSource } from '../../ports/storage.ts';
import type { WebhookDeliveryRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { createChore, oneAtATime } from '../shared/timers.ts';
import { replace } from '../storage/store.ts';
import type { Attempt } from './attempt.ts';
import { byTurns } from './by-turns.ts';
import { createDeliver } from './deliver.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { createFailureLine } from './failure-line.ts';
import { createLeases } from './leases.ts';

/** Sends by itself, once a second and when it is woken. */
export interface Sender {
  /** Looks for what is due now. */
  wake(): void;
  /** Begins nothing more; settles when what is under way has ended, which it is given 2 s for. */
  stop(): Promise<void>;
}

/** What a sender needs beside the context. */
export interface SenderParts {
  readonly attempt: Attempt;
  readonly slots: EndpointSlots;
  /** Whether there is any webhook: without one nothing is asked. */
  readonly hasWebhooks: () => boolean;
}

const EVERY_MS = 1_000;
const PAGE = 100;
const PATIENCE_MS = 2_000;

/** The sender of one node. */
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

  /** Whether there may be more to take. */
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
    // One for each: a signal that many requests listen to would make Node warn of a leak.
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

/** From any place of the list on, and round: nodes that all begin with the first take it from each other. */
function fromAnywhere<Item>(list: readonly Item[], random: RandomSource): readonly Item[] {
  const [byte = 0] = random.bytes(1);
  const start = Math.floor((byte / 256) * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

/** Takes deliveries out of the way of others, each for its time in milliseconds; whether any was. */
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
