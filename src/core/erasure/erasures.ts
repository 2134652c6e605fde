/** Completes erasures step by step on one node. If this node dies, another node continues. */

import { readChangeRecordId } from '../../base/bytes/event-position.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { describeCause } from '../../errors.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { WebhookDeliveryRecord } from '../../webhooks/collections.ts';
import type { EventRecord } from '../events/collections.ts';
import { OF_STORED_EVENT } from '../events/whole-event.ts';
import { type AgentOfAccount, removeAgentRecords } from '../journal/merge/agent-records.ts';
import type { IdempotencyRecord } from '../shared/collections.ts';
import type { Context } from '../shared/context.ts';
import { agentNamedIn, PURGED } from '../shared/outbox.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { oneAtATime } from '../shared/timers.ts';
import { remove, replace } from '../storage/store.ts';
import type { ErasureRecord } from './collections.ts';
import { eraseAccount, forgetCounters } from './erase-account.ts';
import { type Pieces, removeOwned, removeRecords } from './remove-records.ts';

/** Completes erasures. The service does this automatically; applications and commands use it to wait for the end. */
export interface Erasures {
  /**
   * Resolves when nothing is left to erase.
   *
   * @throws {IdentityError} `storage_unavailable` if the storage does not answer. The service then tries again
   * automatically.
   */
  run(options?: { readonly onProgress?: (progress: ErasureProgress) => void }): Promise<void>;
}

/** Completes erasures, with a method for the service itself. */
export interface ErasuresInside extends Erasures {
  /** Starts the work now, before the next regular check. */
  wake(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 30_000;
const LOOK_MS = 500;

/** Creates the erasures of one service. */
export function createErasures(
  context: Pick<Context, 'store' | 'clock' | 'after' | 'awaitedAfter' | 'log'>,
): ErasuresInside {
  const { store, after, awaitedAfter } = context;
  const reports = new Set<(progress: ErasureProgress) => void>();
  let isStopped = false;
  const goOn = createErasureWork(context, {
    isStopped: () => isStopped,
    tell: (progress) => {
      for (const report of reports) report(progress);
    },
  });
  let leftCount = 0;
  let failure: unknown;
  let isOut = false;
  const look = oneAtATime(async () => {
    failure = await lookAtAll().catch((error: unknown) => error);
  });
  let cancel = after(EVERY_MS, lookAndWait);

  async function lookAtAll(): Promise<undefined> {
    const bases = await store.list('erasures', { where: {}, limit: MAX_PAGE_SIZE });
    leftCount = bases.length;
    for (const record of bases) if (!isStopped && (await goOn(record))) leftCount -= 1;
  }

  async function lookAndWait(): Promise<void> {
    cancel();
    await look.run();
    if (isStopped) return;
    if (failure !== undefined && !isOut) {
      const message = 'Data that must be erased could not be removed. The service tries again.';
      context.log({ level: 'error', event: 'erasure_failed', message, cause: describeCause(failure) });
    }
    isOut = failure !== undefined;
    cancel();
    cancel = after(leftCount > 0 ? SETTLE_MS : EVERY_MS, lookAndWait);
  }

  return {
    wake() {
      if (!isStopped) void lookAndWait();
    },
    async run({ onProgress = () => {} } = {}) {
      reports.add(onProgress);
      try {
        for (;;) {
          await look.run();
          if (failure !== undefined) throw failure;
          if (leftCount === 0 || isStopped) return;
          await new Promise<void>((resolve) => awaitedAfter(LOOK_MS, resolve));
        }
      } finally {
        reports.delete(onProgress);
      }
    },
    async stop() {
      isStopped = true;
      cancel();
      await look.settled();
    },
  };
}

/** The progress of an erasure. */
export interface ErasureProgress {
  readonly account_id: string;
  /** The agent; `null` for the whole account. */
  readonly agent_id: string | null;
  /** The number of records that this node has removed in this pass; 0 while it waits. */
  readonly removed: number;
  /**
   * The state. `waiting` means that the first pass is complete, and the last pass will remove data of late requests.
   */
  readonly state: 'removing' | 'waiting' | 'done';
}

type GoOn = (record: ErasureRecord) => Promise<boolean>;

interface WorkHooks {
  readonly tell: (progress: ErasureProgress) => void;
  readonly isStopped: () => boolean;
}

/** The validity of a lease. A node that does not renew its lease counts as dead. */
const LEASE_MS = 30_000;
/** The time for which a request that began before the erasure may still write. */
const SETTLE_MS = 15_000;

function createErasureWork(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  { tell, isStopped }: WorkHooks,
): GoOn {
  const { store, clock } = context;

  async function change(
    record: ErasureRecord,
    fields: Partial<ErasureRecord>,
  ): Promise<ErasureRecord | undefined> {
    const next = { ...record, ...fields, version: record.version + 1 };
    return (await store.write(replace('erasures', next, record.version))).written ? next : undefined;
  }

  async function lease(record: ErasureRecord): Promise<ErasureRecord | undefined> {
    const leased_until = formatInstant(clock.now() + LEASE_MS);
    return change(record, { leased_until });
  }

  /** Renews a lease after half of its time. Returns `undefined` if another node has taken the lease. */
  async function keepLease(record: ErasureRecord): Promise<ErasureRecord | undefined> {
    // INVARIANT: a node that was suspended removes nothing of an account that was created again meanwhile.
    if ((await store.get('erasures', record.id))?.version !== record.version) return undefined;
    const isFresh = Date.parse(record.leased_until) - clock.now() > LEASE_MS / 2;
    return isFresh ? record : lease(record);
  }

  /** Runs one pass; returns `undefined` if another node has taken the lease, or this node is stopping. */
  async function workOn(leasedRecord: ErasureRecord, isLast: boolean): Promise<Worked | undefined> {
    const { account_id, agent_id } = leasedRecord;
    const pieces: Pieces<boolean> =
      agent_id === null
        ? eraseAccount(context, account_id, isLast)
        : eraseAgent(context, { account_id, agent_id }, isLast);
    let record = leasedRecord;
    for (let removedCount = 0; ; ) {
      const piece = await pieces.next();
      if (piece.done === true) return { record, removed: removedCount, isWhole: piece.value };
      removedCount += piece.value;
      tell({ account_id, agent_id, removed: removedCount, state: 'removing' });
      if (isStopped()) return undefined;
      const keptRecord = await keepLease(record);
      if (keptRecord === undefined) return undefined;
      record = keptRecord;
    }
  }

  /** Removes the record of the erasure together with the account. After that, the e-mail can be registered again. */
  async function end({ record, removed }: Worked): Promise<boolean> {
    const { id, account_id, agent_id, version } = record;
    const account = agent_id === null ? await store.get('accounts', account_id) : undefined;
    const steps = account === undefined ? [] : [remove('accounts', account_id, account.version)];
    const { written } = await store.write(remove('erasures', id, version), ...steps);
    if (written) tell({ account_id, agent_id, removed, state: 'done' });
    return written;
  }

  return async (record) => {
    const { account_id, agent_id, swept_at } = record;
    const now = clock.now();
    const isLast = swept_at !== null && now - Date.parse(swept_at) >= SETTLE_MS;
    if (swept_at !== null && !isLast) {
      tell({ account_id, agent_id, removed: 0, state: 'waiting' });
      return false;
    }
    // A lease that ends too late was taken with a clock that was ahead, and does not count.
    const leftMs = Date.parse(record.leased_until) - now;
    const leasedRecord = leftMs > 0 && leftMs <= LEASE_MS ? undefined : await lease(record);
    const work = leasedRecord && (await workOn(leasedRecord, isLast));
    if (work === undefined) return false;
    if (work.isWhole && isLast) return end(work);
    const swept = work.isWhole ? { swept_at: formatInstant(clock.now()) } : {};
    await change(work.record, { ...swept, leased_until: record.created_at });
    tell({ account_id, agent_id, removed: work.removed, state: 'waiting' });
    return false;
  };
}

/** The result of a pass. `isWhole` is false if some data cannot be removed yet. */
interface Worked {
  readonly record: ErasureRecord;
  readonly removed: number;
  readonly isWhole: boolean;
}

const PAGE = 50;

/**
 * Removes the data of an agent in one pass, after its passport was reduced to its id. Only the last pass removes the
 * versions of the passport, because they lead to its counters. Returns `true` if no data has to wait.
 */
async function* eraseAgent(
  context: Pick<Context, 'store' | 'clock' | 'log'>,
  { account_id, agent_id }: AgentOfAccount,
  isLast: boolean,
): Pieces<boolean> {
  const { store } = context;
  const filter = { account_id };
  yield* removeOwned(store, account_id, agent_id);
  yield* removeRecords(store, 'idempotency', filter, (record) => isAbout(record, agent_id));
  // Deliveries are removed before their events, because most are found only by them.
  const events = await eventsOf(context, { account_id, agent_id });
  for await (const { id } of everyRecord(recordsBy(store, 'webhooks', filter), PAGE)) {
    const recordFilter = { webhook_id: id };
    yield* removeRecords(
      store,
      'webhook_deliveries',
      recordFilter,
      (delivery) => events.has(delivery.event_id) || tellsOf(delivery, agent_id),
    );
  }
  yield* removeRecords(store, 'events', filter, (event) => isErased(event, agent_id));
  const isAll = yield* removeAgentRecords(context, { account_id, agent_id });
  if (!isAll) return false;
  for (let cursor: string | null = ''; cursor !== null; ) {
    cursor = await store.journal.erase({ account_id, agent_id, from: cursor });
    yield 0;
  }
  const passport = await store.get('passports', agent_id);
  if (passport !== undefined && isLast) {
    yield* forgetCounters(context, passport);
    yield* removeRecords(store, 'passport_versions', { agent_id });
  }
  return true;
}

/** Says whether the record is about the agent. Each intent of a batch has its own record. */
function isAbout({ object_id, response }: IdempotencyRecord, agent_id: string): boolean {
  return object_id === agent_id || response['agent_id'] === agent_id;
}

async function eventsOf(
  { store }: Pick<Context, 'store'>,
  { account_id, agent_id }: AgentOfAccount,
): Promise<ReadonlySet<string>> {
  const foundNames = new Set<string>();
  for await (const event of everyRecord(recordsBy(store, 'events', { account_id }), PAGE))
    if (isErased(event, agent_id)) foundNames.add(readChangeRecordId(event.id).id);
  return foundNames;
}

/**
 * Says whether the erasure removes this event. The event `passport.purged`, which announces the erasure,
 * contains only the id and stays.
 */
function isErased({ type, data }: Pick<EventRecord, 'type' | 'data'>, agent_id: string): boolean {
  return type !== PURGED && agentNamedIn(data).agent_id === agent_id;
}

function tellsOf({ payload }: WebhookDeliveryRecord, agent_id: string): boolean {
  if (payload === OF_STORED_EVENT) return false;
  return isErased(JSON.parse(payload), agent_id);
}
