/** The rows of many blocks in the order of (`evaluated_at`, `decision_id`), the oldest first, piece by piece. */
import { turn } from '../../base/async/turns.ts';
import { type BlockView, openBlock } from '../../blocks/index.ts';
import { type BlockHeader, type JournalStorage, MAX_LOADED_BLOCKS } from '../../ports/journal.ts';
import type { ReadBlock } from '../journal/damage.ts';
import { assertWanted } from '../shared/call-options.ts';
import { unavailable } from '../storage/storage-guard.ts';
import { type BlocksAsked, blockKey, listReplayBlocks, type ReplayBlocks } from './block-list.ts';

/** The reader of blocks: it is given each block once, and then its rows, some at a time. */
export interface BlockReader<Rows> {
  /** Prepares a block before its first row; may ask the storage. */
  begin(view: BlockView): Promise<Rows>;
  /**
   * Reads rows from `from` to before `until`, at most `ROWS_AT_ONCE`; returns the next one. It is given again: other work
   * may come before.
   */
  read(rows: Rows, from: number, until: number): number;
  /** Ends a block after its last row. */
  end(rows: Rows): void;
}

/** The places where blocks are read from. */
export interface RowsSource {
  readonly journal: JournalStorage;
  readonly readBlock: ReadBlock;
}

/** A block that is open, at its next row. */
interface Open<Rows> {
  readonly header: BlockHeader;
  readonly view: BlockView;
  readonly rows: Rows;
  place: number;
}

/** The last row that was read. */
interface Place {
  readonly ms: number;
  readonly id: string;
}

/** The milliseconds of work between two turns of the event loop. */
const PIECE_MS = 4;
/** The most rows between two looks at the clock. */
export const ROWS_AT_ONCE = 128;
/** The most lists that are read because blocks were compacted or removed meanwhile. */
const MAX_RESTARTS = 1_000;

/** Reads each row of the blocks once, in order. Ends within a turn of the event loop when the signal is aborted. */
export async function readInOrder<Rows>(
  source: RowsSource,
  asked: BlocksAsked,
  blocks: ReplayBlocks,
  reader: BlockReader<Rows>,
): Promise<void> {
  let after: Place = { ms: blocks.from - 1, id: '~' };
  let { headers } = blocks;
  for (let restarts = 0; restarts < MAX_RESTARTS; restarts += 1) {
    const end = await readListed(source, asked, { headers, after }, reader);
    if (end === undefined) return;
    after = end;
    // What was moved since is listed again, from the next row on.
    ({ headers } = await listReplayBlocks(source.journal, { ...asked, from: after.ms }));
  }
  throw unavailable(new Error('The blocks of the journal change faster than they can be read.'));
}

/** Reads the rows behind `after`; the last that was read when a block was gone. */
async function readListed<Rows>(
  { journal, readBlock }: RowsSource,
  { to, signal }: BlocksAsked,
  { headers, after }: { readonly headers: readonly BlockHeader[]; readonly after: Place },
  reader: BlockReader<Rows>,
): Promise<Place | undefined> {
  const open: Open<Rows>[] = [];
  let last = after;
  let next = 0;
  let since = performance.now();
  for (;;) {
    const first = earliest(open);
    const header = headers[next];
    if (header !== undefined && (first === undefined || header.from_ms <= timeOf(first))) {
      const batch = headers.slice(next, next + (open.length === 0 ? 1 : MAX_LOADED_BLOCKS));
      const due = batch.filter(
        ({ from_ms }) => from_ms <= (first === undefined ? header.from_ms : timeOf(first)),
      );
      const loaded = await journal.load(due);
      for (const [index, block] of loaded.entries()) {
        const wanted = due[index] as BlockHeader;
        if (block === undefined || blockKey(block) !== blockKey(wanted)) {
          for (const one of open) reader.end(one.rows);
          return last;
        }
        await turn();
        assertWanted(signal);
        const view = readBlock(block, () => openBlock(block.data, block.erasable));
        if (view === undefined) continue;
        const place = readBlock(wanted, () => placeAfter(view, after));
        if (place === undefined || place === view.length) continue;
        const rows = await reader.begin(view);
        open.push({ header: wanted, view, rows, place });
      }
      next += due.length;
      since = performance.now();
      continue;
    }
    if (first === undefined || timeOf(first) >= to) {
      for (const one of open) reader.end(one.rows);
      return undefined;
    }
    // Up to the first row of another block, or the first that may be in a block that is not open yet.
    const limit = Math.min(to, header?.from_ms ?? Number.POSITIVE_INFINITY, othersFrom(open, first));
    const { view, rows, place: from } = first;
    const { times, length } = view;
    const most = Math.min(length, from + ROWS_AT_ONCE);
    let until = from + 1;
    while (until < most && (times[until] as number) < limit) until += 1;
    const read = readBlock(first.header, () => reader.read(rows, from, until));
    if (read !== undefined && read > from)
      last = { ms: times[read - 1] as number, id: view.decisionId(read - 1) };
    // A block that is damaged is passed over.
    const place = read ?? length;
    first.place = place;
    if (place === length) {
      open.splice(open.indexOf(first), 1);
      reader.end(rows);
    }
    if (performance.now() - since > PIECE_MS) {
      await turn();
      assertWanted(signal);
      since = performance.now();
    }
  }
}

function timeOf({ view, place }: Open<unknown>): number {
  return view.times[place] as number;
}

/** Returns the block whose next row is the first of all. */
function earliest<Rows>(open: readonly Open<Rows>[]): Open<Rows> | undefined {
  let first: Open<Rows> | undefined;
  for (const one of open) {
    if (first === undefined) {
      first = one;
      continue;
    }
    const [a, b] = [timeOf(one), timeOf(first)];
    if (a < b || (a === b && one.view.decisionId(one.place) < first.view.decisionId(first.place)))
      first = one;
  }
  return first;
}

/** Returns the time of the first row of all blocks but one. */
function othersFrom(open: readonly Open<unknown>[], one: Open<unknown>): number {
  let from = Number.POSITIVE_INFINITY;
  for (const other of open) if (other !== one) from = Math.min(from, timeOf(other));
  return from;
}

/** Returns the place of the first row behind `after`. */
function placeAfter(view: BlockView, after: Place): number {
  let low = 0;
  let high = view.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ms = view.times[middle] as number;
    if (ms < after.ms || (ms === after.ms && view.decisionId(middle) <= after.id)) low = middle + 1;
    else high = middle;
  }
  return low;
}
