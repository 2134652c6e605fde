/** Reads the rows of many blocks in pieces, sorted by `evaluated_at` and `decision_id`, the oldest first. */
import { turn } from '../base/async/turns.ts';
import type { ReadBlock } from '../core/journal/damage.ts';
import { assertWanted } from '../core/shared/callers.ts';
import { unavailable } from '../core/storage/storage-guard.ts';
import { type BlockView, openBlock } from '../journal-format/index.ts';
import { type BlockHeader, type JournalStorage, MAX_LOADED_BLOCKS } from '../ports/journal.ts';
import { type BlocksAsked, blockKey, listReplayBlocks, type ReplayBlocks } from './block-list.ts';

/** Receives each block once, then its rows in several calls. */
export interface BlockReader<Rows> {
  /** Prepares a block before its first row. May read the storage. */
  begin(view: BlockView): Promise<Rows>;
  /**
   * Reads at most `ROWS_AT_ONCE` rows, from `start` up to but not including `end`. Returns the index of the next row.
   * The next call starts there, possibly after other work.
   */
  read(rows: Rows, start: number, end: number): number;
  end(rows: Rows): void;
}

export interface RowsSource {
  readonly journal: JournalStorage;
  readonly readBlock: ReadBlock;
}

interface Open<Rows> {
  readonly header: BlockHeader;
  readonly view: BlockView;
  readonly rows: Rows;
  place: number;
}

interface Place {
  readonly ms: number;
  readonly id: string;
}

/** The milliseconds of work before other work of the event loop may run. */
const PIECE_MS = 4;
/** The maximum number of rows that are read before the time is checked. */
const ROWS_AT_ONCE = 128;
/** The maximum number of times that the list of blocks is read again because blocks were compacted or removed. */
const MAX_RESTARTS = 1_000;

/** Reads each row of the blocks once, in order. If the signal is aborted, stops within a turn of the event loop. */
export async function readInOrder<Rows>(
  source: RowsSource,
  askedBlocks: BlocksAsked,
  blocks: ReplayBlocks,
  reader: BlockReader<Rows>,
): Promise<void> {
  let placeAfter: Place = { ms: blocks.from - 1, id: '~' };
  let { headers } = blocks;
  for (let restarts = 0; restarts < MAX_RESTARTS; restarts += 1) {
    const end = await readListed(source, askedBlocks, { headers, after: placeAfter }, reader);
    if (end === undefined) return;
    placeAfter = end;
    // What was moved since is listed again, from the next row on.
    ({ headers } = await listReplayBlocks(source.journal, { ...askedBlocks, from: placeAfter.ms }));
  }
  throw unavailable(new Error('The blocks of the journal change faster than they can be read.'));
}

/** The state of one pass over a list of blocks. */
interface Pass<Rows> {
  readonly after: Place;
  readonly reader: BlockReader<Rows>;
  readonly open: Open<Rows>[];
  /** The last row that was read. */
  last: { readonly view: BlockView; readonly place: number } | undefined;
}

/**
 * Reads the rows after `after`. Returns `undefined` at the end, or the last row that was read if a block no longer
 * exists.
 */
async function readListed<Rows>(
  source: RowsSource,
  { to, signal }: BlocksAsked,
  { headers, after }: { readonly headers: readonly BlockHeader[]; readonly after: Place },
  reader: BlockReader<Rows>,
): Promise<Place | undefined> {
  const pass: Pass<Rows> = { after, reader, open: [], last: undefined };
  const { open } = pass;
  let next = 0;
  let sinceMs = performance.now();
  for (;;) {
    const first = earliest(open);
    const due = dueIn(headers, next, first);
    if (due.length > 0) {
      if (!(await openAll(source, due, pass, signal))) {
        endAll(pass);
        return lastPlace(pass);
      }
      next += due.length;
      sinceMs = performance.now();
      continue;
    }
    if (first === undefined || timeOf(first) >= to) {
      endAll(pass);
      return undefined;
    }
    const nextMs = headers[next]?.from_ms ?? to;
    readRun(source, pass, first, endOfRun(open, first, Math.min(to, nextMs)));
    if (performance.now() - sinceMs > PIECE_MS) {
      await turn();
      assertWanted(signal);
      sinceMs = performance.now();
    }
  }
}

function lastPlace({ last, after }: Pass<unknown>): Place {
  return last === undefined ? after : placeOf(last.view, last.place);
}

/** Returns the blocks from `next` on that may contain rows before the first row of the open blocks. */
function dueIn(
  headers: readonly BlockHeader[],
  next: number,
  first: Open<unknown> | undefined,
): readonly BlockHeader[] {
  const header = headers[next];
  if (header === undefined) return [];
  if (first === undefined) return [header];
  const endMs = timeOf(first);
  if (header.from_ms > endMs) return [];
  return headers.slice(next, next + MAX_LOADED_BLOCKS).filter(({ from_ms }) => from_ms <= endMs);
}

/** Opens blocks. Returns `false` if one of them no longer exists. */
async function openAll<Rows>(
  { journal, readBlock }: RowsSource,
  due: readonly BlockHeader[],
  { after, reader, open }: Pass<Rows>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const loadedBlocks = await journal.load(due);
  for (const [index, block] of loadedBlocks.entries()) {
    const header = due[index] as BlockHeader;
    if (block === undefined || blockKey(block) !== blockKey(header)) return false;
    await turn();
    assertWanted(signal);
    const view = readBlock(block, () => openBlock(block.data, block.erasable));
    if (view === undefined) continue;
    const place = readBlock(header, () => placeAfter(view, after));
    if (place === undefined || place === view.length) continue;
    open.push({ header, view, rows: await reader.begin(view), place });
  }
  return true;
}

function endAll<Rows>({ open, reader }: Pass<Rows>): void {
  for (const { rows } of open) reader.end(rows);
}

/** Reads some rows of an open block before `end`. Closes the block after its last row. */
function readRun<Rows>({ readBlock }: RowsSource, pass: Pass<Rows>, block: Open<Rows>, end: Place): void {
  const { reader, open } = pass;
  const { header, view, rows, place: start } = block;
  const endPlace = placeAfter(view, end, { from: start, until: Math.min(view.length, start + ROWS_AT_ONCE) });
  const read = readBlock(header, () => reader.read(rows, start, endPlace));
  if (read !== undefined && read > start) pass.last = { view, place: read - 1 };
  // A block that is damaged is passed over.
  block.place = read ?? view.length;
  if (block.place !== view.length) return;
  open.splice(open.indexOf(block), 1);
  reader.end(rows);
}

function placeOf(view: BlockView, place: number): Place {
  return { ms: view.times[place] as number, id: view.decisionId(place) };
}

function timeOf({ view, place }: Open<unknown>): number {
  return view.times[place] as number;
}

function earliest<Rows>(open: readonly Open<Rows>[]): Open<Rows> | undefined {
  let first: Open<Rows> | undefined;
  for (const candidate of open) {
    if (first === undefined) {
      first = candidate;
      continue;
    }
    const [a, b] = [timeOf(candidate), timeOf(first)];
    if (a < b || (a === b && candidate.view.decisionId(candidate.place) < first.view.decisionId(first.place)))
      first = candidate;
  }
  return first;
}

function endOfRun(open: readonly Open<unknown>[], first: Open<unknown>, end: number): Place {
  const otherOpen = open.length === 1 ? undefined : earliest(open.filter((candidate) => candidate !== first));
  if (otherOpen === undefined || timeOf(otherOpen) >= end) return { ms: end, id: '' };
  return placeOf(otherOpen.view, otherOpen.place);
}

function placeAfter(view: BlockView, afterPlace: Place, { from = 0, until = view.length } = {}): number {
  let low = from;
  let high = until;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ms = view.times[middle] as number;
    if (ms < afterPlace.ms || (ms === afterPlace.ms && view.decisionId(middle) <= afterPlace.id))
      low = middle + 1;
    else high = middle;
  }
  return low;
}
