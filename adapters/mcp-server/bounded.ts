/** Shortens a record to the limits of an answer: few items, short texts, 32 KiB. */
import { shortened } from './harmless-text.ts';
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
  for (const most of TRIES) {
    const { shown, isCut } = cut(record, most);
    const answer = isCut ? { ...shown, truncated: true } : shown;
    if (bytesOf(answer) <= room) return answer;
  }
  return { truncated: true };
}

export function bytesOf(record: object): number {
  return new TextEncoder().encode(JSON.stringify(record)).length;
}

function cut(record: object, most: number): { readonly shown: Bounded; readonly isCut: boolean } {
  let isCut = false;

  function first<Item>(items: readonly Item[]): readonly Item[] {
    isCut ||= items.length > most;
    return items.slice(0, most);
  }

  function textOf(given: string): string {
    const { text, isCut: isShort } = shortened(given);
    isCut ||= isShort;
    return text;
  }

  function objectOf(given: object): object {
    const members = Object.entries(given).filter(([, member]) => member !== undefined);
    if (members.every(([name]) => isKnown(name)))
      return Object.fromEntries(members.map(([name, member]) => [name, shownValue(member)]));
    // A name that a caller has chosen is a stored text, and becomes a value as well.
    return first(members).map(([name, member]) => ({ name: textOf(name), value: shownValue(member) }));
  }

  function shownValue(given: unknown): unknown {
    if (typeof given === 'string') return textOf(given);
    if (Array.isArray(given)) return first(given).map(shownValue);
    return typeof given === 'object' && given !== null ? objectOf(given) : given;
  }

  const { next_cursor, ...rest } = record as Bounded;
  const shown = objectOf(rest) as Bounded;
  // The service makes cursors: no text is in them, and a part of one leads nowhere.
  if (isCursor(next_cursor)) return { shown: { ...shown, next_cursor }, isCut };
  return { shown: next_cursor === undefined ? shown : { ...shown, next_cursor: null }, isCut };
}

function isCursor(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 2_000 && /^[\w.-]+$/.test(value);
}

function isKnown(name: string): boolean {
  return apiNames.has(name) || OTHER_NAMES.includes(name);
}
