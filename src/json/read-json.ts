import { MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import type { IdentityError } from '../errors.ts';
import { asciiText } from '../platform/text.ts';
import { exactNumber, shortDecimal } from './json-number.ts';
import { controlInString, invalidJson, misplaced, standingAt } from './json-problem.ts';
import { readEscapes } from './json-string.ts';

/** The limits of a JSON text. */
export interface JsonLimits {
  /** The maximum number of nested arrays and objects; default 32. */
  readonly maxDepth?: number;
  /** The maximum number of members and elements in the whole text; default 1,000. */
  readonly maxMembers?: number;
  /** Allows U+0000 as an escape in strings; refused by default. */
  readonly mayHoldNul?: boolean;
  /**
   * Replaces a number that a floating-point number cannot hold exactly, given its text. By default such numbers are
   * refused.
   */
  readonly inexactNumber?: (text: string) => unknown;
}

/**
 * Reads a JSON text (RFC 8259, UTF-8) strictly, so that no two programs can read different values from it.
 *
 * Programs may read a text differently that has duplicate names, a byte-order mark, invalid UTF-8, U+0000, lone
 * surrogates, the name `__proto__` or inexact numbers.
 *
 * The strings of a short text are slices, which keep the text in memory while they exist. The strings of a longer text
 * are copies.
 *
 * @throws {IdentityError} `invalid_json`, with the problem and its position, for a text above a limit and for a text
 * that programs may read differently.
 */
export function readJson(
  bytes: Uint8Array,
  { maxDepth = 32, maxMembers = MAX_BODY_MEMBERS, mayHoldNul = false, inexactNumber }: JsonLimits = {},
): unknown {
  const source: Source = {
    bytes,
    text: asciiText(bytes),
    at: 0,
    membersLeft: maxMembers,
    depthLeft: maxDepth,
    mayHoldNul,
    inexactNumber,
  };
  const value = readValue(source, skipSpace(source));
  if (skipSpace(source) !== NOTHING || source.at < bytes.length)
    throw refused(source, source.at, `${standingAt(bytes, source.at)} after the end of the JSON text`);
  return value;
}

/**
 * The text and the current offset `at`. Each reading function starts at `at`, and moves `at` behind the part that it
 * has read.
 */
interface Source {
  readonly bytes: Uint8Array;
  /** The same bytes as text, with one unit per byte. Only correct for ASCII. */
  readonly text: string;
  at: number;
  membersLeft: number;
  depthLeft: number;
  readonly mayHoldNul: boolean;
  readonly inexactNumber: ((text: string) => unknown) | undefined;
}

/**
 * The value that stands for the end of the text. It cannot be confused with a real byte 0, which is invalid everywhere.
 */
const NOTHING = 0;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The number of significant digits that a floating-point number always keeps exactly. */
const EXACT_DIGITS = 15;

/**
 * The maximum size in bytes of a text that keeps its strings as slices. 10,000 verdicts that wait for the journal may
 * each keep a text of this size.
 */
const SHARED_BYTES = 1_024;

/** Decodes UTF-8 and keeps U+FEFF (`ignoreBOM`), so that a text that begins with it can be refused. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function refused({ bytes }: Source, offset: number, problem: string): IdentityError {
  return invalidJson(bytes, offset, problem);
}

function skipSpace(source: Source): number {
  const { bytes } = source;
  let end = source.at;
  let byte = bytes[end] ?? NOTHING;
  if (byte > 0x20) return byte;
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++end] ?? NOTHING;
  source.at = end;
  return byte;
}

function readValue(source: Source, first: number): unknown {
  if (first === QUOTE) return readString(source);
  if (first === OPEN_OBJECT) return readObject(source);
  if (first === OPEN_ARRAY) return readArray(source);
  if (first === MINUS || isDigit(first)) return readNumber(source);
  if (first === 0x74) return readWord(source, 'true', true);
  if (first === 0x66) return readWord(source, 'false', false);
  if (first === 0x6e) return readWord(source, 'null', null);
  throw refused(source, source.at, misplaced(source.bytes, source.at, 'a value'));
}

function readObject(source: Source): Record<string, unknown> {
  const opening = source.at;
  enter(source);
  const object: Record<string, unknown> = {};
  let members = 0;
  let next = skipSpace(source);
  if (next === CLOSE_OBJECT) return leave(source, object);
  for (;;) {
    const start = source.at;
    if (next !== QUOTE) throw refused(source, start, noName(source, members > 0));
    const name = readString(source);
    if (skipSpace(source) !== COLON)
      throw refused(source, source.at, misplaced(source.bytes, source.at, 'a colon', 'an object'));
    source.at++;
    countMember(source);
    if (name === '__proto__') throw refused(source, start, 'the name __proto__');
    members++;
    object[name] = readValue(source, skipSpace(source));
    next = skipSpace(source);
    if (next !== COMMA) break;
    source.at++;
    next = skipSpace(source);
  }
  if (next !== CLOSE_OBJECT)
    throw refused(source, source.at, misplaced(source.bytes, source.at, 'a comma or }', 'an object'));
  // INVARIANT: every member became a property of its own. A check before each assignment would be slower.
  if (Object.keys(object).length !== members)
    throw refused(source, opening, 'an object that has a name twice');
  return leave(source, object);
}

function readArray(source: Source): unknown[] {
  enter(source);
  const array: unknown[] = [];
  let next = skipSpace(source);
  if (next === CLOSE_ARRAY) return leave(source, array);
  for (;;) {
    countMember(source);
    if (next === CLOSE_ARRAY) throw refused(source, source.at, 'a comma before ]');
    array.push(readValue(source, next));
    next = skipSpace(source);
    if (next !== COMMA) break;
    source.at++;
    next = skipSpace(source);
  }
  if (next !== CLOSE_ARRAY)
    throw refused(source, source.at, misplaced(source.bytes, source.at, 'a comma or ]', 'an array'));
  return leave(source, array);
}

function noName({ bytes, at }: Source, isAfterComma: boolean): string {
  if (isAfterComma && bytes[at] === CLOSE_OBJECT) return 'a comma before }';
  return misplaced(bytes, at, 'a name in quotation marks', 'an object');
}

function enter(source: Source): void {
  if (source.depthLeft-- === 0) throw refused(source, source.at, 'too many levels');
  source.at++;
}

function leave<Value>(source: Source, value: Value): Value {
  source.depthLeft++;
  source.at++;
  return value;
}

function countMember(source: Source): void {
  if (source.membersLeft-- === 0) throw refused(source, source.at, 'too many members and elements');
}

function readString(source: Source): string {
  const { bytes } = source;
  const start = source.at + 1;
  let i = start;
  let escapes = false;
  let ascii = true;
  for (;;) {
    const byte = bytes[i] ?? NOTHING;
    if (byte === QUOTE) break;
    if (byte < 0x20) throw refused(source, i, badInString(source, i));
    if (byte === BACKSLASH) {
      escapes = true;
      i++;
    } else if (byte > 0x7f) ascii = false;
    i++;
  }
  source.at = i + 1;
  const mayShare = ascii && bytes.length <= SHARED_BYTES;
  const raw = mayShare ? source.text.slice(start, i) : decode(source, start, i);
  if (!escapes) return raw;
  const value = readEscapes(raw, source.mayHoldNul);
  if (value === undefined) throw refused(source, start, 'a string with a bad escape');
  return value;
}

function badInString({ bytes }: Source, at: number): string {
  const byte = bytes[at];
  return byte === undefined ? 'the text ends inside a string' : controlInString(byte);
}

function decode(source: Source, start: number, end: number): string {
  try {
    return utf8.decode(source.bytes.subarray(start, end));
  } catch {
    throw refused(source, start, 'a string that is not UTF-8');
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the loop over the bytes of every body, where a call for each step costs time.
function readNumber(source: Source): unknown {
  const { bytes } = source;
  const start = source.at;
  let index = start;
  let byte = bytes[index] ?? NOTHING;
  const negative = byte === MINUS;
  if (negative) byte = bytes[++index] ?? NOTHING;
  const first = index;
  let digits = 0;
  while (isDigit(byte)) {
    digits = digits * 10 + byte - ZERO;
    byte = bytes[++index] ?? NOTHING;
  }
  let length = index - first;
  if (length === 0) throw refused(source, start, 'a minus without a number');
  if (length > 1 && bytes[first] === ZERO) throw refused(source, start, 'a number that begins with 0');
  let places = 0;
  if (byte === POINT) {
    const point = index;
    byte = bytes[++index] ?? NOTHING;
    while (isDigit(byte)) {
      digits = digits * 10 + byte - ZERO;
      byte = bytes[++index] ?? NOTHING;
    }
    places = index - point - 1;
    length += places;
    if (places === 0) throw refused(source, start, 'a number without a digit behind its point');
  }
  const exponent = byte === 0x65 || byte === 0x45;
  if (exponent) index = skipExponent(source, index);
  source.at = index;
  if (!exponent && length <= EXACT_DIGITS && !(negative && digits === 0)) {
    const value = shortDecimal(digits, places);
    return negative ? -value : value;
  }
  const text = source.text.slice(start, index);
  const value = exactNumber(text) ?? source.inexactNumber?.(text);
  if (value === undefined)
    throw refused(source, start, 'a number that a double cannot hold exactly, which needs quotation marks,');
  return value;
}

function skipExponent(source: Source, position: number): number {
  const { bytes } = source;
  const sign = bytes[position + 1];
  const first = sign === 0x2b || sign === MINUS ? position + 2 : position + 1;
  let end = first;
  while (isDigit(bytes[end] ?? NOTHING)) end++;
  if (end === first) throw refused(source, position, 'an exponent without a digit');
  return end;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

function readWord<Value>(source: Source, word: string, value: Value): Value {
  const end = source.at + word.length;
  if (source.text.slice(source.at, end) !== word)
    throw refused(source, source.at, misplaced(source.bytes, source.at, 'a value'));
  source.at = end;
  return value;
}
