import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import type { SqlTables } from './rows.ts';

/** How often a transaction is tried that the database itself gives up. */
const MAX_TRIES = 5;

/** Begins a transaction; what it gives back is called when that was committed, and may still fail the call. */
export type Begin = (connection: Kysely<SqlTables>) => Promise<(() => void) | undefined>;

/** How a transaction begins and ends. */
export interface TransactionOptions<Result> {
  /** Begins it; rejects when nothing may be done in it. Default: as the dialect does. */
  readonly begin?: Begin;
  /** Whether to commit it. Default: always. */
  readonly keep?: (result: Result) => boolean;
}

/**
 * What `body` gives back, after its statements were committed together; rolled back when it throws or when
 * `keep` says no to its result. `body` runs again when the database gave the transaction up for another one.
 */
export async function transact<Result>(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  body: (connection: Kysely<SqlTables>) => Promise<Result>,
  options: TransactionOptions<Result> = {},
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await kysely
        .connection()
        .execute((connection) => transactOn(connection, dialect, body, options));
    } catch (error) {
      if (tries === MAX_TRIES || !dialect.mayRunAgain(error)) throw error;
    }
    // Those that stood in each other's way come back one after the other.
    await setTimeout(Math.random() * 2 ** tries);
  }
}

/** The same on a connection that the caller has, tried once. */
export async function transactOn<Result>(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  body: (connection: Kysely<SqlTables>) => Promise<Result>,
  { begin, keep = () => true }: TransactionOptions<Result> = {},
): Promise<Result> {
  let afterCommit: (() => void) | undefined;
  let result: Result;
  let isKept: boolean;
  try {
    if (begin === undefined) await sql.raw(dialect.begin).execute(connection);
    else afterCommit = await begin(connection);
    result = await body(connection);
    isKept = keep(result);
    await sql.raw(isKept ? 'commit' : 'rollback').execute(connection);
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
  if (isKept) afterCommit?.();
  return result;
}

/** The first error counts: a database that has already rolled back by itself refuses to do it again. */
async function rollBack(connection: Kysely<SqlTables>): Promise<void> {
  try {
    await sql.raw('rollback').execute(connection);
  } catch {
    // Nothing is left to undo.
  }
}
