import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for the running test, gone with it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ais-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What is in a folder, by the hash of each file, without the files of SQLite that say nothing: an empty log, and -shm. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter(
    (name) => !name.endsWith('-shm') && !isEmptyLog(join(folder, name)),
  );
  return Object.fromEntries(names.map((name) => [name, hashOf(join(folder, name))]));
}

/** Does it as a user whom file permissions hold back, which they do not for root. */
export async function asOrdinaryUser<Result>(run: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

function hashOf(path: string): string {
  if (!statSync(path).isFile()) return 'no file';
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function isEmptyLog(path: string): boolean {
  return path.endsWith('-wal') && statSync(path).size === 0;
}
