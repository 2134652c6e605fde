/** Joins several blocks of one writer and one account into one block. */
import {
  type BlockView,
  createBlockBuilder,
  mergedRecords,
  namedBlock,
  openBlock,
  packOutcomes,
  type SealedBlock,
} from '../../../journal-format/index.ts';
import { BLOCK_FLAGS, type Block, type BlockHeader, MAX_BLOCK_SPAN_MS } from '../../../ports/journal.ts';

/** The number of records from which a block is no longer joined. */
const SMALL = 1_024;

const RECORDS_AT_ONCE = 64;

export function isSmall({ records }: BlockHeader): boolean {
  return records < SMALL;
}

export function isOfOutcomes({ flags }: BlockHeader): boolean {
  return (flags & BLOCK_FLAGS.outcomes) !== 0;
}

/**
 * Returns a text that is equal for blocks that may be joined. Reports of outcomes share a block only if their verdicts
 * are of one hour.
 */
export function kindOf(header: BlockHeader): string {
  return isOfOutcomes(header) ? `outcomes ${Math.floor(header.from_ms / MAX_BLOCK_SPAN_MS)}` : 'records';
}

async function pack(
  views: readonly BlockView[],
  nextSlice: () => Promise<void>,
): Promise<SealedBlock | undefined> {
  const reports = views.flatMap(({ outcomes }) =>
    Array.from({ length: outcomes.length }, (_, place) => outcomes.report(place)),
  );
  if (reports.length > 0) {
    const packedOutcomes = packOutcomes(reports);
    return packedOutcomes.length > 1 ? undefined : packedOutcomes[0]?.block;
  }
  const builder = createBlockBuilder();
  for (const { record, bucket } of mergedRecords(views)) {
    if (builder.length() % RECORDS_AT_ONCE === 0) await nextSlice();
    if (!builder.push(record, bucket)) return undefined;
  }
  return builder.seal(views.flatMap((view) => view.drops));
}

/**
 * Joins blocks under the name of the last one. Returns `undefined` if they do not fit into one block, or one is
 * damaged. `nextSlice` lets other work run, because eight thousand records take tens of milliseconds.
 */
export async function joinBlocks(
  blocks: readonly Block[],
  nextSlice: () => Promise<void>,
): Promise<Block | undefined> {
  const last = blocks.reduce((latest, block) => (block.seq > latest.seq ? block : latest));
  try {
    const views: readonly BlockView[] = blocks.map(({ data, erasable }) => openBlock(data, erasable));
    if (!views.every(isPackable)) return undefined;
    const packedBlock = await pack(views, nextSlice);
    return packedBlock && namedBlock(packedBlock, last, erasedOfJoined(blocks));
  } catch {
    // A damaged block stays as it is; readers log it.
    return undefined;
  }
}

function isPackable({ isCarried, hasApprovals, subjects }: BlockView): boolean {
  return isCarried && hasApprovals && !subjects.isLost;
}

/**
 * Returns the `erased` number of the joined block, which is higher than the numbers of the single blocks. Code that
 * erases a text of a single block must therefore read the joined block again.
 */
function erasedOfJoined(blocks: readonly Block[]): number {
  const hasTexts = blocks.some(({ erasable }) => erasable !== undefined);
  return hasTexts ? 1 + Math.max(...blocks.map(({ erased }) => erased)) : 0;
}
