/**
 * Lists the incarnations of a database server. An incarnation is a period in which one server process accepts writes.
 *
 * A crash with recovery, a restored copy and the promotion of a standby each begin a new incarnation. Acknowledged
 * writes can be lost only between two incarnations. Therefore `ais_meta` lists the incarnations, oldest first. Each has
 * a transaction id above all ids of earlier incarnations. A node writes only after its incarnation is in the list.
 */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { SqlConnection } from '../identity.ts';
import type { SqlRow, SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { metaTable } from '../tables.ts';

export type Incarnation = readonly [
  /** The value of `THIS_INCARNATION`. */
  name: string,
  /** An id above the ids of all transactions of earlier incarnations. */
  firstId: string,
  /** The id of the cluster. Transaction ids of different clusters cannot be compared. */
  cluster: string,
];

/** SQL for the name of this server's incarnation: the microsecond of its start, or '' on a standby. */
export const THIS_INCARNATION =
  "case when pg_is_in_recovery() then '' else extract(epoch from pg_postmaster_start_time())::text end";

export const THIS_ID = 'pg_current_xact_id()::text';

/** SQL for an id, as text, that is above the ids of all ended transactions. */
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

/** The length of the list. It exceeds the number of incarnations that a node sees in its lifetime. */
const MAX_INCARNATIONS = 100;

export interface Incarnations {
  list(connection: SqlConnection, incarnation: string): Promise<readonly Incarnation[]>;
  hasLost(connection: SqlConnection, ids: readonly string[], firstId: string): Promise<boolean>;
}

/**
 * Opens the list of a database. `beginText` begins its transactions. Returns `undefined` if the role cannot use the
 * required functions, or they are missing, as in databases that are only compatible with PostgreSQL.
 */
export async function openIncarnations(
  kysely: Kysely<SqlTables>,
  beginText: string,
): Promise<Incarnations | undefined> {
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
  // If the status of an old transaction was removed, it counts as committed, because it had been acknowledged.
  const count = sql`
    select count(*)::text as lost from jsonb_array_elements_text(${''}::jsonb) as known (id)
    where case when known.id::xid8 >= ${''}::xid8 then true
      else coalesce(pg_xact_status(known.id::xid8), 'committed') <> 'committed' end`.compile(kysely);

  async function extend(connection: SqlConnection, incarnation: string): Promise<readonly Incarnation[]> {
    await connection.executeQuery(begin);
    try {
      await connection.executeQuery(make);
      const row = await firstRow(connection, hold);
      const list = toList(row['value']);
      if (has(list, incarnation)) {
        await connection.executeQuery(rollback);
        return list;
      }
      const addedIncarnation: Incarnation = [incarnation, String(row['first_id']), String(row['cluster'])];
      const extendedIncarnations = [...list, addedIncarnation].slice(-MAX_INCARNATIONS);
      await connection.executeQuery(bind(store, [JSON.stringify(extendedIncarnations)]));
      await connection.executeQuery(commit);
      return extendedIncarnations;
    } catch (error) {
      await connection.executeQuery(rollback).catch(() => undefined);
      throw error;
    }
  }

  return {
    async list(connection, incarnation) {
      const list = toList((await firstRow(connection, read))['value']);
      return has(list, incarnation) ? list : extend(connection, incarnation);
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

function toList(value: unknown): readonly Incarnation[] {
  return value === undefined ? [] : JSON.parse(String(value));
}

function has(list: readonly Incarnation[], incarnation: string): boolean {
  return list.some(([name]) => name === incarnation);
}
