import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import type { SqlTables } from './rows.ts';

const MAX_TRIES = 5;

/** Begins a transaction. The returned function runs after the commit; it may throw so that the call fails. */
export type Begin = (connection: Kysely<SqlTables>) => Promise<(() => void) | undefined>;

export interface TransactionOptions<Result> {
  readonly begin?: Begin;
  readonly keep?: (result: Result) => boolean;
}

/**
 * Runs `body` in a transaction, and returns its result after the commit. Rolls back if `body` throws or `keep` returns
 * `false`. If the database has rolled back because of a conflict with another transaction, `body` runs again.
 */
export async function transact<Result>(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  body: (connection: Kysely<SqlTables>) => Promise<Result>,
  options: TransactionOptions<Result> = {},
): Promise<Result> {
  return untilKept(dialect, () =>
    kysely.connection().execute((connection) => transactOn(connection, dialect, body, options)),
  );
}

export async function untilKept<Result>(
  dialect: SqlDialect,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === MAX_TRIES || !dialect.mayRunAgain(error)) throw error;
    }
    // A random pause, so that conflicting transactions do not retry at the same time.
    await setTimeout(Math.random() * 2 ** tries);
  }
}

/** Works like `transact`, but on the connection of the caller and with a single attempt. */
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

/** Rolls back and ignores errors. The caller reports the first error, and the transaction may already have ended. */
async function rollBack(connection: Kysely<SqlTables>): Promise<void> {
  try {
    await sql.raw('rollback').execute(connection);
  } catch {
    // The transaction has already ended.
  }
}
