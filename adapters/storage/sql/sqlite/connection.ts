import { type Stats, statSync } from 'node:fs';
import { access, constants, open as openFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createElapsedClock, IdentityError } from '../../../../src/ports/index.ts';
import type { SqlRow } from '../rows.ts';

/** A connection to a SQLite database, through one of the two libraries. Every call is synchronous. */
export interface SqliteConnection {
  all(sql: string, parameters?: readonly unknown[]): readonly SqlRow[];
  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, parameters?: readonly unknown[]): bigint;
  close(): void;
}

/** The supported libraries: the built-in library of Node, Bun and Deno, and an npm package. */
export type SqliteLibrary = 'node:sqlite' | 'libsql';

/** Opens a database by its path or `file:` URI. */
export type OpenSqlite = (path: string) => SqliteConnection;

interface Database {
  prepare(sql: string): Statement;
  close(): void;
}

interface Statement {
  all(...parameters: readonly unknown[]): SqlRow[];
  run(...parameters: readonly unknown[]): { readonly changes: number | bigint };
}

/**
 * Loads `node:sqlite` if the runtime has it, else `libsql`.
 *
 * @throws {IdentityError} `invalid_configuration` if neither is available.
 */
export async function loadSqlite(library: SqliteLibrary = usualLibrary()): Promise<OpenSqlite> {
  const builtIn = library === 'libsql' ? undefined : loadBuiltIn();
  if (builtIn !== undefined) return (path) => connect(new builtIn.DatabaseSync(path), spread);
  if (library === 'node:sqlite') {
    throw new IdentityError(
      'invalid_configuration',
      'This runtime has no node:sqlite. Use Node 22.13 or newer, or libsql.',
    );
  }
  const Libsql = await loadLibsql();
  return (path) => connect(new Libsql(path), asList);
}

/** Returns the default library. */
export function usualLibrary(): SqliteLibrary {
  return hasBuiltInSqlite() ? 'node:sqlite' : 'libsql';
}

/** Returns `true` if this runtime has `node:sqlite`. */
export function hasBuiltInSqlite(): boolean {
  return loadBuiltIn() !== undefined;
}

/**
 * Says whether an error is SQLITE_BUSY, or one of its extended codes. The libraries report the code in different
 * members.
 */
export function isBusy(error: unknown): boolean {
  const { errcode, rawCode } = (error ?? {}) as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode;
  return typeof code === 'number' && (code & 0xff) === SQLITE_BUSY;
}

const SQLITE_BUSY = 5;

/**
 * Wraps a database, and caches its prepared statements. There are few statements, because their texts differ only by
 * tables and fields.
 */
function connect(
  database: Database,
  pass: (parameters: readonly unknown[]) => readonly unknown[],
): SqliteConnection {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const knownStatement = statements.get(sql);
    if (knownStatement !== undefined) return knownStatement;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    all: (sql, parameters = []) => prepare(sql).all(...pass(parameters)),
    run: (sql, parameters = []) => BigInt(prepare(sql).run(...pass(parameters)).changes),
    close() {
      statements.clear();
      database.close();
    },
  };
}

const spread = (parameters: readonly unknown[]): readonly unknown[] => parameters;

/** Passes the parameters as one list, because libsql takes a single NULL for the list itself. */
const asList = (parameters: readonly unknown[]): readonly unknown[] => [parameters];

/** Loads `node:sqlite`, and hides the warning of Node 22 that it is experimental. */
function loadBuiltIn(): { readonly DatabaseSync: new (path: string) => Database } | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule?.('node:sqlite') as ReturnType<typeof loadBuiltIn>;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadLibsql(): Promise<new (path: string) => Database> {
  try {
    const module: { default: unknown } = await import('libsql');
    return module.default as new (
      path: string,
    ) => Database;
  } catch (cause) {
    const message = 'SQLite needs a package on this version of Node: npm install libsql';
    throw new IdentityError('invalid_configuration', message, { cause });
  }
}

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
