/** Writes and reads bytes: little endian, with integers in as few bytes as they need. */

import { MAX_COUNT } from '../base/bytes/counted-ids.ts';
import type { Environment } from '../records.ts';

/** The number of dropped records of an environment, and the time of the last one. */
export interface Drop {
  /** The time in milliseconds since the Unix epoch. */
  readonly at_ms: number;
  readonly environment: Environment;
  readonly count: number;
}

const MAX_DROPS = 65_536;
const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];

export function writeDrops(writer: ByteWriter, drops: readonly Drop[]): void {
  writer.varint(drops.length);
  for (const { at_ms, environment, count } of drops) {
    writer.varint(at_ms);
    writer.byte(ENVIRONMENTS.indexOf(environment));
    writer.varint(count);
  }
}

/** Reads the counts of dropped records. Returns an empty list if the block has no such column. */
export function readDrops(column: Uint8Array | undefined): readonly Drop[] {
  if (column === undefined) return [];
  const reader = createByteReader(column);
  return reader.list(() => {
    const at_ms = reader.varint();
    const environment = ENVIRONMENTS[reader.byte()];
    if (environment === undefined) throw new RangeError('There is no such environment.');
    return { at_ms, environment, count: reader.varint() };
  }, MAX_DROPS);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A buffer that grows as bytes are written. */
export interface ByteWriter {
  /** Returns the number of bytes written. */
  length(): number;
  byte(value: number): void;
  /**
   * Writes a safe integer from 0: 7 bits per byte, the lowest first. The top bit is set in all bytes except the last.
   */
  varint(value: number): void;
  /** Writes a positive or negative safe integer. Small numbers need few bytes. */
  signed(value: number): void;
  /** Writes the length in bytes, then the text in UTF-8. */
  text(text: string): void;
  bytes(bytes: Uint8Array): void;
  /** Writes each of the first `count` numbers in `width` bytes. */
  numbers(numbers: ArrayLike<number>, count: number, width: 1 | 2 | 4): void;
  /** Returns a copy of the written bytes. */
  take(): Uint8Array;
  /** Returns a view of a range of the written bytes, valid until the next write. */
  view(start: number, end: number): Uint8Array;
  /** Removes all bytes, and keeps the memory for later writes. */
  clear(): void;
}

/** Creates an empty writer. */
export function createByteWriter(capacity = 256): ByteWriter {
  let buffer = new Uint8Array(capacity);
  let length = 0;

  function reserve(moreCount: number): void {
    if (length + moreCount <= buffer.length) return;
    const grownBytes = new Uint8Array(Math.max(buffer.length * 2, length + moreCount));
    grownBytes.set(buffer.subarray(0, length));
    buffer = grownBytes;
  }

  function varint(value: number): void {
    reserve(8);
    let remainder = value;
    for (; remainder >= 2 ** 31; remainder = Math.floor(remainder / 128))
      buffer[length++] = (remainder % 128) | 128;
    for (; remainder >= 128; remainder >>>= 7) buffer[length++] = (remainder & 127) | 128;
    buffer[length++] = remainder;
  }

  /** Writes the text and returns `true` if it is ASCII. Most texts are ASCII, and no encoder is as fast. */
  function ascii(text: string): boolean {
    const size = text.length;
    reserve(8 + size);
    const start = length;
    varint(size);
    for (let position = 0; position < size; position += 1) {
      const code = text.charCodeAt(position);
      if (code > 127) {
        length = start;
        return false;
      }
      buffer[length++] = code;
    }
    return true;
  }

  return {
    length: () => length,
    byte(value) {
      reserve(1);
      buffer[length++] = value;
    },
    varint,
    signed: (value) => varint(value < 0 ? -2 * value - 1 : 2 * value),
    text(text) {
      if (ascii(text)) return;
      const bytes = encoder.encode(text);
      varint(bytes.length);
      reserve(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    bytes(bytes) {
      reserve(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    numbers(numbers, count, width) {
      reserve(count * width);
      for (let position = 0; position < count; position += 1) {
        const number = numbers[position] as number;
        buffer[length++] = number;
        if (width > 1) buffer[length++] = number >>> 8;
        if (width < 4) continue;
        buffer[length++] = number >>> 16;
        buffer[length++] = number >>> 24;
      }
    },
    take: () => buffer.slice(0, length),
    view: (start, end) => buffer.subarray(start, end),
    clear() {
      length = 0;
    },
  };
}

/** Reads bytes of a `ByteWriter`. Every method throws a RangeError at the end of the bytes. */
export interface ByteReader {
  byte(): number;
  varint(): number;
  signed(): number;
  text(): string;
  /** Returns a view of the next bytes, not a copy. */
  bytes(count: number): Uint8Array;
  /**
   * Reads the number of values that follow. Throws if it is above `limit` or above the number of remaining bytes,
   * because each value has at least one byte.
   */
  count(limit?: number): number;
  /** Reads the number of values, at most `limit`, then the values. */
  list<Value>(read: () => Value, limit: number): Value[];
}

/** Creates a reader that begins at the first byte. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  let position = 0;

  function byte(): number {
    const value = bytes[position];
    if (value === undefined) throw new RangeError('The bytes end too early.');
    position += 1;
    return value;
  }

  function varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const next = byte();
      value += (next & 127) * scale;
      if (next < 128) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('The number is too large.');
    return value;
  }

  function count(limit = Number.POSITIVE_INFINITY): number {
    const number = varint();
    if (position + number > bytes.length) throw new RangeError('The bytes end too early.');
    if (number > limit)
      throw new RangeError(`A list has ${number} values, and at most ${limit} are possible.`);
    return number;
  }

  function view(count: number): Uint8Array {
    if (position + count > bytes.length) throw new RangeError('The bytes end too early.');
    position += count;
    return bytes.subarray(position - count, position);
  }

  return {
    byte,
    varint,
    count,
    list: (read, limit) => Array.from({ length: count(limit) }, read),
    signed() {
      const value = varint();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
    text: () => decoder.decode(view(varint())),
    bytes: view,
  };
}

// Stores numbers that mostly grow by the same step, as pairs of a step and its number of repetitions.

/** The last instant that a `Date` can represent, in milliseconds since the Unix epoch. */
const LAST_INSTANT = 8.64e15;

export function writeRuns(writer: ByteWriter, count: number, numberAt: (row: number) => number): void {
  let previous = 0;
  let step = 0;
  let length = 0;
  for (let row = 0; row < count; row += 1) {
    const number = numberAt(row);
    if (length > 0 && number - previous === step) length += 1;
    else {
      if (length > 0) writeRun(writer, step, length);
      step = number - previous;
      length = 1;
    }
    previous = number;
  }
  if (length > 0) writeRun(writer, step, length);
}

function writeRun(writer: ByteWriter, step: number, length: number): void {
  writer.signed(step);
  writer.varint(length);
}

export function readTimes(reader: ByteReader, count: number, base: number): Float64Array {
  return readRuns(reader, count, base, LAST_INSTANT);
}

export function readCounts(reader: ByteReader, count: number): Float64Array {
  return readRuns(reader, count, 0, MAX_COUNT);
}

function readRuns(reader: ByteReader, count: number, base: number, limit: number): Float64Array {
  const numbers = new Float64Array(count);
  let number = base;
  for (let row = 0; row < count; ) {
    const step = reader.signed();
    const end = row + reader.varint();
    if (end > count || end === row) throw new RangeError('A run has no such length.');
    for (; row < end; row += 1) {
      number += step;
      if (number < 0 || number > limit) throw new RangeError(`Row ${row} has no such number.`);
      numbers[row] = number;
    }
  }
  return numbers;
}
