/** Adds the digests of subjects to a block: a leaf covers them, while the texts can be erased. */
import { turn } from '../../base/async/turns.ts';
import { openBlock, SALT_BYTES, withDigests } from '../../blocks/index.ts';
import { hashing } from '../../platform/index.ts';
import type { Block } from '../../ports/journal.ts';
import type { RandomSource } from '../../ports/storage.ts';

/** The digests that are computed in one turn of the event loop. */
const AT_ONCE = 512;
const DIGEST_BYTES = 32;

/**
 * Returns the block with the digests of its subjects; the block itself where it has none, and where it is damaged. Each
 * text has its own salt in each block, so that nothing links the digests of two blocks.
 */
export async function digested(block: Block, random: RandomSource): Promise<Block> {
  const { data, erasable, erased } = block;
  const texts = textsOf(block);
  if (erasable === undefined || texts.length === 0) return block;
  const salts = new Uint8Array(texts.length * SALT_BYTES);
  const digests = new Uint8Array(texts.length * DIGEST_BYTES);
  for (const [at, text] of texts.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await turn();
    // An erased text has none: whatever it was, nothing is to be compared with it.
    if (text === '') continue;
    const salt = random.bytes(SALT_BYTES);
    salts.set(salt, at * SALT_BYTES);
    digests.set(digestOf(salt, text), at * DIGEST_BYTES);
  }
  // Who erases a text of the block has to read it again.
  return { ...block, ...withDigests({ data, erasable }, { salts, digests }), erased: erased + 1 };
}

const encoder = new TextEncoder();

function digestOf(salt: Uint8Array, text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const salted = new Uint8Array(SALT_BYTES + bytes.length);
  salted.set(salt);
  salted.set(bytes, SALT_BYTES);
  return hashing.sha256(salted);
}

/** Returns the texts of a block without digests; none where they are lost. */
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
