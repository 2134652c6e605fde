/**
 * The format of a block: the version, a directory of numbered columns with their lengths, the columns, and a CRC-32 of
 * all of that. A reader skips columns that it does not know, so that records can gain fields.
 */
import { crc32 } from '../base/bytes/crc32.ts';
import { type ByteWriter, createByteReader } from './bytes.ts';

const VERSION = 1;
const CRC_BYTES = 4;
/** The most columns of a block: later releases add some. */
const MAX_COLUMNS = 1_024;

/** The most records of a block. */
export const MAX_RECORDS = 8_192;
/** The most reports of a block. */
export const MAX_REPORTS = 8_192;

/** The columns by their numbers, which never change. */
export const COLUMN = {
  /** The number of records, the first instant, the prefix of the ids. */
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
  /** The keys that proved intents; absent in a block without any. */
  proofs: 15,
  budgets: 16,
  /** The traces of the questions; absent in a block without any. */
  traces: 17,
  /** The versions of the passports above; absent in a block without any. */
  ancestors: 18,
  /** The subjects, as numbers. `erasable` has their texts. Absent in a block without any. */
  subjects: 19,
  /** The approvals that intents named. */
  approvals: 20,
  /** The seconds of holds that intents asked for; absent in a block without any. */
  holds: 21,
  /** The reported outcomes of verdicts. A block that has them has no records. */
  outcomes: 22,
  /** The salted digests of the subjects, in a block with a leaf in the log. `erasable` has their salts. */
  digests: 23,
  /** The audiences of permits; absent in a block without any. */
  permits: 24,
  /** The names of the local verifiers that decided; absent in a block without any. */
  verifiers: 25,
  /** The usage of intents; absent in a block without any. */
  usages: 26,
} as const;

/** The columns that records and reports carry: a block of these alone can be packed again without a loss. */
const CARRIED: ReadonlySet<number> = new Set(
  Object.values(COLUMN).filter((column) => column !== COLUMN.digests),
);

/** Says whether records carry all that the columns hold. */
export function isCarried(columns: ReadonlyMap<number, Uint8Array>): boolean {
  for (const column of columns.keys()) if (!CARRIED.has(column)) return false;
  return true;
}

const KNOWN: ReadonlySet<number> = new Set(Object.values(COLUMN));

/** Says whether this release knows all columns. */
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

/** Says whether `error` means that the bytes of a block cannot be read. */
export function isBlockError(error: unknown): boolean {
  return error instanceof Error && error.name === 'BlockError';
}

/** Says whether `error` means that a newer version wrote the block. */
export function isNewerBlock(error: unknown): boolean {
  return isBlockError(error) && (error as Error).message === MESSAGES.newer;
}

/** Returns the problem of a block that cannot be read, for its sender. */
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

/** Returns the bytes of a block of these columns; overwrites `scratch`. */
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

/** Returns the columns of a block, as views of its bytes. Throws a block error when it cannot be read. */
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

/** Returns the result of `read`; turns its exceptions into block errors. */
export function orDamaged<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw isBlockError(error) ? error : blockError('damaged', error);
  }
}
