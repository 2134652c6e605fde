/**
 * Stores the versions of the ancestors' passports as one text for each record. Most records of an agent have
 * the same text, and a block stores each text only once.
 */
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { type FlatShape, parseFlat } from './context.ts';

/** The maximum length of a text: brackets, and a number of sixteen digits with a comma for each ancestor. */
const MAX_TEXT = 2 + 17 * MAX_ANCESTORS;

const SHAPE: FlatShape = { depth: 1, commas: MAX_ANCESTORS };

/** Writes the versions of a record as text. */
export function ancestorsText(versions: readonly number[]): string {
  return JSON.stringify(versions);
}

/** Reads the text of `ancestorsText`. Returns `null` if there is none. Throws a RangeError for any other text. */
export function readAncestors(text: string | null | undefined): readonly number[] | null {
  if (text === null || text === undefined) return null;
  const versions: unknown = text.length > MAX_TEXT ? undefined : parseFlat(text, SHAPE);
  if (Array.isArray(versions) && versions.length <= MAX_ANCESTORS && versions.every(isVersion))
    return versions;
  throw new RangeError(`The versions of passports above are no list of at most ${MAX_ANCESTORS}.`);
}

function isVersion(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
