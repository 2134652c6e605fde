/**
 * The format of a block: the version, a directory of numbered columns with their lengths, the columns, and a CRC-32 of
 * all previous bytes. A reader skips columns that it does not know, so that later releases can add fields.
 */
import { crc32 } from '../base/bytes/crc32.ts';
import { type ByteWriter, createByteReader } from './bytes.ts';

const VERSION = 1;
const CRC_BYTES = 4;
const MAX_COLUMNS = 1_024;

/** The maximum number of records of a block. */
export const MAX_RECORDS = 8_192;
/** The maximum number of outcome reports of a block. */
export const MAX_REPORTS = 8_192;

/** The numbers of the columns. They never change. */
export const COLUMN = {
  /** The number of records, the first instant, and the prefix of the ids. */
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
  /** The ids of the agent keys that signed the proofs of possession. Absent if no record of the block has one. */
  proofs: 15,
  budgets: 16,
  /** The trace ids. Absent if no record of the block has one. */
  traces: 17,
  /** The versions of the ancestors' passports. Absent if no record of the block has any. */
  ancestors: 18,
  /** The subjects as numbers. Their texts are in `erasable`. Absent if no record of the block has one. */
  subjects: 19,
  /** The approvals that intents named. */
  approvals: 20,
  /** The seconds of holds that intents asked for. Absent if no record of the block has a hold. */
  holds: 21,
  /** The reported outcomes of verdicts. A block with outcomes has no records. */
  outcomes: 22,
  /** The salted digests of the subjects, in a block that is in the evidence log. Their salts are in `erasable`. */
  digests: 23,
  /** The audiences of permits. Absent if no record of the block has one. */
  permits: 24,
  /** The names of the local verifiers that decided. Absent if no record of the block has one. */
  verifiers: 25,
  /** The usage of intents. Absent if no record of the block has one. */
  usages: 26,
} as const;

/**
 * The columns that are read into records and reports. A block with only these columns can be packed again without
 * losing data.
 */
const CARRIED: ReadonlySet<number> = new Set(
  Object.values(COLUMN).filter((column) => column !== COLUMN.digests),
);

/** Returns `true` if records and reports contain all data of the columns. */
export function isCarried(columns: ReadonlyMap<number, Uint8Array>): boolean {
  for (const column of columns.keys()) if (!CARRIED.has(column)) return false;
  return true;
}

const KNOWN: ReadonlySet<number> = new Set(Object.values(COLUMN));

/** Returns `true` if this release knows all columns. */
export function isKnown(columns: ReadonlyMap<number, Uint8Array>): boolean {
  for (const column of columns.keys()) if (!KNOWN.has(column)) return false;
  return true;
}

/** The reason why the bytes of a block cannot be read. */
export type BlockProblem = 'damaged' | 'newer';

const MESSAGES: Readonly<Record<BlockProblem, string>> = {
  damaged: 'The block is damaged, or another program made it.',
  newer: 'The block was written by a newer version.',
};

/** Returns `true` if `error` means that the bytes of a block cannot be read. */
export function isBlockError(error: unknown): boolean {
  return error instanceof Error && error.name === 'BlockError';
}

/** Returns `true` if `error` means that a newer release wrote the block. */
export function isNewerBlock(error: unknown): boolean {
  return isBlockError(error) && (error as Error).message === MESSAGES.newer;
}

/** Returns a text about the problem of an unreadable block, for its sender. */
export function blockProblem(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof RangeError ? cause.message : message;
}

function blockError(problem: BlockProblem, cause?: unknown): Error {
  const error = new Error(MESSAGES[problem], { cause });
  error.name = 'BlockError';
  return error;
}

export type ColumnPart = readonly [column: number, write: (writer: ByteWriter) => void];

export function columnPart(column: number, bytes: Uint8Array): ColumnPart {
  return [column, (writer) => writer.bytes(bytes)];
}

/** Returns the bytes of a block with these columns. Overwrites `scratch`. */
export function joinColumns(scratch: ByteWriter, columns: readonly ColumnPart[]): Uint8Array {
  scratch.clear();
  const ends = columns.map(([, write]) => {
    write(scratch);
    return scratch.length();
  });
  const size = scratch.length();
  scratch.byte(VERSION);
  scratch.varint(columns.length);
  for (const [index, [column]] of columns.entries()) {
    scratch.varint(column);
    scratch.varint((ends[index] as number) - (ends[index - 1] ?? 0));
  }
  const directory = scratch.view(size, scratch.length());
  const end = directory.length + size;
  const data = new Uint8Array(end + CRC_BYTES);
  data.set(directory);
  data.set(scratch.view(0, size), directory.length);
  const crc = crc32(data, end);
  for (let byte = 0; byte < CRC_BYTES; byte += 1) data[end + byte] = crc >>> (8 * byte);
  return data;
}

/** Returns the columns of a block, as views of its bytes. Throws a block error if the block cannot be read. */
export function splitColumns(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  if (data.length <= CRC_BYTES) throw blockError('damaged');
  const end = data.length - CRC_BYTES;
  let crc = 0;
  for (let byte = 0; byte < CRC_BYTES; byte += 1) crc += (data[end + byte] as number) * 256 ** byte;
  if (crc !== crc32(data, end)) throw blockError('damaged');
  return orDamaged(() => {
    const reader = createByteReader(data.subarray(0, end));
    if (reader.byte() !== VERSION) throw blockError('newer');
    const directory = reader.list(() => [reader.varint(), reader.varint()] as const, MAX_COLUMNS);
    const columns = new Map(directory.map(([number, length]) => [number, reader.bytes(length)]));
    if (columns.size !== directory.length) throw new RangeError('A column is listed twice.');
    return columns;
  });
}

/** Returns the result of `read`. Converts its exceptions to block errors. */
export function orDamaged<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw isBlockError(error) ? error : blockError('damaged', error);
  }
}
