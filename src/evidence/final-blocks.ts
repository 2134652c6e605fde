/**
 * Makes blocks final, which means that they are never changed again, except for texts that can be erased.
 * First joins small blocks into larger blocks. Only final blocks get a leaf in the evidence log.
 */

import { turn } from '../base/async/turns.ts';
import { isSmall, joinBlocks, kindOf } from '../core/journal/merge/join-blocks.ts';
import { createTimeSlices } from '../core/journal/merge/time-slices.ts';
import type { Context } from '../core/shared/context.ts';
import { loadedBlocks } from '../core/shared/loaded-blocks.ts';
import type { Store } from '../core/storage/store.ts';
import { openBlock, SALT_BYTES, withDigests } from '../journal-format/index.ts';
import { hashing } from '../platform/index.ts';
import { BLOCK_FLAGS, type Block, type BlockHeader, isFinal, MAX_BLOCK_SPAN_MS } from '../ports/journal.ts';
import type { RandomSource } from '../ports/storage.ts';

const MAX_JOINED = 64;
const MAX_RECORDS = 4_096;

/**
 * Makes the blocks of a writer and an account final. Returns their headers by `seq`, or `undefined` if a block was
 * changed or removed meanwhile. First joins small blocks with a `seq` of at most `mergedCount`, because the rollups
 * already count these blocks. Each later block becomes final alone.
 */
export async function makeFinal(
  { store: { journal }, random }: Pick<Context, 'store' | 'random'>,
  headers: readonly BlockHeader[],
  mergedCount: number,
): Promise<readonly BlockHeader[] | undefined> {
  const doneHeaders: BlockHeader[] = headers.filter(isAlone);
  const otherHeaders = headers.filter((header) => !isAlone(header));
  const nextSlice = createTimeSlices();
  for (const group of groupsOf(otherHeaders, mergedCount)) {
    const blocks = await loadAll(journal, group);
    if (blocks === undefined) return undefined;
    const joinedBlock = blocks.length === 1 ? undefined : await joinBlocks(blocks, nextSlice);
    const parts =
      joinedBlock === undefined
        ? blocks.map((block) => ({ part: [block], target: block }))
        : [{ part: blocks, target: joinedBlock }];
    for (const { part, target } of parts) {
      const final = asFinal(await digested(target, random));
      if (!(await journal.compact(part, final))) return undefined;
      doneHeaders.push(final);
    }
  }
  return doneHeaders.sort((header, otherHeader) => header.seq - otherHeader.seq);
}

/**
 * Adds the digests of the subjects to a block that is never compacted, and makes the block final. Returns `undefined`
 * if the block was changed or removed meanwhile.
 */
export async function withSubjects(
  { store: { journal }, random }: Pick<Context, 'store' | 'random'>,
  block: Block,
): Promise<Block | undefined> {
  const targetBlock = isFinal(block) ? block : await digested(block, random);
  if (targetBlock === block) return block;
  const final = asFinal(targetBlock);
  return (await journal.compact([block], final)) ? final : undefined;
}

function asFinal(block: Block): Block {
  return { ...block, flags: block.flags | BLOCK_FLAGS.final };
}

export function isAlone(header: BlockHeader): boolean {
  return isFinal(header) || !isSmall(header);
}

function groupsOf(headers: readonly BlockHeader[], mergedCount: number): readonly (readonly BlockHeader[])[] {
  const groups = new Map<string, BlockHeader[][]>();
  for (const header of headers) {
    const ownHeaders = groups.get(kindOf(header)) ?? [];
    groups.set(kindOf(header), ownHeaders);
    const last = ownHeaders.at(-1);
    if (last === undefined || header.seq > mergedCount || !hasRoom(last, header)) ownHeaders.push([header]);
    else last.push(header);
  }
  return [...groups.values()].flat();
}

function hasRoom(group: readonly BlockHeader[], header: BlockHeader): boolean {
  const headers = [...group, header];
  const records = headers.reduce((sum, header) => sum + header.records, 0);
  const start = Math.min(...headers.map(({ from_ms }) => from_ms));
  const end = Math.max(...headers.map(({ to_ms }) => to_ms));
  return headers.length <= MAX_JOINED && records <= MAX_RECORDS && end - start <= MAX_BLOCK_SPAN_MS;
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

/** The number of digests that are computed in one turn of the event loop. */
const AT_ONCE = 512;
const DIGEST_BYTES = 32;

/**
 * Returns the block with the digests of its subjects. Returns the same block if it has no subjects or is damaged. Each
 * text has its own salt in each block, so that digests of two blocks cannot be linked.
 */
async function digested(block: Block, random: RandomSource): Promise<Block> {
  const { data, erasable, erased } = block;
  const texts = textsOf(block);
  if (erasable === undefined || texts.length === 0) return block;
  const salts = new Uint8Array(texts.length * SALT_BYTES);
  const digests = new Uint8Array(texts.length * DIGEST_BYTES);
  for (const [index, text] of texts.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await turn();
    // An erased text has none: whatever it was, nothing is to be compared with it.
    if (text === '') continue;
    const salt = random.bytes(SALT_BYTES);
    salts.set(salt, index * SALT_BYTES);
    digests.set(digestOf(salt, text), index * DIGEST_BYTES);
  }
  // Who erases a text of the block has to read it again.
  return { ...block, ...withDigests({ data, erasable }, { salts, digests }), erased: erased + 1 };
}

const encoder = new TextEncoder();

function digestOf(salt: Uint8Array, text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const saltedBytes = new Uint8Array(SALT_BYTES + bytes.length);
  saltedBytes.set(salt);
  saltedBytes.set(bytes, SALT_BYTES);
  return hashing.sha256(saltedBytes);
}

function textsOf({ data, erasable }: Block): readonly string[] {
  if (erasable === undefined) return [];
  try {
    const { texts, isLost, digests } = openBlock(data, erasable).subjects;
    return isLost || digests !== undefined ? [] : texts.slice(1).map((text) => text ?? '');
  } catch {
    // A damaged block has its leaf as it is; readers log it.
    return [];
  }
}
