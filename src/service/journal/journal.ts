/** The verdict journal: filed off the hot path, in batches; what does not fit is counted, never silent. */
import { randomId } from '../../credential/random-id.ts';
import { IdentityError } from '../../errors.ts';
import type { JournalBatch } from '../../ports/storage.ts';
import type { VerdictRecord } from '../../records.ts';
import type { JournalMode } from '../options.ts';
import { type Context, now } from '../shared/context.ts';
import { createJournalDrops } from './journal-drops.ts';
import { createJournalParts } from './journal-parts.ts';
import { createJournalQueue } from './journal-queue.ts';
import { createJournalReports } from './journal-reports.ts';
import { createJournalWaiters } from './journal-waiters.ts';
import { type LatencyScale, loadLatencyScale } from './latency.ts';
import { createRollupWriter } from './rollups.ts';

/** Files verdicts. */
export interface Journal {
  /** `undefined` at once; with `strict` a promise that rejects when the record cannot be stored, then or ever. */
  file(record: VerdictRecord, account_id: string, latencyUs: number): Promise<void> | undefined;
  /** Stores what was filed before, as far as the storage takes it; whether it took all of that. */
  settle(): Promise<boolean>;
  /** Stops the clockwork and stores what is waiting, as long as the storage takes it. */
  close(): Promise<void>;
}

/** How many verdicts wait at most; about 5 MB. */
const QUEUE = 10_000;
/** Small enough that a read behind it hardly waits. */
const MOST_IN_BATCH = 250;
const INTERVAL_MS = 200;
const RETRY_MS = 1_000;
/** So often in a row the storage refuses a batch, while it takes another, before its parts are tried one by one. */
const MOST_REFUSALS = 5;
/** How long a close insists when the storage fails. */
const CLOSE_MS = 2_000;
const CLOSE_RETRY_MS = 100;
/** How long counts are summed up for a storage that is gone with the process, and how many then go at most with one batch. */
const SUM_UP_MS = 1_000;
const MOST_DELTAS = 500;

/** The journal of one service. */
export function createJournal(context: Context, mode: JournalMode): Journal {
  const { store } = context;
  const isStrict = mode === 'strict';
  const batchSize = Math.min(store.batchSize ?? MOST_IN_BATCH, MOST_IN_BATCH);
  const rollups = createRollupWriter();
  const mostDeltas = store.isVolatile ? MOST_DELTAS : Number.POSITIVE_INFINITY;
  const drops = createJournalDrops();
  const reports = createJournalReports(context.log);
  const waiters = createJournalWaiters();
  let queue = createJournalQueue(batchSize);
  /** What the storage has yet to take, under the same ids with each try, so that it counts once. */
  const parts = createJournalParts();
  let refusals = 0;
  /** Somebody waits for what was counted until then. */
  let askedUntil = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let draining = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let scale: LatencyScale | undefined;
  let state: 'open' | 'closing' | 'closed' = 'open';

  const hasWork = (): boolean =>
    parts.first !== undefined || queue.length > 0 || !drops.isEmpty || isCounted(sumsUntil());

  /** Whether something is being summed up since then or before. */
  function isCounted(until: number): boolean {
    return rollups.oldest !== undefined && rollups.oldest <= until;
  }

  /** Until when counts are due: at once, with the verdicts they count, where the storage outlives the process. */
  function sumsUntil(): number {
    if (!store.isVolatile) return Number.POSITIVE_INFINITY;
    return Math.max(askedUntil, performance.now() - SUM_UP_MS);
  }

  /** A full batch goes as soon as the event loop comes around: never within the call that filled it. */
  function schedule(): void {
    if (state !== 'open' || draining) return;
    clearTimeout(timer);
    const isFull = queue.length >= batchSize;
    const ms = parts.first !== undefined ? RETRY_MS : isFull ? 0 : INTERVAL_MS;
    timer = setTimeout(() => {
      timer = undefined;
      drain();
    }, ms);
    (timer as { unref?: () => void }).unref?.();
    if (queue.length > 0 || !drops.isEmpty) keepAlive();
  }

  /** A process that has nothing else to do ends when its records are stored, or cannot be. */
  function keepAlive(): void {
    if (!reports.isOut) (timer as { ref?: () => void } | undefined)?.ref?.();
  }

  /**
   * Stores batch after batch, until none is full nor any sum due, or the storage fails: what came while one was
   * stored waits for others, as a transaction for each few verdicts costs a database many times as much. With
   * `strict` somebody waits for each of them. Only one such walk is under way.
   */
  async function drain(): Promise<void> {
    if (draining) return;
    draining = true;
    do {
      // With `strict` who waited has been told; who came since then must not wait for a timer.
      if (!(await tookBatch()) && !isStrict) break;
    } while (isStrict ? hasWork() : parts.isSplit || queue.length >= batchSize || isCounted(sumsUntil()));
    draining = false;
    if (hasWork() || rollups.oldest !== undefined) schedule();
  }

  /** Stores one batch, or waits for the one under way; whether the storage took it, or refused it alone. */
  async function tookBatch(): Promise<boolean> {
    underWay ??= storeBatch().finally(async () => {
      // A storage in this process may never wait for anything: others have their turn.
      if (hasWork()) await pause(0);
      underWay = undefined;
    });
    return underWay.then(
      () => true,
      () => false,
    );
  }

  async function storeBatch(): Promise<void> {
    if (!hasWork()) return;
    try {
      if (parts.first === undefined) parts.put(await prepareBatch());
      if (parts.first !== undefined) await store.append(parts.first);
    } catch (error) {
      if (isRefusal(error) || (state === 'open' && !isStrict && (await isRefusedAlone(error)))) {
        return giveUpFirst(error);
      }
      reports.fail(error);
      // Nobody waits for a storage that fails: the callers are told, and ask again.
      if (isStrict) waiters.settleFirst(discardAll(), (waiter) => waiter.reject(error));
      throw error;
    }
    waiters.settleFirst(takeFirst(), (waiter) => waiter.resolve());
    reports.succeed(queue.length < QUEUE / 2);
    if (!parts.isSplit) reports.endRefusal();
  }

  async function prepareBatch(): Promise<JournalBatch> {
    scale ??= await loadLatencyScale();
    const filedBatch = queue.take();
    rollups.add(filedBatch, scale, performance.now());
    return {
      id: randomId('bat', context.random),
      at: now(context),
      entries: filedBatch.entries,
      rollups: [...rollups.take(sumsUntil(), mostDeltas), ...drops.take()],
    };
  }

  /** How many verdicts were in it. */
  function takeFirst(): number {
    refusals = 0;
    return parts.takeFirst()?.entries.length ?? 0;
  }

  /** How many verdicts waited, or were on their way. */
  function discardAll(): number {
    const { length } = queue;
    queue = createJournalQueue(batchSize);
    const onTheWay = parts.length;
    parts.takeAll();
    return onTheWay + length;
  }

  /** A refusal that does not say so itself: again and again this batch is refused, while the storage takes another. */
  async function isRefusedAlone(error: unknown): Promise<boolean> {
    reports.fail(error);
    const probe = { id: randomId('bat', context.random), at: now(context), entries: [], rollups: [] };
    const takesOthers = await store.append(probe).then(
      () => true,
      () => false,
    );
    refusals = takesOthers ? refusals + 1 : 0;
    return refusals >= MOST_REFUSALS || (parts.isSplit && takesOthers);
  }

  /** One record that is refused must cost no other: what is refused is tried in parts, and only the last is dropped. */
  function giveUpFirst(error: unknown): void {
    refusals = 0;
    if (parts.splitFirst()) return;
    const refused = parts.takeFirst();
    if (refused === undefined) return;
    const { entries } = refused;
    drops.putBack(refused.rollups);
    for (const entry of entries) drops.add(entry, 1);
    waiters.settleFirst(entries.length, (waiter) => waiter.reject(error));
    reports.refuse(entries.length, error);
    if (!parts.isSplit) reports.endRefusal();
  }

  return {
    file(record, account_id, latencyUs) {
      if (state === 'closed') {
        return Promise.reject(new IdentityError('storage_unavailable', 'The service is closed.'));
      }
      if (queue.length >= QUEUE) {
        const displaced = queue.displace(record, account_id, latencyUs);
        const { environment, evaluated_at: created_at } = record;
        drops.add(displaced ?? { account_id, environment, created_at }, 1);
        reports.drop();
        if (!isStrict) return undefined;
        if (displaced === undefined) return Promise.reject(overloaded());
        return waiters.replace(queue.length - displaced.place, overloaded());
      }
      const stored = isStrict ? waiters.wait() : undefined;
      queue.push(record, account_id, latencyUs);
      waiters.count();
      if (isStrict) drain();
      else if (timer === undefined || queue.length === batchSize) schedule();
      else if (queue.length === 1) keepAlive();
      return stored;
    },
    async settle() {
      // What is filed meanwhile is not waited for: under load the queue is never empty.
      const last = waiters.filed;
      askedUntil = Number.POSITIVE_INFINITY;
      // A batch that was under way before says nothing about the storage of now.
      let mayFail = underWay !== undefined;
      let end = Number.POSITIVE_INFINITY;
      for (let isDue = hasWork(); isDue; isDue = waiters.done < last || isCounted(end)) {
        const took = await tookBatch();
        // Those were counted until now.
        if (waiters.done >= last) end = Math.min(end, performance.now());
        if (!took && !mayFail) {
          askedUntil = performance.now();
          schedule();
          return false;
        }
        mayFail = false;
        askedUntil = end;
      }
      return true;
    },
    async close() {
      if (state === 'open') state = 'closing';
      clearTimeout(timer);
      askedUntil = Number.POSITIVE_INFINITY;
      const end = performance.now() + CLOSE_MS;
      while (hasWork() && ((await tookBatch()) || performance.now() < end)) {
        if (reports.isOut && hasWork()) await pause(CLOSE_RETRY_MS);
      }
      state = 'closed';
      reports.close(discardAll());
    },
  };
}

/** A mistake, in the record or in the adapter: the same batch would fail again. */
function isRefusal(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'internal';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function overloaded(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many verdicts wait for the journal.', { details });
}
