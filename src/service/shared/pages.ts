/** Pages of records, newest first, behind opaque cursors that only fit the query they came from. */

import { mustBe } from '../../base/values/expected.ts';
import type { Seal } from '../../credential/seal.ts';
import { type FieldError, invalidRequest, refuseAny } from '../../errors.ts';
import type { Page } from '../../records.ts';
import { assertWanted, type CallOptions } from './call-options.ts';
import { jsonBytes } from './json-bytes.ts';

/** How much of a list, and from where. */
export interface PageRequest {
  /** 1 to 100; default 50. */
  readonly limit?: number;
  /** `next_cursor` of the page before; `null` is the first page. */
  readonly cursor?: string | null;
}

/** What one call of the storage has found of a list. */
export interface ListPiece<Stored, Position> {
  readonly records: readonly Stored[];
  /** The last record that was looked at; `null`: there are no more. */
  readonly next: Position | null;
}

/** A list that can be read piece by piece. A cursor holds a `Position`: plain data. */
export interface PageSource<Stored, Shown, Position> {
  /** Names the list and its filters; a cursor of another query is refused. */
  readonly query: readonly (string | undefined)[];
  readonly read: (limit: number, after: Position | undefined) => Promise<ListPiece<Stored, Position>>;
  /** How many records are read at a time, where one may be large; default: all of the page. */
  readonly atOnce?: number;
  readonly positionOf: (record: Stored) => Position;
  readonly show: (record: Stored) => Shown;
  /** Which records belong to the list, where the storage cannot filter them; default: all. */
  readonly keep?: (record: Stored) => boolean;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** How many are read at a time where most may not belong to the list. */
const FILTERED_BATCH = 200;
/** The longest time in which a page is filled. Where few records fit, it comes short, with a cursor after the last one that was read. */
const FILLED_MS = 250;
/** How long a page is as JSON at most, unless its only record is longer. */
const MAX_BYTES = 1024 * 1024;
/** What stands around the records: the names, the cursor, and what a list adds. */
const AROUND_BYTES = 1024;

/**
 * One page of `source`, or `invalid_request` for a limit out of range or a cursor of another query. It comes short,
 * with `has_more`, where the next record would make it longer than 1 MiB; where few records belong to the list also
 * empty.
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
  let after = typeof cursor === 'string' ? openCursor<Position>(seal, query, cursor) : undefined;
  let next: Position | null;
  do {
    assertWanted(signal);
    // One record more than asked for shows whether there is a next page.
    const missing = keep === undefined ? limit + 1 - page.data.length : atOnce;
    const piece = await source.read(Math.min(atOnce, missing), after);
    next = page.take(piece.records) ?? piece.next;
    after = next ?? undefined;
  } while (next !== null && !page.isFull && caches.monotonic() < end);
  return {
    data: page.data,
    has_more: next !== null,
    next_cursor: next === null ? null : seal.close(query, JSON.stringify(next)),
  };
}

/** A page that is being filled. */
interface Fill<Stored, Shown, Position> {
  readonly data: readonly Shown[];
  readonly isFull: boolean;
  /** Adds these; the position of the last one on the page where a record did not fit any more. */
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
        const shown = show(record);
        bytes += jsonBytes(shown) + 1;
        isFull = data.length === limit || bytes > MAX_BYTES;
        if (isFull && last !== undefined) return positionOf(last);
        data.push(shown);
        last = record;
      }
      return undefined;
    },
  };
}

/** The error of a limit that is out of range, for lists that check their filters together with it. */
export function limitErrors(limit: number = DEFAULT_LIMIT): readonly FieldError[] {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return [];
  return [{ path: '/limit', code: 'out_of_range', message: mustBe('/limit') }];
}

function openCursor<Position>(seal: Seal, query: string, cursor: string): Position {
  const position = seal.open(query, cursor);
  if (position !== undefined) return JSON.parse(position);
  throw invalidRequest([{ path: '/cursor', code: 'invalid_cursor', message: mustBe('/cursor') }]);
}
