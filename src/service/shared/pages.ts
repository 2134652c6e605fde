/** Pages of records, newest first, behind opaque cursors that only fit the query they came from. */

import { mustBe } from '../../base/expected.ts';
import type { Seal } from '../../credential/seal.ts';
import { type FieldError, invalidRequest, refuseAny } from '../../errors.ts';
import type { Page } from '../../records.ts';
import { assertWanted, type CallOptions } from './call-options.ts';

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

/**
 * One page of `source`, or `invalid_request` for a limit out of range or a cursor of another query. Where few
 * records belong to the list a page comes short, or empty, with `has_more`.
 */
export async function readPage<Stored, Shown, Position>(
  { seal, caches }: { readonly seal: Seal; readonly caches: { readonly monotonic: () => number } },
  source: PageSource<Stored, Shown, Position>,
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
  { signal }: CallOptions = {},
): Promise<Page<Shown>> {
  refuseAny(limitErrors(limit));
  const { keep } = source;
  const query = JSON.stringify(source.query);
  const kept: Stored[] = [];
  const end = caches.monotonic() + FILLED_MS;
  let after = typeof cursor === 'string' ? openCursor<Position>(seal, query, cursor) : undefined;
  let next: Position | null;
  do {
    assertWanted(signal);
    // One record more than asked for shows whether there is a next page.
    const piece = await source.read(keep === undefined ? limit + 1 : FILTERED_BATCH, after);
    kept.push(...(keep === undefined ? piece.records : piece.records.filter(keep)));
    next = piece.next;
    after = next ?? undefined;
  } while (next !== null && kept.length <= limit && caches.monotonic() < end);
  const shown = kept.slice(0, limit);
  const last = kept.length > limit ? shown.at(-1) : undefined;
  const position = last === undefined ? next : source.positionOf(last);
  return {
    data: shown.map(source.show),
    has_more: position !== null,
    next_cursor: position === null ? null : seal.close(query, JSON.stringify(position)),
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
