import { type Block, type BlockHeader, type JournalStorage, MAX_LOADED_BLOCKS } from '../../ports/journal.ts';

/**
 * Reads the journal blocks that `headers` describe, a few at a time, and yields them in order. Yields
 * `undefined` for a deleted block.
 */
export async function* loadedBlocks(
  journal: Pick<JournalStorage, 'load'>,
  headers: readonly BlockHeader[],
): AsyncGenerator<Block | undefined, void> {
  for (let start = 0; start < headers.length; start += MAX_LOADED_BLOCKS)
    yield* await journal.load(headers.slice(start, start + MAX_LOADED_BLOCKS));
}
