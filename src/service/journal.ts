/** The verdict journal: filed off the hot path, in batches; what does not fit is counted, never silent. */
import { randomId } from '../credential/random-id.ts';
import { describeCause, IdentityError } from '../errors.ts';
import type { JournalBatch, JournalEntry } from '../ports.ts';
import type { VerdictRecord } from '../records.ts';
import { type Context, now } from './context.ts';
import { createJournalDrops } from './journal-drops.ts';
import { createJournalQueue } from './journal-queue.ts';
import { type LatencyScale, loadLatencyScale } from './latency.ts';
import { createRollupWriter } from './rollups.ts';

/** `batched`: filed soon, and flushed on close. `strict`: a verdict is answered after its record is stored. */
export type JournalMode = 'batched' | 'strict';

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
/** So often in a row the storage refuses a batch, while it takes another, before the batch is given up. */
const MOST_REFUSALS = 5;
/** How long a close insists when the storage fails. */
const CLOSE_MS = 2_000;
const CLOSE_RETRY_MS = 100;
/** How long counts are summed up for a storage that is gone with the process, and how many then go at most with one batch. */
const SUM_UP_MS = 1_000;
const MOST_DELTAS = 500;

/** Whoever waits for a record to be stored. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The journal of one service. */
export function createJournal(context: Context, mode: JournalMode): Journal {
  const { store, log } = context;
  const batchSize = Math.min(store.batchSize ?? MOST_IN_BATCH, MOST_IN_BATCH);
  const rollups = createRollupWriter();
  const mostDeltas = store.isVolatile ? MOST_DELTAS : Number.POSITIVE_INFINITY;
  const drops = createJournalDrops();
  let queue = createJournalQueue(batchSize);
  /** By the number of the record. Only with `strict` does anybody wait. */
  const waiters = new Map<number, Waiter>();
  /** A batch the storage did not take: it goes first, under its old id, so that it counts once. */
  let stuck: JournalBatch | undefined;
  let refusals = 0;
  let isOut = false;
  /** Somebody waits for what was counted until then. */
  let askedUntil = Number.NEGATIVE_INFINITY;
  /** How many were put into the queue, and how many of them have left it for good. */
  let filed = 0;
  let done = 0;
  let underWay: Promise<void> | undefined;
  let draining = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let scale: LatencyScale | undefined;
  let state: 'open' | 'closing' | 'closed' = 'open';

  const hasWork = (): boolean =>
    stuck !== undefined || queue.length > 0 || !drops.isEmpty || isCounted(sumsUntil());

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
    const ms = stuck !== undefined ? RETRY_MS : isFull ? 0 : INTERVAL_MS;
    timer = setTimeout(() => {
      timer = undefined;
      drain();
    }, ms);
    (timer as { unref?: () => void }).unref?.();
  }

  /**
   * Stores batch after batch, until none is full nor any sum due, or the storage fails: what came while one was
   * stored waits for others, as a transaction for each few verdicts costs a database many times as much. With
   * `strict` somebody waits for each of them. Only one such walk is under way.
   */
  async function drain(): Promise<void> {
    if (draining) return;
    draining = true;
    const isStrict = mode === 'strict';
    do {
      // With `strict` who waited has been told; who came since then must not wait for a timer.
      if (!(await tookBatch()) && !isStrict) break;
    } while (isStrict ? hasWork() : queue.length >= batchSize || isCounted(sumsUntil()));
    draining = false;
    if (hasWork() || rollups.oldest !== undefined) schedule();
  }

  /** Stores one batch, or waits for the one under way; whether the storage took it. */
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
      stuck ??= await prepareBatch();
      await store.append(stuck);
    } catch (error) {
      tellOutage(error);
      if (mode === 'strict') rejectAll(error);
      else if (state === 'open') await giveUpRefused(error);
      throw error;
    }
    settleFirst(takeStuck().length, (waiter) => waiter.resolve());
    if (isOut)
      log({ level: 'info', event: 'journal_recovered', message: 'Verdict records are stored again.' });
    isOut = false;
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

  function takeStuck(): readonly JournalEntry[] {
    const entries = stuck?.entries ?? [];
    stuck = undefined;
    refusals = 0;
    return entries;
  }

  /** How many records waited. */
  function discardQueue(): number {
    const { length } = queue;
    queue = createJournalQueue(batchSize);
    return length;
  }

  /** The first so many records have left for good: whoever waits for one of them is told. */
  function settleFirst(count: number, tell: (waiter: Waiter) => void): void {
    for (const end = done + count; done < end; done += 1) {
      const waiter = waiters.get(done);
      waiters.delete(done);
      if (waiter !== undefined) tell(waiter);
    }
  }

  /** One line per outage, however many batches fail in it. */
  function tellOutage(error: unknown): void {
    if (isOut) return;
    isOut = true;
    const message = 'The storage does not take verdict records.';
    log({ level: 'error', event: 'journal_stuck', message, cause: describeCause(error) });
  }

  /** Nobody waits for a storage that fails: the callers are told, and ask again. */
  function rejectAll(error: unknown): void {
    const count = takeStuck().length + discardQueue();
    settleFirst(count, (waiter) => waiter.reject(error));
  }

  /** A batch that is refused while the storage takes others must not hold up all that follow: it is counted as dropped. */
  async function giveUpRefused(error: unknown): Promise<void> {
    if (stuck === undefined) return;
    const probe = { id: randomId('bat', context.random), at: now(context), entries: [], rollups: [] };
    const takesOthers = await store.append(probe).then(
      () => true,
      () => false,
    );
    refusals = takesOthers ? refusals + 1 : 0;
    if (refusals < MOST_REFUSALS) return;
    drops.putBack(stuck.rollups);
    const entries = takeStuck();
    done += entries.length;
    for (const entry of entries) drops.add(entry, 1);
    const message = `${entries.length} verdict records are refused by the storage and dropped.`;
    log({ level: 'error', event: 'journal_refused', message, cause: describeCause(error) });
  }

  /** Settles when the next record to be pushed is stored, or cannot be. */
  function waitForNext(): Promise<void> {
    return new Promise((resolve, reject) => waiters.set(filed, { resolve, reject }));
  }

  return {
    file(record, account_id, latencyUs) {
      if (state === 'closed') {
        return Promise.reject(new IdentityError('storage_unavailable', 'The service is closed.'));
      }
      const isStrict = mode === 'strict';
      if (queue.length >= QUEUE) {
        if (isStrict) return Promise.reject(overloaded());
        drops.add({ account_id, environment: record.environment, created_at: record.evaluated_at }, 1);
        return undefined;
      }
      const stored = isStrict ? waitForNext() : undefined;
      queue.push(record, account_id, latencyUs);
      filed += 1;
      if (isStrict) drain();
      else if (timer === undefined || queue.length === batchSize) schedule();
      return stored;
    },
    async settle() {
      // What is filed meanwhile is not waited for: under load the queue is never empty.
      const last = filed;
      askedUntil = Number.POSITIVE_INFINITY;
      // A batch that was under way before says nothing about the storage of now.
      let mayFail = underWay !== undefined;
      let end = Number.POSITIVE_INFINITY;
      for (let isDue = hasWork(); isDue; isDue = done < last || isCounted(end)) {
        const took = await tookBatch();
        // Those were counted until now.
        if (done >= last) end = Math.min(end, performance.now());
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
        if (isOut && hasWork()) await pause(CLOSE_RETRY_MS);
      }
      state = 'closed';
      const lost = discardQueue() + takeStuck().length;
      if (lost === 0) return;
      const message = `${lost} verdict records could not be stored before the service closed.`;
      log({ level: 'error', event: 'journal_lost', message, lost });
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function overloaded(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many verdicts wait for the journal.', { details });
}
