import { type Stats, statSync } from 'node:fs';
import { access, constants, open as openFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createElapsedClock, IdentityError } from '../../../../src/ports/index.ts';
import { isBusy, type OpenSqlite, type SqliteConnection } from './connection.ts';

export async function isNewFile(file: string): Promise<boolean> {
  const entry = await statOrNothing(file);
  if (entry !== undefined) {
    if (!entry.isFile())
      throw unusable(
        entry.isDirectory() ? 'It is a folder. Name a file.' : 'It is not a regular file. Name another.',
      );
    await assertAllowed(
      file,
      constants.R_OK | constants.W_OK,
      'It cannot be read and written. Correct its permissions.',
    );
  }
  const folder = dirname(file);
  if ((await statOrNothing(folder)) === undefined)
    throw unusable(`There is no folder ${folder}. Make it first.`);
  await assertAllowed(folder, constants.W_OK, 'Its folder cannot be written. Correct its permissions.');
  return entry === undefined;
}

/**
 * Reads from the file without changing it; returns `undefined` if that is impossible. Passes on an IdentityError of
 * `read`. An ordinary connection would write the log of a killed process into the file.
 */
export async function readUntouched<Result>(
  open: OpenSqlite,
  file: string,
  read: (connection: SqliteConnection) => Promise<Result>,
): Promise<Result | undefined> {
  // SQLite would create a missing file.
  if (((await statOrNothing(file))?.size ?? 0) === 0) return undefined;
  // An incomplete transaction: its recovery would change the file.
  if ((await statOrNothing(`${file}-journal`)) !== undefined) return undefined;
  const inUse = (await statOrNothing(`${file}-wal`)) !== undefined;
  const uri = `${pathToFileURL(file).href}?${inUse ? 'mode=ro' : 'immutable=1'}`;
  let connection: SqliteConnection | undefined;
  try {
    connection = open(uri);
    return await read(connection);
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    return undefined;
  } finally {
    connection?.close();
  }
}

/**
 * Creates an empty file that only its owner can read, because it will contain digests of keys and passwords. SQLite
 * gives its other files the same mode. If another process has already created the file, it stays unchanged.
 */
export async function createPrivately(file: string): Promise<void> {
  try {
    await (await openFile(file, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
}

export async function removeEmptyFile(file: string): Promise<void> {
  const entry = await statOrNothing(file);
  if (entry?.size === 0) await rm(file, { force: true });
}

export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function identifyFile(file: string): FileIdentity {
  const { dev, ino } = statSync(file, { bigint: true });
  return { dev, ino };
}

export function isInPlace(file: string, { dev, ino }: FileIdentity): boolean {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats?.ino === ino && stats.dev === dev;
}

/**
 * Creates a check that throws if the path leads to another file. A check that is at most `withinMs` old is enough. The
 * synchronous check takes 2 us instead of 40, and nothing can happen between the check and its result.
 */
export function watchPresence(file: string, identity: FileIdentity): (withinMs?: number) => void {
  // This clock includes the time in which the machine sleeps, when the file may be replaced.
  const { elapsed } = createElapsedClock();
  let seenAt = elapsed();
  return (withinMs = 0) => {
    const now = elapsed();
    if (now - seenAt < withinMs) return;
    if (!isInPlace(file, identity)) throw new Error(`The database file ${file} was removed or replaced.`);
    seenAt = now;
  };
}

export function startError(file: string, cause: unknown): IdentityError {
  if (isBusy(cause)) {
    return new IdentityError(
      'storage_unavailable',
      `Another process holds the database ${file}. Stop it, or use another file.`,
      { cause },
    );
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = cause instanceof IdentityError ? message : `SQLite says: ${message}`;
  return unusable(`The database ${file} cannot be used. ${reason}`, cause);
}

function unusable(message: string, cause?: unknown): IdentityError {
  return new IdentityError('invalid_configuration', message, { cause });
}

async function assertAllowed(path: string, mode: number, problem: string): Promise<void> {
  try {
    await access(path, mode);
  } catch (cause) {
    throw unusable(problem, cause);
  }
}

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (code === 'ENOENT') return undefined;
    throw unusable(`Its path cannot be followed (${String(code)}).`, cause);
  }
}
