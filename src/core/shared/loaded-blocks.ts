import { type Block, type BlockHeader, type JournalStorage, MAX_LOADED_BLOCKS } from '../../ports/journal.ts';

/** Yields the blocks of headers in their order, read a few at a time. A block that no longer exists is `undefined`. */
export async function* loadedBlocks(
  journal: Pick<JournalStorage, 'load'>,
  headers: readonly BlockHeader[],
): AsyncGenerator<Block | undefined, void> {
  for (let at = 0; at < headers.length; at += MAX_LOADED_BLOCKS)
    yield* await journal.load(headers.slice(at, at + MAX_LOADED_BLOCKS));
}
