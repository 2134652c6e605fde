/** Returns the query of a path, with its question mark; members that are `undefined` or `null` are left out. */
export function queryOf(query: object): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (named.length === 0) return '';
  return `?${new URLSearchParams(named.map(([name, value]) => [name, `${value}`]))}`;
}
