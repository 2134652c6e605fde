/**
 * Writes an evidence log into a folder: its checkpoint, keys, tiles and entries. An entry may contain the
 * digest of a block of verdict records, so the blocks are written as well.
 */
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tilePath, tilesOf } from '../../../src/transparency-log/index.ts';
import type { LogEntryItem, LogOverview } from '../../../src/types.ts';
import type { Backend } from '../backend/methods.ts';

export type LogBackend = Pick<Backend, 'evidence' | 'logTile'>;

export interface ExportedLog {
  readonly origin: string;
  readonly size: number;
  readonly entries: number;
  readonly blocks: number;
}

/** The name of the file with the instant since which the service keeps blocks. */
export const KEPT_SINCE = 'kept-since';
const AT_ONCE = 16;
const DAY_MS = 86_400_000;

export async function exportLog(backend: LogBackend, folder: string): Promise<ExportedLog> {
  const state = await backend.evidence.state();
  await mkdir(join(folder, 'blocks'), { recursive: true });
  await writeFile(join(folder, 'keys'), state.keys.map(({ key }) => `${key}\n`).join(''));
  await writeTiles(backend, state, folder);
  // Before the entries are read: what is removed meanwhile is older.
  const keptSince = new Date(Date.now() - state.retention_days * DAY_MS).toISOString();
  await writeFile(join(folder, KEPT_SINCE), `${keptSince}\n`);
  const writtenLog = await writeEntries(backend, state, folder);
  // Last: a folder without it is not complete.
  await writeFile(join(folder, 'checkpoint'), state.checkpoint);
  return { origin: state.origin, size: state.size, ...writtenLog };
}

async function writeTiles(
  { logTile }: LogBackend,
  { log_id, size }: LogOverview,
  folder: string,
): Promise<void> {
  for (const tile of tilesOf(size)) {
    const path = tilePath(tile);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), await logTile(log_id, path));
  }
}

/** Writes the entries in order, although they are read newest first. Each page has its own file. */
async function writeEntries(
  { evidence }: LogBackend,
  { size }: LogOverview,
  folder: string,
): Promise<Pick<ExportedLog, 'entries' | 'blocks'>> {
  const parts: string[] = [];
  let first = size;
  let blocks = 0;
  let cursor: string | null = null;
  do {
    const page = await evidence.entries({ limit: AT_ONCE, blocks: true, ...(cursor !== null && { cursor }) });
    const items = page.data.filter(({ index }) => index < first);
    for (const item of items) blocks += await writeBlock(item, folder);
    const part = join(folder, `entries.part-${parts.length}`);
    await writeFile(part, [...items].reverse().map(lineOf).join(''));
    parts.push(part);
    first = items.at(-1)?.index ?? first;
    cursor = page.next_cursor;
  } while (cursor !== null);
  const file = await open(join(folder, 'entries.jsonl'), 'w');
  try {
    for (let index = 0; index < first; index += 1) await file.appendFile('null\n');
    for (const part of parts.reverse()) {
      await file.appendFile(await readFile(part));
      await rm(part);
    }
  } finally {
    await file.close();
  }
  return { entries: size - first, blocks };
}

function lineOf({ entry }: LogEntryItem): string {
  return `${entry}\n`;
}

/** Writes the bytes of an entry's block, without checking them, under the digest in the entry. */
async function writeBlock({ block, entry }: LogEntryItem, folder: string): Promise<number> {
  const digest = digestIn(entry);
  if (typeof block !== 'string' || digest === undefined) return 0;
  await writeFile(join(folder, 'blocks', digest), Buffer.from(block, 'base64'));
  return 1;
}

/** Returns the digest in an entry; `undefined` if the text is not an entry, which the audit reports. */
function digestIn(entry: string | null): string | undefined {
  try {
    const { digest } = Object(JSON.parse(entry ?? 'null'));
    return typeof digest === 'string' && /^[\da-f]{64}$/.test(digest) ? digest : undefined;
  } catch {
    return undefined;
  }
}
