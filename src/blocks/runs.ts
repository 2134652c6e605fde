/** A column of numbers that mostly grow by the same step: pairs of a step and its number of repetitions. */
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Writes the steps between `count` numbers, the first of them from 0. */
export function writeRuns(writer: ByteWriter, count: number, numberAt: (row: number) => number): void {
  let before = 0;
  let step = 0;
  let length = 0;
  for (let row = 0; row < count; row += 1) {
    const number = numberAt(row);
    if (length > 0 && number - before === step) length += 1;
    else {
      if (length > 0) writeRun(writer, step, length);
      step = number - before;
      length = 1;
    }
    before = number;
  }
  if (length > 0) writeRun(writer, step, length);
}

function writeRun(writer: ByteWriter, step: number, length: number): void {
  writer.signed(step);
  writer.varint(length);
}

/** Reads `count` numbers, the first of them a step from `base`. Throws a RangeError when the column has more or fewer. */
export function readRuns(reader: ByteReader, count: number, base = 0): Float64Array {
  const numbers = new Float64Array(count);
  let number = base;
  for (let row = 0; row < count; ) {
    const step = reader.signed();
    const end = row + reader.varint();
    if (end > count || end === row) throw new RangeError('A run has no such length.');
    for (; row < end; row += 1) {
      number += step;
      numbers[row] = number;
    }
  }
  return numbers;
}
