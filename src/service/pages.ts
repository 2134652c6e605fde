/** Pages of records, newest first, behind opaque cursors that only fit the query they came from. */
import type { Seal } from '../credential/seal.ts';
import { invalidRequest } from '../errors.ts';
import type { Position } from '../ports.ts';
import type { Page } from '../records.ts';

/** How much of a list, and from where. */
export interface PageRequest {
  /** 1 to 100; default 50. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** A list that can be read piece by piece. */
export interface PageSource<Stored, Shown> {
  /** Names the list and its filters; a cursor of another query is refused. */
  readonly query: readonly (string | undefined)[];
  readonly read: (limit: number, after: Position | undefined) => Promise<readonly Stored[]>;
  readonly show: (record: Stored) => Shown;
  /** Which records belong to the list, where the storage cannot tell; default: all. */
  readonly keep?: (record: Stored) => boolean;
}

const DEFAULT_LIMIT = 50;
const MOST = 100;
/** How many are read at a time where most may not belong to the list. */
const FILTERED_BATCH = 200;

/** One page of `source`, or `invalid_request` for a limit out of range or a cursor of another query. */
export async function readPage<Stored extends Position, Shown>(
  seal: Seal,
  source: PageSource<Stored, Shown>,
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
): Promise<Page<Shown>> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    const message = `This must be a whole number from 1 to ${MOST}.`;
    throw invalidRequest([{ path: '/limit', code: 'out_of_range', message }]);
  }
  const query = JSON.stringify(source.query);
  const kept: Stored[] = [];
  let after = cursor === undefined ? undefined : openCursor(seal, query, cursor);
  // One record more than asked for tells whether there is a next page.
  const batch = source.keep === undefined ? limit + 1 : FILTERED_BATCH;
  while (kept.length <= limit) {
    const records = await source.read(batch, after);
    kept.push(...(source.keep === undefined ? records : records.filter(source.keep)));
    if (records.length < batch) break;
    after = records.at(-1);
  }
  const shown = kept.slice(0, limit);
  const last = kept.length > limit ? shown.at(-1) : undefined;
  return {
    data: shown.map(source.show),
    has_more: last !== undefined,
    next_cursor:
      last === undefined
        ? null
        : seal.close(query, JSON.stringify({ created_at: last.created_at, id: last.id })),
  };
}

function openCursor(seal: Seal, query: string, cursor: string): Position {
  const position = seal.open(query, cursor);
  if (position !== undefined) return JSON.parse(position);
  throw invalidRequest([
    { path: '/cursor', code: 'invalid_cursor', message: 'This cursor does not belong to this query.' },
  ]);
}
