/** Writes sealed blocks to the storage, one flush at a time. */
import { turn } from '../../../base/async/turns.ts';
import { RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import { writerId } from '../../../credential/random-id.ts';
import { IdentityError } from '../../../errors.ts';
import { namedBlock } from '../../../journal-format/index.ts';
import type { Block, JournalStorage } from '../../../ports/journal.ts';
import { type Context, now } from '../../shared/context.ts';
import { unavailable } from '../../storage/storage-guard.ts';
import type { Lanes, WaitingBlock } from './lanes.ts';
import type { JournalReports } from './reports.ts';
import { sizeOf } from './sealed-queue.ts';

export interface Filing {
  hasBlocks(): boolean;
  /** Returns the number of records that have left the lanes and are not stored yet. */
  records(): number;
  isUnderWay(): boolean;
  hasRefused(): boolean;
  /** Writes a flush, or waits for the running flush. Resolves to `false` if the storage fails. */
  fileOnce(): Promise<boolean>;
  isWaiting(account_id: string, number: number): boolean;
  takeAll(): readonly WaitingBlock[];
}

export interface FilingParts {
  readonly lanes: Lanes;
  readonly reports: JournalReports;
  readonly isStrict: boolean;
  readonly onStored: (blocks: readonly Block[]) => void;
}

export function createFiling(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'log'>,
  { lanes, reports, isStrict, onStored }: FilingParts,
): Filing {
  const flusher = createFlusher(context);
  /** The blocks of a refused flush. Each is sent in its own flush, because a single block may be the cause. */
  const alone: WaitingBlock[] = [];
  let underWay: Promise<void> | undefined;
  let hasRefused = false;

  const hasBlocks = (): boolean => flusher.pending().length > 0 || alone.length > 0 || lanes.hasSealed();

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: it runs for each flush of verdict records.
  async function fileNext(): Promise<void> {
    if (flusher.pending().length === 0) flusher.begin(alone.length > 0 ? alone.splice(0, 1) : lanes.take());
    const pending = flusher.pending();
    try {
      const storedBlocks = await flusher.send();
      for (const { waiters } of pending) for (const waiter of waiters) waiter.resolve();
      onStored(storedBlocks);
      reports.succeed(lanes.hasRoom());
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
    reports.refuse(sizeOf(block), error);
  }

  function fail(error: unknown): unknown {
    reports.fail(error);
    if (isStrict) for (const { waiters } of takeAll()) for (const waiter of waiters) waiter.reject(error);
    return error;
  }

  function takeAll(): readonly WaitingBlock[] {
    return [...flusher.giveUp(), ...alone.splice(0), ...lanes.clear()];
  }

  return {
    hasBlocks,
    records: () => [...flusher.pending(), ...alone].reduce((sum, block) => sum + sizeOf(block), 0),
    isUnderWay: () => underWay !== undefined,
    hasRefused: () => hasRefused,
    fileOnce() {
      underWay ??= fileNext().finally(async () => {
        // Other work gets a turn: a storage in this process may answer without any I/O.
        if (isStrict || hasBlocks()) await turn();
        underWay = undefined;
      });
      return underWay.then(
        () => true,
        () => false,
      );
    },
    isWaiting(account_id, number) {
      const first = lanes.firstOf(account_id) ?? Number.POSITIVE_INFINITY;
      const otherBlocks = [...flusher.pending(), ...alone];
      return (
        first <= number ||
        otherBlocks.some((block) => block.account_id === account_id && block.number <= number)
      );
    },
    takeAll,
  };
}

/** Says whether the block or the adapter causes the error, so that a retry of the same flush would fail again. */
function isRefusal(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'internal';
}

interface Flush {
  readonly seq: number;
  readonly blocks: readonly WaitingBlock[];
  /** True if the flush was sent before, and may therefore be stored already. */
  wasSent: boolean;
}

interface Flusher {
  pending(): readonly WaitingBlock[];
  /** Makes a flush of some blocks. Call it only if no flush is pending. */
  begin(blocks: readonly WaitingBlock[]): void;
  /** Stores the pending flush, unless it is already stored. Rejects if the storage does not accept the flush. */
  send(): Promise<readonly Block[]>;
  /**
   * Abandons the pending flush and returns its blocks. Once a later flush is stored, the storage no longer accepts the
   * abandoned flush.
   */
  giveUp(): readonly WaitingBlock[];
}

const MAX_TRIES = 10;
const UNUSED_MS = RESOLUTION_MS.day / 2;

type FlusherContext = Pick<Context, 'clock' | 'random' | 'log'> & {
  readonly store: { readonly journal: Pick<JournalStorage, 'open' | 'file'> };
};

export function createFlusher(context: FlusherContext): Flusher {
  const { store, random, log } = context;
  let writer: string | undefined;
  let seq = 0;
  let flush: Flush | undefined;
  let usedAt = 0;

  function nextFlush(blocks: readonly WaitingBlock[]): Flush {
    seq += 1;
    return { seq, blocks, wasSent: false };
  }

  async function openWriter(): Promise<string> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const id = writerId(random);
      if (await store.journal.open(id, now(context))) return id;
    }
    throw unavailable(new Error('The storage makes no writer of the journal known.'));
  }

  /** Sends a flush. Returns `undefined` if the flush is not stored and this writer can no longer store it. */
  async function trySend(sentFlush: Flush): Promise<readonly Block[] | undefined> {
    const present = context.clock.now();
    // The storage forgets a writer a day after its last block.
    if (!sentFlush.wasSent && present - usedAt > UNUSED_MS) writer = undefined;
    usedAt = present;
    writer ??= await openWriter();
    const name = { writer, seq: sentFlush.seq };
    const blocks = sentFlush.blocks.map((block) =>
      namedBlock(block, { account_id: block.account_id, ...name }),
    );
    const { wasSent } = sentFlush;
    sentFlush.wasSent = true;
    const result = await store.journal.file({ at: now(context), blocks, ...name });
    if (result === 'filed' || (result === 'known' && wasSent)) return blocks;
    const message = `The storage answers ${result} to the writer of the journal: a new writer continues.`;
    log({ level: 'warn', event: 'journal_writer_renewed', message });
    return undefined;
  }

  return {
    pending: () => flush?.blocks ?? [],
    begin(blocks) {
      flush = nextFlush(blocks);
    },
    async send() {
      if (flush === undefined) return [];
      let filedBlocks = await trySend(flush);
      if (filedBlocks === undefined) {
        writer = undefined;
        seq = 0;
        flush = nextFlush(flush.blocks);
        filedBlocks = await trySend(flush);
      }
      if (filedBlocks === undefined)
        throw unavailable(new Error('The storage knows no writer of the journal.'));
      flush = undefined;
      return filedBlocks;
    },
    giveUp() {
      const blocks = flush?.blocks ?? [];
      flush = undefined;
      return blocks;
    },
  };
}
