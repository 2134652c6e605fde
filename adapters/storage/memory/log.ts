import type { JournalEntry, Position, Reason } from '../../../src/index.ts';
import { compareText } from './text-order.ts';

/** The verdicts of one account, the oldest at 0. */
export interface Log {
  readonly account_id: string;
  readonly length: number;
  /** Puts a copy in its place; faster for an entry whose id `isGreatest` here. */
  add(entry: JournalEntry, isGreatest: boolean): void;
  /** An entry of its own; its reasons are frozen and others may have them. */
  at(index: number): JournalEntry;
  positionAt(index: number): Position;
  /** The index of the first entry that does not stand before `position`; `length` when that is missing. */
  placeOf(position: Position | undefined): number;
  /** Forgets the first so many. */
  dropOldest(number: number): void;
}

/**
 * Entries one after another, each value in a cell. An object for each verdict lives so long that the garbage
 * collector moves it twice and then looks at it again and again: a third of filing.
 */
type Cells = unknown[];

/** How many cells an entry takes, and how many entries stand in one array: all arrays but the last are full. */
const WIDTH = 13;
const CHUNK = 1_024;

/** A log without entries. */
export function createLog(account_id: string): Log {
  const chunks: Cells[] = [];
  /** How many of the first chunk were dropped. */
  let gone = 0;
  let length = 0;
  /** The greatest instant there ever was. */
  let newest = '';

  function chunkOf(index: number): Cells {
    const at = Math.floor((gone + index) / CHUNK);
    const chunk = chunks[at] ?? [];
    if (at === chunks.length) chunks.push(chunk);
    return chunk;
  }

  function cellOf(index: number): number {
    return ((gone + index) % CHUNK) * WIDTH;
  }

  function positionAt(index: number): Position {
    const cells = chunkOf(index);
    const cell = cellOf(index);
    return { id: cells[cell] as string, created_at: cells[cell + 1] as string };
  }

  function placeOf(position: Position | undefined): number {
    if (position === undefined) return length;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions(positionAt(middle), position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last of each chunk moves on into the next. Nearly always there is hardly one: entries come late by little. */
  function insert(entry: JournalEntry, place: number): void {
    let moved: Cells = [];
    pushCells(moved, entry);
    for (let index = place; moved.length > 0; index += CHUNK - ((gone + index) % CHUNK)) {
      const chunk = chunkOf(index);
      chunk.splice(cellOf(index), 0, ...moved);
      moved = chunk.splice(CHUNK * WIDTH);
    }
  }

  return {
    account_id,
    get length() {
      return length;
    },
    add(entry, isGreatest) {
      if (isGreatest && newest <= entry.created_at) pushCells(chunkOf(length), entry);
      else insert(entry, placeOf(entry));
      if (newest < entry.created_at) newest = entry.created_at;
      length += 1;
    },
    at: (index) => readEntry(account_id, chunkOf(index), cellOf(index)),
    positionAt,
    placeOf,
    dropOldest(number) {
      gone += number;
      length -= number;
      chunks.splice(0, Math.floor(gone / CHUNK));
      gone %= CHUNK;
      if (length > 0) return;
      chunks.length = 0;
      gone = 0;
    },
  };
}

/** Below 0 when `a` stands before `b`. */
export function comparePositions(a: Position, b: Position): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return compareText(a.id, b.id);
}

function pushCells(cells: Cells, entry: JournalEntry): void {
  cells.push(
    entry.id,
    entry.created_at,
    entry.verdict,
    frozenReasons(entry.reasons),
    entry.agent_id,
    entry.action,
    entry.target,
    entry.amount,
    entry.currency,
    entry.passport_version,
    entry.environment,
    entry.key_id,
    entry.dry_run,
  );
}

function readEntry(account_id: string, cells: Cells, at: number): JournalEntry {
  let cell = at;
  const next = <Value>(): Value => cells[cell++] as Value;
  return {
    id: next(),
    account_id,
    created_at: next(),
    verdict: next(),
    reasons: next(),
    agent_id: next(),
    action: next(),
    target: next(),
    amount: next(),
    currency: next(),
    passport_version: next(),
    environment: next(),
    key_id: next(),
    dry_run: next(),
  };
}

const NO_REASONS: readonly Reason[] = Object.freeze([]);

/** Reasons that nobody can change need no copy: most verdicts have the same few. */
function frozenReasons(reasons: readonly Reason[]): readonly Reason[] {
  if (reasons.length === 0) return NO_REASONS;
  if (Object.isFrozen(reasons) && reasons.every((reason) => Object.isFrozen(reason))) return reasons;
  return Object.freeze(reasons.map((reason) => Object.freeze({ ...reason })));
}
