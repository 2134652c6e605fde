import { readSync } from 'node:fs';

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
