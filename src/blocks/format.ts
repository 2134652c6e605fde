/**
 * A block as bytes: the version, a directory of numbered columns with their lengths, the columns, and a CRC-32 of all
 * of that. A column that a reader does not know is passed over, so that records can gain fields.
 */
import { crc32 } from '../base/crc32.ts';
import { createByteReader, createByteWriter } from './bytes.ts';

const VERSION = 1;
const CRC_BYTES = 4;

/** The columns by their numbers, which never change. */
export const COLUMN = {
  /** Records, first instant, prefix of the ids. */
  head: 1,
  times: 2,
  counts: 3,
  latencies: 4,
  agents: 5,
  actions: 6,
  targets: 7,
  contexts: 8,
  reasons: 9,
  facts: 10,
  versions: 11,
  amounts: 12,
  requests: 13,
  drops: 14,
} as const;

/** Why the bytes of a block cannot be read. */
export type BlockProblem = 'damaged' | 'newer';

const MESSAGES: Readonly<Record<BlockProblem, string>> = {
  damaged: 'The block is damaged, or not one of ours.',
  newer: 'The block was written by a newer version.',
};

/** Whether `error` says that the bytes of a block cannot be read. */
export function isBlockError(error: unknown): boolean {
  return error instanceof Error && error.name === 'BlockError';
}

function blockError(problem: BlockProblem, cause?: unknown): Error {
  const error = new Error(MESSAGES[problem], { cause });
  error.name = 'BlockError';
  return error;
}

/** The bytes of a block of these columns. */
export function joinColumns(columns: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const writer = createByteWriter();
  writer.byte(VERSION);
  writer.varint(columns.size);
  for (const [number, bytes] of columns) {
    writer.varint(number);
    writer.varint(bytes.length);
  }
  for (const bytes of columns.values()) writer.bytes(bytes);
  const crc = crc32(writer.take());
  for (let byte = 0; byte < CRC_BYTES; byte += 1) writer.byte((crc >>> (8 * byte)) & 255);
  return writer.take();
}

/** The columns of a block, as views of its bytes. Throws a block error where it cannot be read. */
export function splitColumns(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  if (data.length <= CRC_BYTES) throw blockError('damaged');
  const end = data.length - CRC_BYTES;
  let crc = 0;
  for (let byte = 0; byte < CRC_BYTES; byte += 1) crc += (data[end + byte] as number) * 256 ** byte;
  if (crc !== crc32(data, end)) throw blockError('damaged');
  return orDamaged(() => {
    const reader = createByteReader(data.subarray(0, end));
    if (reader.byte() !== VERSION) throw blockError('newer');
    const directory = Array.from(
      { length: reader.varint() },
      () => [reader.varint(), reader.varint()] as const,
    );
    return new Map(directory.map(([number, length]) => [number, reader.bytes(length)]));
  });
}

/** What `read` gives; where it cannot make sense of the bytes, a block error. */
export function orDamaged<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw isBlockError(error) ? error : blockError('damaged', error);
  }
}
