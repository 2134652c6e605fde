/** Reads pages of records, newest first, with opaque cursors that are valid only for their query. */

import type { Seal } from '../../credential/seal.ts';
import { type FieldError, refuseAny, wrongField } from '../../errors.ts';
import { utf8Length } from '../../platform/index.ts';
import type { Page } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { assertWanted, type CallOptions } from './callers.ts';

/** The size and the start of a page. */
export interface PageRequest {
  /** The maximum number of records: 1 to 100, default 50. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page; `null` for the first page. */
  readonly cursor?: string | null;
}

/** The result of one read of a list. */
export interface ListPiece<Stored, Position> {
  readonly records: readonly Stored[];
  /** The position of the last record that was read; `null` if there are no more. */
  readonly next: Position | null;
}

/** A list that is read in several pieces. A `Position` must be plain data, because cursors contain it. */
export interface PageSource<Stored, Shown, Position> {
  /** The name of the list and its filters. A cursor from another query is refused. */
  readonly query: readonly (string | undefined)[];
  readonly read: (limit: number, position: Position | undefined) => Promise<ListPiece<Stored, Position>>;
  /** The number of records in one read, if records may be large; default: the whole page. */
  readonly atOnce?: number;
  readonly positionOf: (record: Stored) => Position;
  readonly show: (record: Stored) => Shown;
  /** Returns `true` for records that belong to the list, if the storage cannot filter them. Default: all records. */
  readonly keep?: (record: Stored) => boolean;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const FILTERED_BATCH = 200;
/**
 * The time limit in milliseconds for filling a page. If few records match, a page may be short or empty although more
 * follow.
 */
const FILLED_MS = 250;
const MAX_BYTES = 1024 * 1024;
const AROUND_BYTES = 1024;

/**
 * Reads one page of `source`. The page is short, with `has_more`, if it would otherwise be longer than 1 MiB, or if few
 * records match. Rejects with `invalid_request` for a limit out of range or a cursor from another query.
 */
export async function readPage<Stored, Shown, Position>(
  { seal, caches }: { readonly seal: Seal; readonly caches: { readonly monotonic: () => number } },
  source: PageSource<Stored, Shown, Position>,
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
  { signal }: CallOptions = {},
): Promise<Page<Shown>> {
  refuseAny(limitErrors(limit));
  const { keep, atOnce = keep === undefined ? limit + 1 : FILTERED_BATCH } = source;
  const query = JSON.stringify(source.query);
  const page = createFill(source, limit);
  const end = caches.monotonic() + FILLED_MS;
  let position = typeof cursor === 'string' ? openCursor<Position>(seal, query, cursor) : undefined;
  let next: Position | null;
  do {
    assertWanted(signal);
    // One more record shows whether there is a next page.
    const missing = keep === undefined ? limit + 1 - page.data.length : atOnce;
    const piece = await source.read(Math.min(atOnce, missing), position);
    next = page.take(piece.records) ?? piece.next;
    position = next ?? undefined;
  } while (next !== null && !page.isFull && caches.monotonic() < end);
  return {
    data: page.data,
    has_more: next !== null,
    next_cursor: next === null ? null : seal.close(query, JSON.stringify(next)),
  };
}

interface Fill<Stored, Shown, Position> {
  readonly data: readonly Shown[];
  readonly isFull: boolean;
  take(records: readonly Stored[]): Position | undefined;
}

function createFill<Stored, Shown, Position>(
  { keep = () => true, show, positionOf }: PageSource<Stored, Shown, Position>,
  limit: number,
): Fill<Stored, Shown, Position> {
  const data: Shown[] = [];
  let bytes = AROUND_BYTES;
  let last: Stored | undefined;
  let isFull = false;
  return {
    data,
    get isFull() {
      return isFull;
    },
    take(records) {
      for (const record of records) {
        if (!keep(record)) continue;
        const view = show(record);
        bytes += jsonBytes(view) + 1;
        isFull = data.length === limit || bytes > MAX_BYTES;
        if (isFull && last !== undefined) return positionOf(last);
        data.push(view);
        last = record;
      }
      return undefined;
    },
  };
}

/** Returns an error if the limit is out of range. Lists report it together with the errors of their filters. */
export function limitErrors(limit: number = DEFAULT_LIMIT): readonly FieldError[] {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return [];
  return [{ path: '/limit', code: 'out_of_range', message: mustBe('/limit') }];
}

function openCursor<Position>(seal: Seal, query: string, cursor: string): Position {
  const position = seal.open(query, cursor);
  if (position !== undefined) return JSON.parse(position);
  throw wrongField('/cursor', 'invalid_cursor', mustBe('/cursor'));
}

/** Returns the length of a value as JSON, in bytes. */
export function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
