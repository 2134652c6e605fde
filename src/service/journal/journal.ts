/** The verdict journal: filed off the hot path, in blocks; what does not fit is counted, never silent. */
import { afterArrivals } from '../../base/deadlines.ts';
import { turn } from '../../base/turns.ts';
import { IdentityError } from '../../errors.ts';
import { MAX_FLUSHED_BLOCKS } from '../../ports/journal.ts';
import type { VerdictRecord } from '../../records.ts';
import type { JournalMode } from '../options.ts';
import type { Context } from '../shared/context.ts';
import { createFlusher } from './flusher.ts';
import { createJournalReports } from './journal-reports.ts';
import { createLanes, type WaitingBlock } from './lanes.ts';
import { latencyBucket } from './latency.ts';
import { createMaintenance } from './maintenance.ts';

/** Files verdicts. */
export interface Journal {
  /** `undefined` at once; with `strict` a promise that rejects when the record cannot be stored, then or ever. */
  file(record: VerdictRecord, account_id: string, latencyUs: number): Promise<void> | undefined;
  /** Stores what was filed of an account before, as far as the storage takes it; whether it took all of that. */
  settle(account_id: string): Promise<boolean>;
  /** Stops the clockwork and stores what is waiting, as long as the storage takes it. */
  close(): Promise<void>;
}

/** So long a record waits for others that share its block. */
const INTERVAL_MS = 200;
const RETRY_MS = 1_000;
/** How long a close insists when the storage fails. */
const CLOSE_MS = 2_000;
const CLOSE_RETRY_MS = 100;

/** The journal of one service. */
export function createJournal(context: Context, mode: JournalMode): Journal {
  const isStrict = mode === 'strict';
  const reports = createJournalReports(context.log);
  const lanes = createLanes(MAX_FLUSHED_BLOCKS, { onDrop: reports.drop, lost: overloaded });
  const flusher = createFlusher(context);
  const maintenance = createMaintenance(context);
  /** Blocks of a flush that was refused: each goes alone, as only one of them may be the reason. */
  const alone: WaitingBlock[] = [];
  let underWay: Promise<void> | undefined;
  let isDraining = false;
  let isDrainDue = false;
  let hasRefused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: 'open' | 'closing' | 'closed' = 'open';

  const hasBlocks = (): boolean => flusher.pending.length > 0 || alone.length > 0 || lanes.hasSealed;

  function schedule(ms: number): void {
    if (state !== 'open' || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      lanes.seal();
      void drain();
    }, ms);
    // A process that has nothing else to do ends when its records are stored, or cannot be.
    if (reports.isOut) (timer as { unref?: () => void }).unref?.();
  }

  /** Once the event loop comes round: never within the call that filed a record. */
  function drainSoon(): void {
    if (isDraining || isDrainDue) return;
    isDrainDue = true;
    afterArrivals(() => {
      isDrainDue = false;
      // With `strict` the callers of one turn of the event loop share a block.
      if (isStrict) lanes.seal();
      void drain();
    });
  }

  /** Files all that is sealed, until the storage fails. Only one such walk is under way. */
  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    while (hasBlocks()) {
      if (!(await fileOnce()) && !isStrict) break;
      if (isStrict) lanes.seal();
    }
    isDraining = false;
    if (hasBlocks() || !lanes.isEmpty) schedule(reports.isOut ? RETRY_MS : INTERVAL_MS);
  }

  /** Files one flush, or waits for the one under way; whether the storage took it, or refused it alone. */
  function fileOnce(): Promise<boolean> {
    underWay ??= fileNext().finally(async () => {
      // A storage in this process may never wait for anything: others have their turn.
      if (hasBlocks()) await turn();
      underWay = undefined;
    });
    return underWay.then(
      () => true,
      () => false,
    );
  }

  async function fileNext(): Promise<void> {
    if (flusher.pending.length === 0) flusher.begin(alone.length > 0 ? alone.splice(0, 1) : lanes.take());
    const { pending } = flusher;
    try {
      const stored = await flusher.send();
      for (const { waiters } of pending) for (const waiter of waiters) waiter.resolve();
      maintenance.note(stored);
      reports.succeed(lanes.hasRoom);
    } catch (error) {
      if (!isRefusal(error)) throw fail(error);
      flusher.giveUp();
      if (pending.length > 1) alone.push(...pending);
      else for (const block of pending) refuse(block, error);
    }
    if (alone.length === 0) reports.endRefusal();
  }

  function refuse(block: WaitingBlock, error: unknown): void {
    hasRefused = true;
    lanes.drop(block, error);
    reports.refuse(block.records, error);
  }

  /** With `strict` nobody waits for a storage that fails: the callers are told, and ask again. */
  function fail(error: unknown): unknown {
    reports.fail(error);
    if (isStrict) for (const { waiters } of takeAll()) for (const waiter of waiters) waiter.reject(error);
    return error;
  }

  function takeAll(): readonly WaitingBlock[] {
    return [...flusher.giveUp(), ...alone.splice(0), ...lanes.clear()];
  }

  /** Whether a block of the account up to this number waits. */
  function isWaiting(account_id: string, number: number): boolean {
    const first = lanes.firstOf(account_id) ?? Number.POSITIVE_INFINITY;
    const others = [...flusher.pending, ...alone];
    return (
      first <= number || others.some((block) => block.account_id === account_id && block.number <= number)
    );
  }

  return {
    file(record, account_id, latencyUs) {
      if (state === 'closed') return Promise.reject(closedError());
      const bucket = latencyBucket(latencyUs);
      if (isStrict) {
        return new Promise((resolve, reject) => {
          lanes.push(record, account_id, bucket, { resolve, reject });
          drainSoon();
        });
      }
      const isSealed = lanes.push(record, account_id, bucket);
      if (isSealed && !reports.isOut) drainSoon();
      else if (timer === undefined) schedule(reports.isOut ? RETRY_MS : INTERVAL_MS);
      return undefined;
    },
    async settle(account_id) {
      const last = lanes.seal(account_id);
      // A flush that was under way before says nothing about the storage of now.
      let mayFail = underWay !== undefined;
      while (isWaiting(account_id, last)) {
        if (!(await fileOnce()) && !mayFail) {
          schedule(RETRY_MS);
          return false;
        }
        mayFail = false;
      }
      return true;
    },
    async close() {
      if (state === 'open') state = 'closing';
      clearTimeout(timer);
      const end = performance.now() + CLOSE_MS;
      lanes.seal();
      while (hasBlocks() && ((await fileOnce()) || performance.now() < end)) {
        if (reports.isOut) await pause(CLOSE_RETRY_MS);
        // Where a block was refused, one that only tells of it would be refused as well, again and again.
        if (!hasRefused || lanes.records > 0) lanes.seal();
      }
      state = 'closed';
      await maintenance.close();
      const lost = takeAll();
      for (const { waiters } of lost) for (const waiter of waiters) waiter.reject(closedError());
      reports.close(lost.reduce((sum, { records }) => sum + records, 0));
    },
  };
}

/** A mistake, in a block or in the adapter: the same flush would fail again. */
function isRefusal(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'internal';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function closedError(): IdentityError {
  return new IdentityError('storage_unavailable', 'The service is closed.');
}

function overloaded(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many verdicts wait for the journal.', { details });
}
