/** Builds paths and queries. */

/** Encodes a segment of a path. A value that a URL would read differently, such as `..`, becomes an id that does not exist. */
export function segmentOf(value: unknown): string {
  const isId = typeof value === 'string' && !/^\.{0,2}$/.test(value) && !/\p{Surrogate}/u.test(value);
  return isId ? encodeURIComponent(value) : '-';
}

export function queryOf(query: object): string {
  const namedNames = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (namedNames.length === 0) return '';
  return `?${new URLSearchParams(namedNames.map(([name, value]) => [name, `${value}`]))}`;
}
