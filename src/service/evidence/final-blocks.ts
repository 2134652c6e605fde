/** Makes blocks final, small ones joined: only then they get a leaf. */
import {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  isFinal,
  MAX_BLOCK_SPAN_MS,
} from '../../ports/journal.ts';
import { isSmall, joinBlocks, kindOf } from '../journal/merge/join-blocks.ts';
import { createTimeSlices } from '../journal/merge/time-slices.ts';
import type { Context } from '../shared/context.ts';
import { loadedBlocks } from '../shared/loaded-blocks.ts';
import type { Store } from '../storage/store.ts';
import { digested } from './subject-salts.ts';

/** The most blocks, and records, that become one. */
const MAX_JOINED = 64;
const MAX_RECORDS = 4_096;

/**
 * Makes the blocks of a writer and account final, and returns their headers by `seq`; `undefined` if one was changed or
 * removed meanwhile. Those up to `merged` are joined; one that waits for its merge becomes final by itself.
 */
export async function makeFinal(
  { store: { journal }, random }: Pick<Context, 'store' | 'random'>,
  headers: readonly BlockHeader[],
  merged: number,
): Promise<readonly BlockHeader[] | undefined> {
  const done: BlockHeader[] = headers.filter(isAlone);
  const others = headers.filter((header) => !isAlone(header));
  const nextSlice = createTimeSlices();
  for (const group of groupsOf(others, merged)) {
    const blocks = await loadAll(journal, group);
    if (blocks === undefined) return undefined;
    const joined = blocks.length === 1 ? undefined : await joinBlocks(blocks, nextSlice);
    const parts = joined === undefined ? blocks.map((block) => [block]) : [blocks];
    for (const part of parts) {
      const [first] = part;
      const into = joined ?? first;
      if (into === undefined) continue;
      const final = asFinal(await digested(into, random));
      if (!(await journal.compact(part, final))) return undefined;
      done.push(final);
    }
  }
  return done.sort((one, other) => one.seq - other.seq);
}

/**
 * Returns a block that nothing compacts with the digests of its subjects, which makes it final; `undefined` if it was
 * changed or removed meanwhile.
 */
export async function withSubjects(
  { store: { journal }, random }: Pick<Context, 'store' | 'random'>,
  block: Block,
): Promise<Block | undefined> {
  const into = isFinal(block) ? block : await digested(block, random);
  if (into === block) return block;
  const final = asFinal(into);
  return (await journal.compact([block], final)) ? final : undefined;
}

function asFinal(block: Block): Block {
  return { ...block, flags: block.flags | BLOCK_FLAGS.final };
}

/** Says whether nothing compacts the block. */
export function isAlone(header: BlockHeader): boolean {
  return isFinal(header) || !isSmall(header);
}

function groupsOf(headers: readonly BlockHeader[], merged: number): readonly (readonly BlockHeader[])[] {
  const groups = new Map<string, BlockHeader[][]>();
  for (const header of headers) {
    const own = groups.get(kindOf(header)) ?? [];
    groups.set(kindOf(header), own);
    const last = own.at(-1);
    if (last === undefined || header.seq > merged || !hasRoom(last, header)) own.push([header]);
    else last.push(header);
  }
  return [...groups.values()].flat();
}

function hasRoom(group: readonly BlockHeader[], header: BlockHeader): boolean {
  const all = [...group, header];
  const records = all.reduce((sum, one) => sum + one.records, 0);
  const from = Math.min(...all.map(({ from_ms }) => from_ms));
  const to = Math.max(...all.map(({ to_ms }) => to_ms));
  return all.length <= MAX_JOINED && records <= MAX_RECORDS && to - from <= MAX_BLOCK_SPAN_MS;
}

async function loadAll(
  journal: Store['journal'],
  headers: readonly BlockHeader[],
): Promise<readonly Block[] | undefined> {
  const blocks: Block[] = [];
  for await (const block of loadedBlocks(journal, headers)) {
    if (block === undefined) return undefined;
    blocks.push(block);
  }
  return blocks;
}
