import { readSync } from 'node:fs';
import type { CheckpointThread } from './checkpoint-thread.ts';

/** Sizes and offsets in a write-ahead log, in bytes: https://sqlite.org/fileformat2.html#walformat */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_SIZE_AT = 8;
const SALTS_AT = 16;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;

/**
 * Returns `true` if a write-ahead log has at least this number of pages, and `false` if it cannot be read.
 *
 * The file size is not enough, because SQLite overwrites a copied log from its beginning and does not shorten
 * the file. At each new beginning, the header gets new salts, which SQLite also writes to each new page. The
 * page at this number thus belongs to the log if it has the salts of the header.
 */
export function isLogLong(log: number, pages: number): boolean {
  const header = read(log, HEADER_BYTES, 0);
  if (header === undefined) return false;
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_SIZE_AT);
  const salts = read(log, SALTS_BYTES, HEADER_BYTES + (pages - 1) * frameBytes + FRAME_SALTS_AT);
  return salts?.equals(header.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES)) ?? false;
}

/** Reads bytes synchronously, as SQLite does. Recently written data is in the page cache. */
function read(log: number, length: number, position: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  try {
    return readSync(log, bytes, { position }) === length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The length in pages at which a checkpoint starts. It is the default of SQLite. */
export const LONG_LOG = 1_000;
/** The length in pages, 16 MB, at which commits wait for the running checkpoint. */
export const FULL_LOG = 4_000;

export interface ShortLog {
  /** Resolves when the next commit may begin. `log` is the file descriptor of the write-ahead log. */
  afterCommit(log: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the checkpoints of a log. The first checkpoint starts the thread. `startThread` returns `undefined`
 * if no thread can start now, and the next checkpoint tries again. If `startThread` throws, or a checkpoint
 * fails, `onFailure` is called. From then on the caller must run the checkpoints.
 */
export function keepLogShort(
  startThread: () => CheckpointThread | undefined,
  onFailure: () => void,
): ShortLog {
  let thread: CheckpointThread | undefined;
  let running: Promise<void> | undefined;
  let isOvertaken = false;
  let hasFailed = false;

  async function checkpoint(): Promise<void> {
    try {
      thread ??= startThread();
      await thread?.run();
    } catch {
      hasFailed = true;
      onFailure();
    } finally {
      running = undefined;
    }
  }

  return {
    async afterCommit(log) {
      if (hasFailed) return;
      if (running !== undefined) {
        isOvertaken = true;
        if (isLogLong(log, FULL_LOG)) await running;
        return;
      }
      // The log has grown during the last checkpoint. The next commit waits for a second, short one: SQLite overwrites a
      // log only when all of it is copied, and under steady load that would never be so.
      const mustWait = isOvertaken;
      isOvertaken = false;
      if (!isLogLong(log, LONG_LOG)) return;
      running = checkpoint();
      if (mustWait) await running;
    },
    async close() {
      await running;
      await thread?.close();
    },
  };
}
