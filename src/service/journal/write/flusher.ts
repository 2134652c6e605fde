/** Files blocks under the name of a writer: each exactly once, even if an answer of the storage is lost. */
import { RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import { namedBlock } from '../../../blocks/index.ts';
import { writerId } from '../../../credential/random-id.ts';
import type { Block, JournalStorage } from '../../../ports/journal.ts';
import { type Context, now } from '../../shared/context.ts';
import { unavailable } from '../../storage/storage-guard.ts';
import type { WaitingBlock } from './lanes.ts';

/** Blocks that are filed together. */
interface Flush {
  readonly seq: number;
  readonly blocks: readonly WaitingBlock[];
  /** True if it was sent before, so that it may already be stored. */
  wasSent: boolean;
}

/** Files one flush at a time. */
export interface Flusher {
  /** The blocks of the flush that is not stored yet. */
  readonly pending: readonly WaitingBlock[];
  /** Makes a flush of some blocks. Must be called only if nothing is pending. */
  begin(blocks: readonly WaitingBlock[]): void;
  /** Stores the pending flush, unless it is already stored; rejects if the storage does not accept it. */
  send(): Promise<readonly Block[]>;
  /** Abandons the pending flush and returns its blocks. Once a later flush is stored, it cannot be stored any more. */
  giveUp(): readonly WaitingBlock[];
}

/** The number of random ids to try for a new writer. A collision is practically impossible. */
const MAX_TRIES = 10;
/** The time after which an unused writer is replaced. */
const UNUSED_MS = RESOLUTION_MS.day / 2;

/** The members of the context that a flusher uses. */
type FlusherContext = Pick<Context, 'clock' | 'random' | 'log'> & {
  readonly store: { readonly journal: Pick<JournalStorage, 'open' | 'file'> };
};

/** Creates a flusher. It registers a writer in the storage with its first flush. */
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
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      const id = writerId(random);
      if (await store.journal.open(id, now(context))) return id;
    }
    throw unavailable(new Error('The storage makes no writer of the journal known.'));
  }

  /** Sends a flush; `undefined` if it is not stored and this writer cannot store it any more. */
  async function trySend(sent: Flush): Promise<readonly Block[] | undefined> {
    const present = context.clock.now();
    // The storage forgets a writer a day after its last block.
    if (!sent.wasSent && present - usedAt > UNUSED_MS) writer = undefined;
    usedAt = present;
    writer ??= await openWriter();
    const name = { writer, seq: sent.seq };
    const blocks = sent.blocks.map((block) => namedBlock(block, { account_id: block.account_id, ...name }));
    const { wasSent } = sent;
    sent.wasSent = true;
    const result = await store.journal.file({ at: now(context), blocks, ...name });
    if (result === 'filed' || (result === 'known' && wasSent)) return blocks;
    const message = `The storage answers ${result} to the writer of the journal: a new writer goes on.`;
    log({ level: 'warn', event: 'journal_writer_renewed', message });
    return undefined;
  }

  return {
    get pending() {
      return flush?.blocks ?? [];
    },
    begin(blocks) {
      flush = nextFlush(blocks);
    },
    async send() {
      if (flush === undefined) return [];
      let filed = await trySend(flush);
      if (filed === undefined) {
        writer = undefined;
        seq = 0;
        flush = nextFlush(flush.blocks);
        filed = await trySend(flush);
      }
      if (filed === undefined) throw unavailable(new Error('The storage knows no writer of the journal.'));
      flush = undefined;
      return filed;
    },
    giveUp() {
      const blocks = flush?.blocks ?? [];
      flush = undefined;
      return blocks;
    },
  };
}
