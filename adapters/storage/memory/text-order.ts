/**
 * Compares two texts by their UTF-8 bytes, which is the order of code points. Returns a negative number, 0 or a
 * positive number. JavaScript's own `<` compares UTF-16 units, and sorts U+FFFF after every emoji.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
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
  sorted: readonly Item[],
  compare: (item: Item) => number,
  first = 0,
): number {
  let low = first;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle];
    if (found !== undefined && compare(found) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
