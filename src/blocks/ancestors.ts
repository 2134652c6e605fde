/** The versions of the passports above, as text: rows of the same agent mostly have the same ones. */

/** Writes the versions of a record as text. */
export function ancestorsText(versions: readonly number[]): string {
  return JSON.stringify(versions);
}

/** Reads the text of `ancestorsText`; `null` without one. */
export function readAncestors(text: string | null | undefined): readonly number[] | null {
  return text === null || text === undefined ? null : JSON.parse(text);
}
