/** The headers of an account's blocks, page after page. */
import { filterHashes } from '../../blocks/index.ts';
import {
  BLOCK_FLAGS,
  type BlockHeader,
  type BlocksQuery,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
} from '../../ports/journal.ts';
import type { RecordFilter } from './block-walk.ts';

/** Headers that were not taken yet, in the order of `BlockPlace`. */
export interface HeaderList {
  /** The next, which stays; `undefined` when there are no more. */
  peek(): Promise<BlockHeader | undefined>;
  /** Takes at most so many of those that were fetched. */
  take(limit: number): readonly BlockHeader[];
}

/** How many are asked for first; each time twice as many. */
const FIRST_PAGE = 16;

/** The headers of the blocks of an account that may hold what fits, up to a time. */
export function headerList(
  journal: JournalStorage,
  { account_id, ...filter }: RecordFilter & { readonly account_id: string },
  upto_ms: number | undefined,
): HeaderList {
  const query = { account_id, ...toQuery(filter, upto_ms) };
  let fetched: BlockHeader[] = [];
  let last: BlockHeader | undefined;
  let limit = FIRST_PAGE;
  let isOver = false;
  return {
    async peek() {
      if (fetched.length === 0 && !isOver) {
        fetched = [...(await journal.blocks({ ...query, ...(last && { after: last }), limit }))];
        isOver = fetched.length < limit;
        last = fetched.at(-1) ?? last;
        limit = Math.min(limit * 2, MAX_LISTED_BLOCKS);
      }
      return fetched[0];
    },
    take: (most) => fetched.splice(0, most),
  };
}

function toQuery(
  { agent_id, verdict, reason, environment, from_ms, to_ms }: RecordFilter,
  upto_ms: number | undefined,
): Omit<BlocksQuery, 'account_id' | 'limit'> {
  const names = [
    ...(agent_id === undefined ? [] : [filterHashes('agent', agent_id)]),
    ...(reason === undefined ? [] : [filterHashes('reason', reason)]),
  ];
  const upto = Math.min(upto_ms ?? Number.POSITIVE_INFINITY, (to_ms ?? Number.POSITIVE_INFINITY) - 1);
  return {
    ...(from_ms !== undefined && { from_ms }),
    ...(upto !== Number.POSITIVE_INFINITY && { upto_ms: upto }),
    ...(verdict !== undefined && { verdict }),
    ...(environment !== undefined && { flags: BLOCK_FLAGS[environment] }),
    ...(names.length > 0 && { names }),
  };
}
