/** The path with the values as segments of it. */
export function pathOf(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return texts.map((text, index) => (index === 0 ? text : `${segment(values[index - 1])}${text}`)).join('');
}

/** What a URL would read as something else becomes an id that the service does not know either. */
function segment(value: unknown): string {
  const isId = typeof value === 'string' && !/^\.{0,2}$/.test(value) && !/\p{Surrogate}/u.test(value);
  return isId ? encodeURIComponent(value) : '-';
}
