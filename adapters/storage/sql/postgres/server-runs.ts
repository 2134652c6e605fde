/**
 * The runs of servers on which a database was written to. A run is the time in which one server process takes
 * writes. A crash with recovery, a restored copy and a standby that takes over each begin a new run, and only
 * between two runs can an acknowledged write be lost. So `ais_meta` lists the runs, oldest first, each with the
 * first transaction id that no transaction before it had. No node writes on a run that is not in the list yet.
 */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { SqlConnection } from '../marker.ts';
import type { SqlRow, SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { metaTable } from '../tables.ts';

/** One run in the list. */
export type ServerRun = readonly [
  /** What `THIS_RUN` gives there. */
  name: string,
  /** The transactions of the runs before have lower ids. */
  firstId: string,
  /** Ids of transactions of different clusters cannot be compared. */
  cluster: string,
];

/** SQL: the name of the run of this server, by the microsecond in which it started; '' on a standby. */
export const THIS_RUN =
  "case when pg_is_in_recovery() then '' else extract(epoch from pg_postmaster_start_time())::text end";

/** SQL: the id of this transaction, as text. */
export const THIS_ID = 'pg_current_xact_id()::text';

/** SQL: above the id of every transaction that has ended, as text. */
export const NEXT_ID = 'pg_snapshot_xmax(pg_current_snapshot())::text';

const CLUSTER = '(select system_identifier::text from pg_control_system())';

const FUNCTIONS = [
  'pg_is_in_recovery',
  'pg_postmaster_start_time',
  'pg_current_xact_id',
  'pg_current_snapshot',
  'pg_control_system',
];

const NAME = 'server_runs';

/** More runs than a node sees in its lifetime. */
const MAX_RUNS = 100;

/** What reads and extends the list. */
export interface ServerRuns {
  /** The list, with the run of this server in it. */
  list(connection: SqlConnection, run: string): Promise<readonly ServerRun[]>;
  /** Whether the server has lost one of these transactions, all of them from before the transaction `firstId`. */
  hasLost(connection: SqlConnection, ids: readonly string[], firstId: string): Promise<boolean>;
}

/**
 * The list of a database; `beginText` begins its transactions. `undefined` for a database that is only compatible with
 * PostgreSQL, or for a role, without the functions that are needed.
 */
export async function openServerRuns(
  kysely: Kysely<SqlTables>,
  beginText: string,
): Promise<ServerRuns | undefined> {
  if (!(await hasFunctions(kysely))) return undefined;
  const compile = (text: string): CompiledQuery => sql.raw(text).compile(kysely);
  const read = compile(`select value from ${metaTable} where name = '${NAME}'`);
  const begin = compile(beginText);
  const make = compile(
    `insert into ${metaTable} (name, value) values ('${NAME}', '[]') on conflict do nothing`,
  );
  const hold = compile(`
    select value, ${NEXT_ID} as first_id, ${CLUSTER} as cluster
    from ${metaTable} where name = '${NAME}' for update`);
  const store = sql`update ${sql.table(metaTable)} set value = ${''} where name = ${sql.lit(NAME)}`.compile(
    kysely,
  );
  const commit = compile('commit');
  const rollback = compile('rollback');
  // A transaction so old that its status was removed was committed: it had been acknowledged.
  const count = sql`
    select count(*)::text as lost from jsonb_array_elements_text(${''}::jsonb) as known (id)
    where case when known.id::xid8 >= ${''}::xid8 then true
      else coalesce(pg_xact_status(known.id::xid8), 'committed') <> 'committed' end`.compile(kysely);

  async function extend(connection: SqlConnection, run: string): Promise<readonly ServerRun[]> {
    await connection.executeQuery(begin);
    try {
      await connection.executeQuery(make);
      const row = await firstRow(connection, hold);
      const list = toList(row['value']);
      if (has(list, run)) {
        await connection.executeQuery(rollback);
        return list;
      }
      const added: ServerRun = [run, String(row['first_id']), String(row['cluster'])];
      const extended = [...list, added].slice(-MAX_RUNS);
      await connection.executeQuery(bind(store, [JSON.stringify(extended)]));
      await connection.executeQuery(commit);
      return extended;
    } catch (error) {
      await connection.executeQuery(rollback).catch(() => undefined);
      throw error;
    }
  }

  return {
    async list(connection, run) {
      const list = toList((await firstRow(connection, read))['value']);
      return has(list, run) ? list : extend(connection, run);
    },
    async hasLost(connection, ids, firstId) {
      const { lost } = await firstRow(connection, bind(count, [JSON.stringify(ids), firstId]));
      return lost !== '0';
    },
  };
}

async function hasFunctions(kysely: Kysely<SqlTables>): Promise<boolean> {
  const { rows } = await sql<{ found: string | number | bigint }>`
    select count(distinct proname) as found from pg_catalog.pg_proc
    where proname in (${sql.join(FUNCTIONS)}) and pronamespace = 'pg_catalog'::regnamespace
      and has_function_privilege(oid, 'execute')`.execute(kysely);
  return Number(rows[0]?.found) === FUNCTIONS.length;
}

async function firstRow(connection: SqlConnection, query: CompiledQuery): Promise<SqlRow> {
  const [row = {}] = (await connection.executeQuery(query)).rows as readonly SqlRow[];
  return row;
}

function toList(value: unknown): readonly ServerRun[] {
  return value === undefined ? [] : JSON.parse(String(value));
}

function has(list: readonly ServerRun[], run: string): boolean {
  return list.some(([name]) => name === run);
}
