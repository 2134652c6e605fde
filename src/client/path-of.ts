/** Builds a path with the values as encoded segments. */
export function pathOf(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return texts.map((text, index) => (index === 0 ? text : `${segmentOf(values[index - 1])}${text}`)).join('');
}

/** Encodes a segment of a path. A value that a URL would read differently, such as `..`, becomes an id that does not exist. */
export function segmentOf(value: unknown): string {
  const isId = typeof value === 'string' && !/^\.{0,2}$/.test(value) && !/\p{Surrogate}/u.test(value);
  return isId ? encodeURIComponent(value) : '-';
}
