/** Records that were dropped for lack of space: a block of their account records their number. */
import type { Environment } from '../records.ts';
import { type ByteWriter, createByteReader } from './bytes.ts';

/** A number of dropped records of an environment, and the time of the last one. */
export interface Drop {
  /** The time in milliseconds since the Unix epoch. */
  readonly at_ms: number;
  readonly environment: Environment;
  readonly count: number;
}

/** The most drops of a block. */
const MAX_DROPS = 65_536;
const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];

/** Writes the column of drops. */
export function writeDrops(writer: ByteWriter, drops: readonly Drop[]): void {
  writer.varint(drops.length);
  for (const { at_ms, environment, count } of drops) {
    writer.varint(at_ms);
    writer.byte(ENVIRONMENTS.indexOf(environment));
    writer.varint(count);
  }
}

/** Reads the column of drops; empty without a column. */
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
