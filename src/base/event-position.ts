/** The position of an event: its instant, its source, and its id within that source. As text, `evt_` and that. */
import { base62, readBase62 } from './base62.ts';

/** `c`: a change, by a random text; `v`: a verdict, by its decision; `g`: a gap, by nothing. */
export type EventSource = 'c' | 'v' | 'g';

/** Read from an id. */
export interface EventPosition {
  readonly ms: number;
  readonly source: EventSource;
  /** Unique in its source. */
  readonly name: string;
}

const TIME_DIGITS = 8;
/** How long the name is in each source. */
const NAME_DIGITS: Readonly<Record<EventSource, number>> = { c: 16, v: 26, g: 0 };
/** How long the place of a change is, in front of its account. */
const CHANGE_DIGITS = TIME_DIGITS + 1 + NAME_DIGITS.c;

/** The `evt_…` of a position. */
export function eventId({ ms, source, name }: EventPosition): string {
  return `evt_${base62(Math.max(0, ms), TIME_DIGITS)}${source}${name}`;
}

/** What an `evt_…` says; `undefined` for a text that is no id of an event. */
export function readEventId(text: string): EventPosition | undefined {
  const [, time = '', source = '', name = ''] =
    /^evt_([0-9A-Za-z]{8})([cvg])([0-9A-Za-z]*)$/.exec(text) ?? [];
  if (!isSource(source) || name.length !== NAME_DIGITS[source]) return undefined;
  return { ms: readBase62(time, 0), source, name };
}

function isSource(text: string): text is EventSource {
  return Object.hasOwn(NAME_DIGITS, text);
}

/** The id under which the change at a position is stored: it names the account, for listeners. */
export function changeRecordId(id: string, account_id: string): string {
  return `${id.slice('evt_'.length)}.${account_id}`;
}

/** The `evt_…` and the account in the id of a stored change. */
export function readChangeRecordId(recordId: string): { readonly id: string; readonly account_id: string } {
  return { id: `evt_${recordId.slice(0, CHANGE_DIGITS)}`, account_id: recordId.slice(CHANGE_DIGITS + 1) };
}
