import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import type { SqlTables } from './rows.ts';

/** How many attempts a transaction gets that the database itself rolls back. */
const MAX_TRIES = 5;

/** Begins a transaction; the returned function is called after the commit, and may still fail the call. */
export type Begin = (connection: Kysely<SqlTables>) => Promise<(() => void) | undefined>;

/** How a transaction begins and ends. */
export interface TransactionOptions<Result> {
  /** Begins it; rejects when it must not be used. Default: as the dialect does. */
  readonly begin?: Begin;
  /** Whether to commit it. Default: always. */
  readonly keep?: (result: Result) => boolean;
}

/**
 * The result of `body`, after its statements were committed together; rolled back when it throws or when
 * `keep` refuses its result. `body` runs again when the database rolled the transaction back in favour of another one.
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

/** What `attempt` gives, which is called again when the database rolled it back in favour of another transaction. */
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
    // Transactions that conflicted retry one after the other.
    await setTimeout(Math.random() * 2 ** tries);
  }
}

/** The same on a connection of the caller, with one attempt. */
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
    // The transaction has ended already.
  }
}
