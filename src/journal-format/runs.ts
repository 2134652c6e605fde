/** Stores numbers that mostly grow by the same step, as pairs of a step and its number of repetitions. */
import { MAX_COUNT } from '../base/bytes/counted-ids.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

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
