import type { Block, BlockPlace } from '../../../src/ports/index.ts';

/**
 * Compares two texts by their UTF-8 bytes, which is the order of code points. Returns a negative number, 0 or a
 * positive number. JavaScript's own `<` compares UTF-16 units, and sorts U+FFFF after every emoji.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const leftCode = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (leftCode !== right) return rank(leftCode) - rank(right);
  }
  return a.length - b.length;
}

/** Returns the rank of a UTF-16 unit. Surrogates encode U+10000 and above, so they come after U+E000 to U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/**
 * Returns the first index from `first` on at which `compare` is not negative; the length of the list if there is none.
 */
export function placeAmong<Item>(
  sortedList: readonly Item[],
  compare: (item: Item) => number,
  first = 0,
): number {
  let low = first;
  let high = sortedList.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = sortedList[middle];
    if (value !== undefined && compare(value) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a block among the blocks that one writer stored. A writer is one process that stores blocks. */
type FiledPlace = Pick<Block, 'seq' | 'account_id'>;

export function placeOfBlock(blocks: readonly Block[], place: BlockPlace): number {
  return placeAmong(blocks, (block) => comparePlaces(block, place));
}

export function placeOfFiled(blocks: readonly Block[], place: FiledPlace): number {
  return placeAmong(blocks, (block) => compareFiled(block, place));
}

export function comparePlaces(a: BlockPlace, b: BlockPlace): number {
  return a.to_ms - b.to_ms || compareText(a.writer, b.writer) || a.seq - b.seq;
}

export function compareFiled(a: FiledPlace, b: FiledPlace): number {
  return a.seq - b.seq || compareText(a.account_id, b.account_id);
}
