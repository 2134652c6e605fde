/** Sends due deliveries. One node at a time sends a delivery, and holds the lease of the delivery in the storage. */
import { formatInstant } from '../base/values/instant.ts';
import type { Context } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { createChore, oneAtATime } from '../core/shared/timers.ts';
import { answered, groupSteps, type StepGroup } from '../core/storage/step-groups.ts';
import { remove, replace } from '../core/storage/store.ts';
import type { RandomSource } from '../ports/storage.ts';
import {
  type Attempt,
  endDelivery,
  healthAfter,
  type Settled,
  settleAttempt,
  TIMEOUT_MS,
} from './attempt.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { readPayload } from './payload.ts';
import { createFailureLine } from './public-signatures.ts';

type Needs = Pick<
  Context,
  'store' | 'caches' | 'clock' | 'random' | 'publicUrl' | 'after' | 'awaitedAfter' | 'log'
>;

/** Sends due deliveries once a second, and after each call of `wake`. */
export interface Sender {
  wake(): void;
  /** Begins no more attempts. Gives the running attempts 2 s, and resolves after they have ended. */
  stop(): Promise<void>;
}

export interface SenderParts {
  readonly attempt: Attempt;
  readonly slots: EndpointSlots;
  /** Returns `true` if there is any webhook. Without webhooks, the storage is not read. */
  readonly hasWebhooks: () => boolean;
}

const EVERY_MS = 1_000;
const PAGE = 100;
const PATIENCE_MS = 2_000;

export function createSender(context: Needs, { attempt, slots, hasWebhooks }: SenderParts): Sender {
  const { store, clock, caches } = context;
  const leases = createLeases(context);
  const deliver = createDeliver(context, attempt);
  const underWay = new Map<string, { readonly sending: Promise<void>; readonly ending: AbortController }>();
  let isStopped = false;
  const failures = createFailureLine(context, {
    event: 'webhooks_failed',
    message: 'Webhooks could not be sent. The service tries again.',
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

  async function takePage(): Promise<boolean> {
    const due = await store.due('webhook_deliveries', formatInstant(clock.now()), PAGE);
    const atMs = caches.monotonic();
    const waiting = due.filter(({ id }) => !underWay.has(id));
    const isFull = due.length === PAGE;
    const inOrder = leases.hasOthers ? fromAnywhere(waiting, context.random) : waiting;
    const takenBases = byTurns(inOrder).filter((delivery) => slots.enter(delivery, atMs));
    const { won, failure } = await leases.take(takenBases);
    const ownIds = new Set(won.map(({ id }) => id));
    for (const delivery of takenBases) if (!ownIds.has(delivery.id)) slots.leave(delivery);
    for (const leasedRecord of won) begin(leasedRecord);
    if (failure !== undefined) throw failure;
    if (!isFull) return false;
    if (takenBases.length > 0) return true;
    return postpone(context, waiting, (delivery) => slots.waitMs(delivery, atMs));
  }

  function begin(leasedRecord: WebhookDeliveryRecord): void {
    // One signal for each request: Node would warn of a leak if many listened to one signal.
    const ending = new AbortController();
    const begunAt = caches.monotonic();
    const sending = deliver(leasedRecord, ending.signal)
      .catch((error: unknown) => failures.report(error))
      .then((isSuccess) => {
        underWay.delete(leasedRecord.id);
        const tookMs = caches.monotonic() - begunAt;
        slots.leave(leasedRecord, typeof isSuccess === 'boolean' ? { isSuccess, tookMs } : undefined);
        wake();
      });
    underWay.set(leasedRecord.id, { sending, ending });
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
      const entries = [...underWay.values()];
      const cancel = context.awaitedAfter(PATIENCE_MS, () => {
        for (const { ending } of entries) ending.abort();
      });
      await Promise.all(entries.map(({ sending }) => sending));
      cancel();
    },
  };
}

/** Rotates the list to a random start. If all nodes began with the first delivery, they would compete for it. */
function fromAnywhere<Item>(list: readonly Item[], random: RandomSource): readonly Item[] {
  const [byte = 0] = random.bytes(1);
  const start = Math.floor((byte / 256) * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

async function postpone(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  waiting: readonly WebhookDeliveryRecord[],
  waitMs: (record: WebhookDeliveryRecord) => number,
): Promise<boolean> {
  const atMs = clock.now();
  const changes = waiting.flatMap((record) => {
    const ms = waitMs(record);
    if (ms === 0) return [];
    const later = { ...record, due_at: formatInstant(atMs + ms), version: record.version + 1 };
    return [replace('webhook_deliveries', later, record.version)];
  });
  return changes.length > 0 && (await store.write(...changes)).written;
}

/** Sorts records so that accounts take turns: the first record of each account, then the second of each. */
function byTurns<Item extends { readonly account_id: string }>(list: readonly Item[]): readonly Item[] {
  const places = new Map<string, number>();
  const placedItems = list.map((item) => {
    const place = places.get(item.account_id) ?? 0;
    places.set(item.account_id, place + 1);
    return { item, place };
  });
  return placedItems.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

interface Leased {
  readonly won: readonly WebhookDeliveryRecord[];
  /** The error with which the storage refused further leases. */
  readonly failure?: unknown;
}

interface Leases {
  take(due: readonly WebhookDeliveryRecord[]): Promise<Leased>;
  /** `true` if other nodes also send. Set after another node has leased one of the deliveries. */
  readonly hasOthers: boolean;
}

/**
 * The length of a lease in milliseconds. An attempt with its writes takes less time. If a lease expires, its node has
 * therefore died.
 */
const LEASE_MS = 2 * TIMEOUT_MS;
const MAX_AT_ONCE = 64;

function createLeases({ store, clock }: Pick<Context, 'store' | 'clock'>): Leases {
  // Halved when the storage is too slow for a write of this size, because the same size would fail each time.
  let atOnce = MAX_AT_ONCE;
  let hasOthers = false;

  async function takeTogether(due: readonly WebhookDeliveryRecord[]): Promise<Leased['won']> {
    let otherRecords = due;
    while (otherRecords.length > 0) {
      const due_at = formatInstant(clock.now() + LEASE_MS);
      const leasedRecords = otherRecords.map((record) => ({
        ...record,
        due_at,
        is_leased: true,
        version: record.version + 1,
      }));
      const steps = groupSteps(...leasedRecords.map(leaseGroup));
      const answer = answered(await store.write(...steps.changes));
      if (answer.written) return leasedRecords;
      hasOthers = true;
      const lostIds = steps.failed(answer);
      otherRecords = otherRecords.filter(({ id }) => !lostIds.has(id));
    }
    return [];
  }

  return {
    get hasOthers() {
      return hasOthers;
    },
    async take(due) {
      const wonRecords: WebhookDeliveryRecord[] = [];
      for (let start = 0; start < due.length; ) {
        const piece = due.slice(start, start + atOnce);
        try {
          wonRecords.push(...(await takeTogether(piece)));
        } catch (failure) {
          atOnce = Math.max(1, Math.floor(atOnce / 4));
          return { won: wonRecords, failure };
        }
        atOnce = Math.min(MAX_AT_ONCE, atOnce * 2);
        start += piece.length;
      }
      return { won: wonRecords };
    },
  };
}

function leaseGroup(leasedRecord: WebhookDeliveryRecord): StepGroup<string> {
  return [leasedRecord.id, [replace('webhook_deliveries', leasedRecord, leasedRecord.version - 1)]];
}

const AGAIN_MS = 1_000;

/** Delivers once. Returns `true` if the endpoint will probably accept the next event. `signal` aborts the attempt. */
type Deliver = (leasedRecord: WebhookDeliveryRecord, signal: AbortSignal) => Promise<boolean>;

function createDeliver(context: Needs, attempt: Attempt): Deliver {
  const { store, clock, awaitedAfter } = context;

  async function deliver(leasedRecord: WebhookDeliveryRecord, signal: AbortSignal): Promise<boolean> {
    const webhook = await store.get('webhooks', leasedRecord.webhook_id);
    const payload = await readPayload(context, leasedRecord);
    if (webhook?.status !== 'active' || payload === undefined) {
      const end =
        webhook === undefined
          ? remove('webhook_deliveries', leasedRecord.id, leasedRecord.version)
          : replace('webhook_deliveries', endDelivery(leasedRecord, 'failed'), leasedRecord.version);
      await store.write(end);
      return true;
    }
    const result = await attempt(webhook, { ...leasedRecord, payload }, signal);
    // An attempt that the end of this node has aborted is made again by another node, when the lease is over.
    if (signal.aborted && result.http_status === null) return true;
    const settlement = settleAttempt(leasedRecord, result, clock.now(), context.random);
    await noteWhileLeased(leasedRecord, settlement, signal);
    return settlement.isSuccess;
  }

  /** Stores a result, and retries until the lease expires. If the result is not stored, the event is sent twice. */
  async function noteWhileLeased(
    leasedRecord: WebhookDeliveryRecord,
    settlement: Settled,
    signal: AbortSignal,
  ) {
    const endMs = leasedRecord.due_at === undefined ? 0 : Date.parse(leasedRecord.due_at);
    for (;;) {
      try {
        return await note(leasedRecord, settlement);
      } catch (error) {
        if (signal.aborted || clock.now() + AGAIN_MS >= endMs) throw error;
      }
      await new Promise<void>((resolve) => awaitedAfter(AGAIN_MS, resolve));
    }
  }

  async function note(leasedRecord: WebhookDeliveryRecord, settlement: Settled): Promise<void> {
    const delivery = replace('webhook_deliveries', settlement.delivery, leasedRecord.version);
    for (;;) {
      const webhook = await store.get('webhooks', leasedRecord.webhook_id);
      const next = webhook && healthAfter(webhook, settlement, clock.now());
      const health = webhook && next ? [replace('webhooks', next, webhook.version)] : [];
      const steps = groupSteps<'delivery' | 'health'>(['delivery', [delivery]], ['health', health]);
      const answer = answered(await store.write(...steps.changes));
      if (answer.written) return logIfDisabled(webhook, next);
      // The lease was over, and another node has the delivery. The event is sent again: delivery is at least once.
      if (steps.failed(answer).has('delivery')) return;
    }
  }

  function logIfDisabled(webhookBefore: WebhookRecord | undefined, webhook: WebhookRecord | undefined): void {
    if (webhookBefore?.status !== 'active' || webhook?.status !== 'disabled') return;
    const { id: webhook_id, account_id, disabled_reason } = webhook;
    const reason = disabled_reason ?? undefined;
    logSecurityEvent(context, 'webhook.disabled', { account_id, webhook_id, ...(reason && { reason }) });
  }

  return deliver;
}
