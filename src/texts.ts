/** Texts made ready for look-ups. */
export type Texts = readonly string[] | ReadonlySet<string>;

/** To compare with so few texts takes less time and memory than to hash. */
const FEW = 16;

/** The texts, ready. The list is kept as it is: it must not change any more. */
export function textsOf(list: readonly string[]): Texts {
  return list.length > FEW ? new Set(list) : list;
}

/** Whether the text is one of them. */
export function isAmong(texts: Texts, text: string): boolean {
  return Array.isArray(texts) ? texts.includes(text) : (texts as ReadonlySet<string>).has(text);
}
