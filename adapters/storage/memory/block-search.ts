import {
  type Block,
  type BlockHeader,
  type BlocksQuery,
  MAX_BLOCK_SPAN_MS,
  turn,
} from '../../../src/ports/index.ts';
import { placeAmong, placeOfBlock } from './text-order.ts';

/** The number of blocks after which the search yields to the event loop. They take about a millisecond. */
const MAX_LOOKED_AT = 5_000;

/**
 * Returns the headers of the matching blocks of an account, the highest first. Later changes of the store have no
 * effect on the result.
 */
export async function findBlocks(
  sortedBlocks: readonly Block[],
  query: BlocksQuery,
): Promise<readonly BlockHeader[]> {
  const headers: BlockHeader[] = [];
  let blocks = sortedBlocks;
  let end = endOf(blocks, query);
  while (!lookAt(blocks, end, query, headers)) {
    // A copy, so that blocks stored in the meantime do not shift the rest.
    blocks = blocks === sortedBlocks ? sortedBlocks.slice(0, end - MAX_LOOKED_AT) : blocks;
    end -= MAX_LOOKED_AT;
    await turn();
  }
  return headers;
}

function lookAt(blocks: readonly Block[], end: number, query: BlocksQuery, headers: BlockHeader[]): boolean {
  const last = Math.max(0, end - MAX_LOOKED_AT);
  for (let index = end - 1; index >= last; index -= 1) {
    const block = blocks[index];
    if (block === undefined || block.to_ms < (query.from_ms ?? block.to_ms)) return true;
    if (fits(block, query)) headers.push(headerOf(block));
    if (headers.length === query.limit) return true;
  }
  return last === 0;
}

function endOf(blocks: readonly Block[], { after, upto_ms }: BlocksQuery): number {
  const start = after === undefined ? blocks.length : placeOfBlock(blocks, after);
  if (upto_ms === undefined) return start;
  const latest = upto_ms + MAX_BLOCK_SPAN_MS;
  return Math.min(
    start,
    placeAmong(blocks, ({ to_ms }) => (to_ms <= latest ? -1 : 0)),
  );
}

function fits(block: Block, { upto_ms, verdict, flags, names = [] }: BlocksQuery): boolean {
  return (
    (upto_ms === undefined || block.from_ms <= upto_ms) &&
    (verdict === undefined || (verdict === 'DENY' ? block.denied > 0 : block.records > block.denied)) &&
    (flags === undefined || (block.flags & flags) !== 0) &&
    names.every((hashes) => hashes.every((hash) => hasBit(block.filter, hash)))
  );
}

function hasBit(filter: Uint8Array, hash: number): boolean {
  const bit = hash % (8 * filter.length);
  return ((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

export function headerOf({
  filter: _filter,
  data: _data,
  erasable: _erasable,
  ...header
}: Block): BlockHeader {
  return header;
}
