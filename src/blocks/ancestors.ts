/** The versions of the passports above that of an agent, as text: rows of the same agent mostly have the same. */

/** The text of the versions of a record. */
export function ancestorsText(versions: readonly number[]): string {
  return JSON.stringify(versions);
}

/** The versions of the text that `ancestorsText` made; `null` without one. */
export function readAncestors(text: string | null | undefined): readonly number[] | null {
  return text === null || text === undefined ? null : JSON.parse(text);
}
