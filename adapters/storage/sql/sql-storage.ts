import { type Kysely, sql } from 'kysely';
import type { ListQuery, StorageAdapter, StoredRecord, WriteResult } from '../../../src/index.ts';
import { compileAppend } from './append.ts';
import { takeCensus } from './census.ts';
import type { SqlDialect } from './dialect.ts';
import { readEntries, tallyRollups } from './journal-queries.ts';
import { assertKnownVersion, readSchemaVersion } from './migrations.ts';
import { purgeRows } from './purge.ts';
import { isSqlText, type SqlRow, type SqlTables, toRecord } from './rows.ts';
import { bind, compileStatements } from './statements.ts';
import { tables } from './tables.ts';
import { transact } from './transaction.ts';
import { prepareStep, readCounter, runSteps } from './write-steps.ts';

const LIST_LIMIT = 1_000;

/** A database that is migrated, and what else its owner wants done. */
export interface SqlStorageParts {
  readonly kysely: Kysely<SqlTables>;
  readonly dialect: SqlDialect;
  /** Rejects when the database is not where it was opened. */
  readonly assertPresent?: () => Promise<void>;
  /** Lets go of the database, once. */
  readonly release?: () => Promise<void>;
}

/** The storage over a database that is ready. */
export function createSqlStorage(parts: SqlStorageParts): StorageAdapter {
  const { kysely, dialect } = parts;
  const statements = compileStatements(kysely, dialect);
  const append = compileAppend(kysely, dialect);
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new Error('The storage is closed.');
  }

  /** A pool that is closed forgets who still waits for a connection: what was asked is answered before. */
  function follow<Result>(call: Promise<Result>): Promise<Result> {
    running.add(call);
    const forget = (): boolean => running.delete(call);
    call.then(forget, forget);
    return call;
  }

  return {
    name: dialect.name,
    async get(collection, id) {
      assertOpen();
      if (!isSqlText(id)) return undefined;
      const { table, get } = statements[collection];
      const [row] = (await follow(kysely.executeQuery<SqlRow>(bind(get, [id])))).rows;
      return row === undefined ? undefined : toRecord(table, row);
    },
    async list(collection, query) {
      assertOpen();
      return follow(listRecords(kysely, collection, query));
    },
    async write(changes): Promise<WriteResult> {
      assertOpen();
      const steps = changes.map((change) => prepareStep(statements, change));
      if (steps.length === 0) return { written: true };
      const body = (connection: Kysely<SqlTables>): Promise<WriteResult> => runSteps(connection, steps);
      return follow(transact(kysely, dialect, body, ({ written }) => written));
    },
    async count(counter, at) {
      assertOpen();
      return follow(readCounter(kysely, counter, at));
    },
    async append(batch) {
      assertOpen();
      return follow(append(batch));
    },
    async read(query) {
      assertOpen();
      return follow(readEntries(kysely, dialect, query));
    },
    async tally(query) {
      assertOpen();
      return follow(tallyRollups(kysely, query));
    },
    async census(account_id, at) {
      assertOpen();
      return follow(takeCensus(kysely, account_id, at));
    },
    async purge(what, before) {
      assertOpen();
      return follow(purgeRows(kysely, dialect, { what, before }));
    },
    async check() {
      assertOpen();
      await parts.assertPresent?.();
      const version = await readSchemaVersion(kysely, dialect);
      if (version === 0) throw new Error('The database has lost its tables.');
      assertKnownVersion(version);
      return dialect.health(kysely);
    },
    async close() {
      closing ??= Promise.allSettled(running).then(() => parts.release?.());
      await closing;
    },
  };
}

async function listRecords(
  kysely: Kysely<SqlTables>,
  collection: keyof typeof tables,
  query: ListQuery,
): Promise<readonly StoredRecord[]> {
  if (!(query.limit >= 1 && query.limit <= LIST_LIMIT)) throw new RangeError('limit must be 1 to 1,000.');
  const table = tables[collection];
  let page = kysely.selectFrom(table.name).select(Object.keys(table.columns));
  for (const [field, value] of Object.entries(query.where)) {
    const kind = Object.hasOwn(table.columns, field) ? table.columns[field] : undefined;
    if (!kind?.startsWith('text'))
      throw new TypeError(`${table.name} cannot be listed by ${JSON.stringify(field)}.`);
    if (!isSqlText(value)) return [];
    page = page.where(field, '=', value);
  }
  if (query.after !== undefined) {
    page = page.where(sql<boolean>`(created_at, id) < (${query.after.created_at}, ${query.after.id})`);
  }
  const rows = await page
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(BigInt(query.limit))
    .execute();
  return rows.map((row) => toRecord(table, row));
}
