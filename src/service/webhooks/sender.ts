/** Sends what is due: each delivery by one node at a time, which has it leased in the storage. */
import { formatInstant } from '../../base/instant.ts';
import { describeCause, IdentityError } from '../../errors.ts';
import type { WebhookDeliveryRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { createChore, oneAtATime } from '../shared/timers.ts';
import { replace } from '../storage/store.ts';
import { type Attempt, TIMEOUT_MS } from './attempt.ts';
import { createDeliver } from './deliver.ts';
import { createEndpointSlots } from './endpoint-slots.ts';

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
  /** Whether there is any webhook: without one nothing is asked. */
  readonly hasWebhooks: () => boolean;
}

const EVERY_MS = 1_000;
const PAGE = 100;
/** Longer than an attempt and its writes take: a lease that is over is that of a node that died. */
export const LEASE_MS: number = 2 * TIMEOUT_MS;
/** What stands behind a stuck endpoint goes out of the way of the others. */
const POSTPONED_MS = 30_000;
const PATIENCE_MS = 2_000;

/** The sender of one node. */
export function createSender(context: Context, { attempt, hasWebhooks }: SenderParts): Sender {
  const { store, clock, caches } = context;
  const slots = createEndpointSlots();
  const deliver = createDeliver(context, attempt);
  const underWay = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let isStopped = false;
  const failures = createFailureLine(context);
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
    const taken = waiting.filter(({ webhook_id }) => slots.enter(webhook_id, at));
    await Promise.all(taken.map(begin));
    if (due.length < PAGE) return false;
    if (taken.length > 0) return true;
    return postpone(
      context,
      waiting.filter(({ webhook_id }) => slots.isStuck(webhook_id, at)),
    );
  }

  /** Settles when the delivery is leased, and is sent, or is that of another node. */
  async function begin(record: WebhookDeliveryRecord): Promise<void> {
    const due_at = formatInstant(clock.now() + LEASE_MS);
    const leased = { ...record, due_at, is_leased: true, version: record.version + 1 };
    const won = await store
      .write(replace('webhook_deliveries', leased, record.version))
      .then(({ written }) => written)
      .catch((error: unknown) => failures.report(error));
    if (won !== true) {
      slots.leave(record.webhook_id, true);
      return;
    }
    const sending = deliver(leased, ending.signal)
      .catch((error: unknown) => failures.report(error))
      .then((isSuccess) => {
        underWay.delete(record.id);
        slots.leave(record.webhook_id, isSuccess !== false);
        wake();
      });
    underWay.set(record.id, sending);
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
      const cancel = context.awaitedAfter(PATIENCE_MS, () => ending.abort());
      await Promise.all(underWay.values());
      cancel();
    },
  };
}

/** Takes deliveries out of the way of others; whether any was. */
async function postpone(
  { store, clock }: Context,
  stuck: readonly WebhookDeliveryRecord[],
): Promise<boolean> {
  if (stuck.length === 0) return false;
  const due_at = formatInstant(clock.now() + POSTPONED_MS);
  const changes = stuck.map((record) =>
    replace('webhook_deliveries', { ...record, due_at, version: record.version + 1 }, record.version),
  );
  return (await store.write(...changes)).written;
}

/** One line in the log for each row of failures; an outage of the storage is reported elsewhere. */
function createFailureLine({ log }: Context): { report(error: unknown): void; over(): void } {
  let isFailing = false;
  return {
    report(error) {
      const isOutage = error instanceof IdentityError && error.code === 'storage_unavailable';
      const message = 'Webhooks could not be sent.';
      if (!isFailing && !isOutage)
        log({ level: 'error', event: 'webhooks_failed', message, cause: describeCause(error) });
      isFailing = true;
    },
    over() {
      isFailing = false;
    },
  };
}
