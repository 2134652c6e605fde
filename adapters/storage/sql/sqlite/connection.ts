import { IdentityError } from '../../../../src/ports/index.ts';
import type { SqlRow } from '../rows.ts';

/** One open SQLite database, of either library. Every call is synchronous. */
export interface SqliteConnection {
  all(sql: string, parameters?: readonly unknown[]): readonly SqlRow[];
  /** The number of rows that were changed. */
  run(sql: string, parameters?: readonly unknown[]): bigint;
  close(): void;
}

/** The libraries that can open a database: the one inside Node, Bun and Deno, and an npm package. */
export type SqliteLibrary = 'node:sqlite' | 'libsql';

/** Opens a database by its path or `file:` URI. */
export type OpenSqlite = (path: string) => SqliteConnection;

/** The members of both libraries that are used. */
interface Database {
  prepare(sql: string): Statement;
  close(): void;
}

interface Statement {
  all(...parameters: readonly unknown[]): SqlRow[];
  run(...parameters: readonly unknown[]): { readonly changes: number | bigint };
}

/** What opens databases: `node:sqlite` where it is present, else `libsql`. Throws `invalid_configuration` without either. */
export async function loadSqlite(library?: SqliteLibrary): Promise<OpenSqlite> {
  const builtIn = library === 'libsql' ? undefined : loadBuiltIn();
  if (builtIn !== undefined) return (path) => connect(new builtIn.DatabaseSync(path), spread);
  if (library === 'node:sqlite') {
    throw new IdentityError('invalid_configuration', 'This runtime has no node:sqlite.');
  }
  const Libsql = await loadLibsql();
  return (path) => connect(new Libsql(path), asList);
}

/** Whether this runtime has `node:sqlite`. */
export function hasBuiltInSqlite(): boolean {
  return loadBuiltIn() !== undefined;
}

/** Whether another connection held the lock. The libraries report the code, which may be an extended one, in different members. */
export function isBusy(error: unknown): boolean {
  const { errcode, rawCode } = (error ?? {}) as { errcode?: unknown; rawCode?: unknown };
  const code = errcode ?? rawCode;
  return typeof code === 'number' && (code & 0xff) === SQLITE_BUSY;
}

const SQLITE_BUSY = 5;

/** Statements are kept: their texts differ by tables and fields only, so there are few. */
function connect(
  database: Database,
  pass: (parameters: readonly unknown[]) => readonly unknown[],
): SqliteConnection {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
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

/** libsql treats a single NULL as the list of parameters itself. */
const asList = (parameters: readonly unknown[]): readonly unknown[] => [parameters];

/** Node 22 warns that its SQLite is experimental: our own tests cover what is used here. */
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
