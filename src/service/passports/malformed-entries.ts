/** Returns the indexes of the entries that break the grammar of a list. */
export function malformedEntries(list: unknown, isEntry: (text: string) => boolean): readonly number[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, at) => (typeof entry === 'string' && !isEntry(entry) ? [at] : []));
}
