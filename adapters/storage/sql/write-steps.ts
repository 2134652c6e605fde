import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  Change,
  CollectionName,
  FailedStep,
  WriteFailure,
  WriteResult,
} from '../../../src/ports/index.ts';
import { isSqlText, type SqlTables, type SqlValue } from './rows.ts';
import { bind, type TableStatements } from './statements.ts';
import { countersTable } from './tables.ts';

export interface WriteStep {
  readonly row: string;
  readonly isCounter: boolean;
  readonly run: (connection: Kysely<SqlTables>) => Promise<StepOutcome>;
  /** Returns the step in the form for `ais_write`; absent if PostgreSQL cannot store one of its texts. */
  readonly json: (() => Readonly<Record<string, unknown>>) | undefined;
}

export interface StepOutcome {
  /** The reason of the failure. `unsafe` means that the sum is not a safe integer. */
  readonly failure?: WriteFailure | 'unsafe' | undefined;
  readonly found?: number;
}

type Statements = Readonly<Record<CollectionName, TableStatements>>;

type Addition = Extract<Change, { op: 'add' }>;

type RecordChange = Extract<Change, { collection: CollectionName }>;

/**
 * Prepares the step for a change. Its conditions are part of the writing statement, and are not read separately before.
 * Throws a TypeError for a value that the tables cannot store.
 */
export function prepareStep(statements: Statements, change: Change): WriteStep {
  if ('counter' in change) {
    const { op, counter } = change;
    if (!isSqlText(counter)) throw new TypeError('A counter name holds U+0000 or a lone surrogate.');
    const statement = op === 'add' ? prepareAddition(change) : prepareForgetting(counter);
    return { row: counter, isCounter: true, ...statement };
  }
  const preparedStatements = statements[change.collection];
  const id = change.op === 'remove' ? change.id : change.record.id;
  const row = `${preparedStatements.table.name} ${id}`;
  return { row, isCounter: false, ...prepareRecordChange(preparedStatements, change) };
}

/**
 * Sorts the steps by the rows that they lock, with their indexes: first counters, then records, each in byte
 * order. All writes lock rows in this order, so that two writes cannot deadlock. The order does not change
 * the result: steps on different rows are independent, and steps on the same row keep their order.
 */
export function inLockOrder(steps: readonly WriteStep[]): readonly (readonly [number, WriteStep])[] {
  return [...steps.entries()].sort(
    ([, a], [, b]) => Number(b.isCounter) - Number(a.isCounter) || byteOrder(a.row, b.row),
  );
}

/** Compares texts by their UTF-8 bytes, as the database does. */
export function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export async function runSteps(
  connection: Kysely<SqlTables>,
  steps: readonly WriteStep[],
  changes: readonly Change[],
): Promise<WriteResult> {
  const outcomes = new Map<number, StepOutcome>();
  for (const [step, { run }] of inLockOrder(steps)) outcomes.set(step, await run(connection));
  return resultOf(outcomes, changes);
}

export function resultOf(
  outcomes: ReadonlyMap<number, StepOutcome>,
  changes: readonly Change[],
): WriteResult {
  const failedSteps: FailedStep[] = [];
  const foundNumbers: number[] = [];
  const sums: number[] = [];
  for (const [step, change] of changes.entries()) {
    const { failure, found: value = 0 } = outcomes.get(step) ?? {};
    if (change.op === 'add') {
      foundNumbers.push(value);
      sums.push(value + change.by);
    }
    if (failure === undefined) continue;
    if (failure === 'unsafe' && failedSteps.length === 0) {
      throw new RangeError('A counter would leave the safe integers.');
    }
    failedSteps.push({ step, failure: failure === 'unsafe' ? 'limit' : failure });
  }
  const [first] = failedSteps;
  return first === undefined
    ? { written: true, sums }
    : { written: false, ...first, failed: failedSteps, found: foundNumbers };
}

type Prepared = Omit<WriteStep, 'row' | 'isCounter'>;

function prepareRecordChange(statements: TableStatements, change: RecordChange): Prepared {
  const { table, valuesOf, insert, replace, remove } = statements;
  const { op } = change;
  if (op === 'remove') {
    const { id, version } = change;
    if (!isSqlText(id)) return { run: async () => ({ failure: 'stale' }), json: undefined };
    const query = bind(remove, [id, BigInt(version)]);
    return { run: failing('stale', query), json: () => ({ op, table: table.name, id, version }) };
  }
  const { record } = change;
  const { id } = record;
  const values = valuesOf(record);
  const json = () => ({ op, table: table.name, id, record: jsonRecord(table, values) });
  if (op === 'replace') {
    const { version } = change;
    const query = bind(replace, [...values, id, BigInt(version)]);
    return { run: failing('stale', query), json: () => ({ ...json(), version }) };
  }
  const query = bind(insert, values);
  if (op === 'insert') return { run: failing('exists', query), json };
  return { run: claiming(statements, query, record), json };
}

/** Returns a row for `jsonb_populate_record`, which parses the text of each column. */
function jsonRecord(
  { columns }: TableStatements['table'],
  values: readonly SqlValue[],
): Readonly<Record<string, string | null>> {
  const names = Object.keys(columns);
  return Object.fromEntries(
    values.map((value, index) => [
      names[index],
      typeof value === 'bigint' ? String(value) : (value as string),
    ]),
  );
}

function failing(failure: WriteFailure, query: Query): WriteStep['run'] {
  return async (connection) => ((await affectedRows(connection, query)) === 0n ? { failure } : {});
}

/**
 * The maximum number of attempts of a `claim` step, which inserts a record unless a record with its id
 * exists. An attempt fails if the existing record is removed before it is read.
 */
const MAX_CLAIMS = 10;

function claiming(
  { table, hold }: TableStatements,
  query: Query,
  { id, account_id }: { readonly id: string; readonly account_id: string },
): WriteStep['run'] {
  return async (connection) => {
    for (let tries = 1; tries <= MAX_CLAIMS; tries += 1) {
      if ((await affectedRows(connection, query)) > 0n) return {};
      const [holder] = (await connection.executeQuery<{ account_id: string }>(bind(hold, [id]))).rows;
      if (holder !== undefined) return holder.account_id === account_id ? {} : { failure: 'claimed' };
      // The holder was removed in the meantime.
    }
    throw new Error(`${table.name} ${JSON.stringify(id)} was claimed and removed again and again.`);
  };
}

export async function readCounter(
  kysely: Kysely<SqlTables>,
  counter: string,
  instant: string,
): Promise<number> {
  if (!isSqlText(counter)) return 0;
  const row = await kysely
    .selectFrom(countersTable)
    .select('value')
    .where('id', '=', counter)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', instant)]))
    .executeTakeFirst();
  return Number(row?.['value'] ?? 0);
}

/** Prepares an addition. It first resets an expired counter, then adds within the limits. A failure rolls both back. */
function prepareAddition(change: Addition): Prepared {
  const { op, counter, by: addedCount, at, expires_at = null, renew } = change;
  const delta = BigInt(addedCount);
  const limit = Math.min(change.max ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const max = BigInt(limit);
  const min = BigInt(Number.MIN_SAFE_INTEGER);
  const isLimited = change.max !== undefined;

  function outcomeOf(foundCount: number): StepOutcome {
    const sum = foundCount + addedCount;
    if (isLimited && sum > limit) return { failure: 'limit', found: foundCount };
    return Number.isSafeInteger(sum) ? { found: foundCount } : { failure: 'unsafe', found: foundCount };
  }

  async function run(connection: Kysely<SqlTables>): Promise<StepOutcome> {
    if (addedCount === 0) return outcomeOf(await readCounter(connection, counter, at));
    await connection
      .insertInto(countersTable)
      .values({ id: counter, value: 0n, expires_at })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ value: 0n, expires_at: sql`excluded.expires_at` })
          .where(`${countersTable}.expires_at`, '<=', at),
      )
      .execute();
    const row = await connection
      .updateTable(countersTable)
      .set({ value: sql`value + ${delta}`, ...(renew && { expires_at: laterOf(expires_at) }) })
      .where('id', '=', counter)
      .where(sql<boolean>`value + ${delta} between ${min} and ${max}`)
      .returning('value')
      .executeTakeFirst();
    if (row !== undefined) return { found: Number(row['value']) - addedCount };
    return outcomeOf(await readCounter(connection, counter, at));
  }

  return {
    run,
    json: () => ({ op, id: counter, by: addedCount, max: limit, limited: isLimited, at, expires_at, renew }),
  };
}

function prepareForgetting(counter: string): Prepared {
  async function run(connection: Kysely<SqlTables>): Promise<StepOutcome> {
    await connection.deleteFrom(countersTable).where('id', '=', counter).execute();
    return {};
  }

  return { run, json: () => ({ op: 'forget', id: counter }) };
}

/**
 * Returns SQL for the later of two expiries of a counter: the stored expiry and `end`. `null` means that the
 * counter never expires.
 */
function laterOf(end: string | null): RawBuilder<string | null> {
  // A parameter in `is null` alone would have no type for PostgreSQL.
  if (end === null) return sql`null`;
  return sql`case when expires_at is null then null when expires_at > ${end} then expires_at else ${end} end`;
}

type Query = Parameters<Kysely<SqlTables>['executeQuery']>[0];

/** Runs a statement and returns the number of changed rows. */
async function affectedRows(connection: Kysely<SqlTables>, query: Query): Promise<bigint> {
  return (await connection.executeQuery(query)).numAffectedRows ?? 0n;
}
