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
