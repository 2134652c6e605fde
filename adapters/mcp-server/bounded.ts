/** Shortens a record to the limits of an answer: few items, short texts, 32 KiB. */
import { apiNames } from './rows.ts';

export const MAX_ITEMS = 50;

export const MAX_BYTES: number = 32 * 1_024;

/** The numbers of list items to try, until the answer fits `MAX_BYTES`. */
const TRIES: readonly number[] = [MAX_ITEMS, 25, 12, 6, 3, 1, 0];

/** The member names that are in no schema of the API. They come from tools and from the details of reasons. */
const OTHER_NAMES: readonly string[] = [
  ...['approvals', 'differences', 'fields', 'intents', 'name', 'parameter_names', 'value'],
  ...['actual', 'budget', 'expected', 'given', 'order', 'pace', 'problem', 'rule', 'since', 'test'],
];

export type Bounded = Readonly<Record<string, unknown>>;

export function bounded(record: object, room: number): Bounded {
  for (const limit of TRIES) {
    const { shown, isCut } = cut(record, limit);
    const answer = isCut ? { ...shown, truncated: true } : shown;
    if (bytesOf(answer) <= room) return answer;
  }
  return { truncated: true };
}

export function bytesOf(record: object): number {
  return new TextEncoder().encode(JSON.stringify(record)).length;
}

function cut(record: object, limit: number): { readonly shown: Bounded; readonly isCut: boolean } {
  let isCut = false;

  function first<Item>(items: readonly Item[]): readonly Item[] {
    isCut ||= items.length > limit;
    return items.slice(0, limit);
  }

  function textOf(givenText: string): string {
    const { text, isCut: isShort } = shortened(givenText);
    isCut ||= isShort;
    return text;
  }

  function objectOf(input: object): object {
    const members = Object.entries(input).filter(([, member]) => member !== undefined);
    if (members.every(([name]) => isKnown(name)))
      return Object.fromEntries(members.map(([name, member]) => [name, shownValue(member)]));
    // A name that a caller has chosen is a stored text, and becomes a value as well.
    return first(members).map(([name, member]) => ({ name: textOf(name), value: shownValue(member) }));
  }

  function shownValue(value: unknown): unknown {
    if (typeof value === 'string') return textOf(value);
    if (Array.isArray(value)) return first(value).map(shownValue);
    return typeof value === 'object' && value !== null ? objectOf(value) : value;
  }

  const { next_cursor, ...otherFields } = record as Bounded;
  const shownFields = objectOf(otherFields) as Bounded;
  // The service makes cursors: no text is in them, and a part of one leads nowhere.
  if (isCursor(next_cursor)) return { shown: { ...shownFields, next_cursor }, isCut };
  return { shown: next_cursor === undefined ? shownFields : { ...shownFields, next_cursor: null }, isCut };
}

function isCursor(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 2_000 && /^[\w.-]+$/.test(value);
}

function isKnown(name: string): boolean {
  return apiNames.has(name) || OTHER_NAMES.includes(name);
}

/** Makes stored texts harmless. Agents and users write them, and a model reads them. */

const MAX_TEXT = 200;

/**
 * Matches invisible characters, and the texts that create links: `//`, `www.`, `](`, `mailto:`, `javascript:` and `<`.
 */
const UNSAFE =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|<|(?<=\/)\/|(?<=www)\.|(?<=\])\(|(?<=mailto|javascript):/giu;

export function harmless(text: string): string {
  return text.replaceAll(UNSAFE, escaped);
}

export function shortened(text: string): { readonly text: string; readonly isCut: boolean } {
  // An escape takes the place of one character or more: no more than these are needed.
  const pieces = [...harmless(text.slice(0, 2 * MAX_TEXT + 2)).matchAll(PIECE)].map(([piece]) => piece);
  let length = 0;
  const fitting = pieces.findIndex((piece) => {
    length += [...piece].length;
    return length > MAX_TEXT;
  });
  if (fitting === -1) return { text: pieces.join(''), isCut: false };
  let keptPieces = pieces.slice(0, fitting);
  while ([...keptPieces.join('')].length >= MAX_TEXT) keptPieces = keptPieces.slice(0, -1);
  return { text: `${keptPieces.join('')}…`, isCut: true };
}

const PIECE = /\\u\{[0-9A-F]+\}|./gsu;

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
}
