import { type Kysely, sql } from 'kysely';
import type { Change, CollectionName, WriteFailure, WriteResult } from '../../../src/ports/index.ts';
import { isSqlText, type SqlTables } from './rows.ts';
import { bind, type TableStatements } from './statements.ts';
import { countersTable } from './tables.ts';

/** One step of a write, checked and ready. */
export interface WriteStep {
  /** The one row that it touches. */
  readonly row: string;
  /** Does it on a connection and says why it could not. */
  readonly run: (connection: Kysely<SqlTables>) => Promise<WriteFailure | RangeError | undefined>;
}

type Statements = Readonly<Record<CollectionName, TableStatements>>;

type Addition = Extract<Change, { op: 'add' }>;

type RecordChange = Exclude<Change, Addition>;

/**
 * The step that does a change. Every condition is part of the statement that writes, never read before it.
 * Throws a TypeError for what the tables cannot hold.
 */
export function prepareStep(statements: Statements, change: Change): WriteStep {
  if (change.op === 'add') {
    return { row: `${countersTable} ${change.counter}`, run: prepareAddition(change) };
  }
  const prepared = statements[change.collection];
  const id = change.op === 'remove' ? change.id : change.record.id;
  return { row: `${prepared.table.name} ${id}`, run: prepareRecordChange(prepared, change) };
}

/**
 * Does all steps, or says which was the first that could not be done. Rows are locked in the same order by
 * everybody, so that no two writes wait for each other; that changes no outcome, as steps on different rows do
 * not depend on each other and those on the same row stay in their order.
 */
export async function runSteps(
  connection: Kysely<SqlTables>,
  steps: readonly WriteStep[],
): Promise<WriteResult> {
  const ordered = [...steps.entries()].sort(([, a], [, b]) => (a.row < b.row ? -1 : a.row > b.row ? 1 : 0));
  let first = steps.length;
  let failure: WriteFailure | RangeError | undefined;
  for (const [step, { run }] of ordered) {
    // Only a step before it can still be the first that failed.
    if (step > first) continue;
    const outcome = await run(connection);
    if (outcome !== undefined) [first, failure] = [step, outcome];
  }
  if (failure === undefined) return { written: true };
  if (typeof failure === 'object') throw failure;
  return { written: false, step: first, failure };
}

function prepareRecordChange(
  { table, valuesOf, hold, insert, replace, remove }: TableStatements,
  change: RecordChange,
): WriteStep['run'] {
  if (change.op === 'remove') {
    if (!isSqlText(change.id)) return async () => 'stale';
    const query = bind(remove, [change.id, BigInt(change.version)]);
    return async (connection) => ((await affectedRows(connection, query)) === 0n ? 'stale' : undefined);
  }
  const values = valuesOf(change.record);
  const { id, account_id } = change.record;
  if (change.op === 'replace') {
    const query = bind(replace, [...values, id, BigInt(change.version)]);
    return async (connection) => ((await affectedRows(connection, query)) === 0n ? 'stale' : undefined);
  }
  const query = bind(insert, values);
  if (change.op === 'insert') {
    return async (connection) => ((await affectedRows(connection, query)) === 0n ? 'exists' : undefined);
  }
  return async (connection) => {
    for (let tries = 1; tries <= MAX_CLAIMS; tries += 1) {
      if ((await affectedRows(connection, query)) > 0n) return undefined;
      const [holder] = (await connection.executeQuery<{ account_id: string }>(bind(hold, [id]))).rows;
      if (holder !== undefined) return holder.account_id === account_id ? undefined : 'claimed';
      // Whoever held it has let go in between.
    }
    throw new Error(`${table.name} ${JSON.stringify(id)} was claimed and removed again and again.`);
  };
}

/** How often a claim is tried whose holder is gone when it is looked at. */
const MAX_CLAIMS = 10;

/** The value of a counter at an instant. */
export async function readCounter(kysely: Kysely<SqlTables>, counter: string, at: string): Promise<number> {
  if (!isSqlText(counter)) return 0;
  const row = await kysely
    .selectFrom(countersTable)
    .select('value')
    .where('id', '=', counter)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
    .executeTakeFirst();
  return Number(row?.['value'] ?? 0);
}

/** First a counter that has not expired, then the guarded sum: a failed sum rolls both back. */
function prepareAddition(change: Addition): WriteStep['run'] {
  const { counter, at } = change;
  if (!isSqlText(counter)) throw new TypeError('A counter name holds U+0000 or a lone surrogate.');
  const by = BigInt(change.by);
  const max = BigInt(Math.min(change.max ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
  const min = BigInt(Number.MIN_SAFE_INTEGER);
  return async (connection) => {
    await connection
      .insertInto(countersTable)
      .values({ id: counter, value: 0n, expires_at: change.expires_at ?? null })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ value: 0n, expires_at: sql`excluded.expires_at` })
          .where(`${countersTable}.expires_at`, '<=', at),
      )
      .execute();
    const { numUpdatedRows } = await connection
      .updateTable(countersTable)
      .set({ value: sql`value + ${by}` })
      .where('id', '=', counter)
      .where(sql<boolean>`value + ${by} between ${min} and ${max}`)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return undefined;
    const sum = (await readCounter(connection, counter, at)) + change.by;
    if (change.max !== undefined && sum > change.max) return 'limit';
    return new RangeError(`The counter ${JSON.stringify(counter)} would leave the safe integers.`);
  };
}

/** How many rows the statement has changed. */
async function affectedRows(
  connection: Kysely<SqlTables>,
  query: Parameters<Kysely<SqlTables>['executeQuery']>[0],
): Promise<bigint> {
  return (await connection.executeQuery(query)).numAffectedRows ?? 0n;
}
