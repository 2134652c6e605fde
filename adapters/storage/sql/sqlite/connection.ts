import { IdentityError } from '../../../../src/ports/index.ts';
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
