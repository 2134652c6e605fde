/**
 * Returns a function that says whether a text starts with one of `prefixes` and is longer than it. It uses a binary
 * search.
 */
export function beginnings(prefixes: readonly string[]): (text: string) => boolean {
  // INVARIANT: sorted, and no prefix starts with another. So only the last prefix that is not above a text can match
  // it.
  const shortest: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const last = shortest.at(-1);
    if (last === undefined || !prefix.startsWith(last)) shortest.push(prefix);
  }
  return (text) => {
    let low = 0;
    let high = shortest.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((shortest[middle] as string) <= text) low = middle + 1;
      else high = middle;
    }
    const found = shortest[low - 1];
    return found !== undefined && text.length > found.length && text.startsWith(found);
  };
}
