/** The position of an event: its instant, its source, and its id in this source. Its text form is the `evt_…` id. */
import { base62, readBase62 } from './base62.ts';

/**
 * The source of an event.
 *
 * - `c`: a change, with a random name.
 * - `v`: a verdict, with the id of the verdict as its name.
 * - `o`: a report of an outcome, with the id of the verdict and a checksum of the report as its name.
 * - `g`: a gap, the event which says that events may be missing. It has no name.
 */
export type EventSource = 'c' | 'v' | 'o' | 'g';

/** The position that an event id encodes. */
export interface EventPosition {
  readonly ms: number;
  readonly source: EventSource;
  /** The id of the event in its source. */
  readonly name: string;
}

const TIME_DIGITS = 8;
const NAME_DIGITS: Readonly<Record<EventSource, number>> = { c: 16, v: 26, o: 32, g: 0 };
/** The length of the position in the record id of a change. The record id is the position, a dot and the account. */
const CHANGE_DIGITS = TIME_DIGITS + 1 + NAME_DIGITS.c;

/** Returns the `evt_…` id of a position. */
export function eventId({ ms, source, name }: EventPosition): string {
  return `evt_${base62(Math.max(0, ms), TIME_DIGITS)}${source}${name}`;
}

/** Parses an `evt_…` id; `undefined` for any other text. */
export function readEventId(text: string): EventPosition | undefined {
  const [, time = '', source = '', name = ''] =
    /^evt_([0-9A-Za-z]{8})([cvog])([0-9A-Za-z]*)$/.exec(text) ?? [];
  if (!isSource(source) || name.length !== NAME_DIGITS[source]) return undefined;
  return { ms: readBase62(time, 0), source, name };
}

/** Says whether a text is the id of an event. */
export function isEventId(text: string): boolean {
  return readEventId(text) !== undefined;
}

function isSource(text: string): text is EventSource {
  return Object.hasOwn(NAME_DIGITS, text);
}

/**
 * Returns the record id under which a change is stored. It contains the account, so that listeners know from
 * the id alone for which account they must read events.
 */
export function changeRecordId(id: string, account_id: string): string {
  return `${id.slice('evt_'.length)}.${account_id}`;
}

/** Parses the record id of a stored change; returns its `evt_…` id and its account. */
export function readChangeRecordId(recordId: string): { readonly id: string; readonly account_id: string } {
  return { id: `evt_${recordId.slice(0, CHANGE_DIGITS)}`, account_id: recordId.slice(CHANGE_DIGITS + 1) };
}
