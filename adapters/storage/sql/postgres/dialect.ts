import { type Kysely, sql } from 'kysely';
import { IdentityError, MAX_PURGE_SIZE } from '../../../../src/ports/index.ts';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';
import { breaksConnection, sqlStateOf } from './errors.ts';

const UTF8 = 'UTF8';

/** The PostgreSQL dialect. Text is encoded as UTF-8, and the collation `C` compares it by bytes. */
export const postgres: SqlDialect = {
  name: 'postgres',
  // The host may have set another default. This level is enough, because conditions are part of the writing statement.
  begin: 'begin isolation level read committed',
  beginReading: 'begin isolation level repeatable read read only',
  text: 'text collate "C"',
  integer: 'bigint',
  bytes: 'bytea',
  keepBytes: (table, column, size) => [
    `alter table ${table} alter column ${column} set storage ${size === 'large' ? 'external' : 'main'}`,
  ],
  tableOptions: '',
  keyOrderedTableOptions: '',
  jsonArray: 'json_build_array',
  jsonElements: (json) => sql`jsonb_array_elements(${json}::jsonb) as element (value)`,
  textElements: (json) => sql`jsonb_array_elements_text(${json}::jsonb) as element (value)`,
  // An array instead of a subquery to join with, so that each text is one index look-up.
  isOneOf: (column, texts) =>
    sql<boolean>`${sql.ref(column)} = any(array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb)))`,
  hasBit: (column, hash) => sql<boolean>`
    get_bit(${sql.ref(column)}, cast(cast(${BigInt(hash)} as bigint) % (8 * length(${sql.ref(column)})) as integer)) = 1`,
  // Not now(), which is the start of the transaction.
  clockMs: 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)',
  bulkRows: 256,
  addedDeltas: 1_024,
  walkRows: 10_000,
  purgeRows: MAX_PURGE_SIZE,
  lockRow: 'for update',
  lockFreeRows: 'for update skip locked',
  async takeMigrationTurn(connection) {
    await sql`set local statement_timeout = 0`.execute(connection);
    await sql`set local lock_timeout = 0`.execute(connection);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(connection);
    await sql`
      select pg_advisory_xact_lock(hashtextextended('agent-identity-service ' || coalesce(current_schema(), ''), 0))
    `.execute(connection);
  },
  wasRolledBack: (error) => sqlStateOf(error) !== undefined && !breaksConnection(error),
  mayRunAgain: (error) => RUN_AGAIN.includes(sqlStateOf(error) ?? ''),
  async assertUnicode(kysely) {
    const query = sql<{ encoding: string | null }>`
      select current_setting('server_encoding', true) as encoding`;
    const encoding = (await query.execute(kysely)).rows[0]?.encoding ?? UTF8;
    if (encoding === UTF8) return;
    const message = `The PostgreSQL database encodes text as ${encoding}: create one with encoding '${UTF8}'.`;
    throw new IdentityError('invalid_configuration', message);
  },
  async hasTable(kysely, table) {
    // Not to_regclass, which answers from an older snapshot after a wait for the lock.
    const query = sql`
      select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
      where c.relname = ${table} and c.relkind in ('r', 'p') and n.nspname = any(current_schemas(false))`;
    return (await query.execute(kysely)).rows.length > 0;
  },
  async health(kysely) {
    const settings = await readSettings(kysely);
    if (settings.get('transaction_read_only') !== 'off') {
      throw new Error('The database is read-only: a standby, or set up so.');
    }
    const missing = DURABLE.filter((name) => (settings.get(name) ?? 'off') === 'off');
    if (missing.length === 0) {
      const mayLose = settings.get('synchronous_standby_names') === '' && (await hasStandby(kysely));
      return { durability: 'durable', ...(mayLose && { detail: 'A fail-over may lose the last writes.' }) };
    }
    const detail = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} off: a crash may lose writes.`;
    return { durability: 'unproved', detail };
  },
};

/** The codes serialization_failure and deadlock_detected. The transaction is rolled back, and a retry may succeed. */
const RUN_AGAIN: readonly string[] = ['40001', '40P01'];

/** The settings that must be on, or a crash may lose an acknowledged write. */
const DURABLE: readonly string[] = ['synchronous_commit', 'fsync', 'full_page_writes'];

/** Reads the settings. Databases that are only compatible with PostgreSQL lack some of them. */
async function readSettings(kysely: Kysely<SqlTables>): Promise<ReadonlyMap<string, string>> {
  const query = sql<{ name: string; setting: string | null }>`
    select name, current_setting(name, true) as setting
    from unnest(array['transaction_read_only', 'synchronous_standby_names', ${sql.join(DURABLE.map((name) => sql.lit(name)))}]) as name`;
  const { rows } = await query.execute(kysely);
  return new Map(rows.flatMap(({ name, setting }) => (setting === null ? [] : [[name, setting]])));
}

/**
 * Returns `true` if the server has a standby now. A back-up does not count. Only some roles can see the state of a
 * standby.
 */
async function hasStandby(kysely: Kysely<SqlTables>): Promise<boolean> {
  const query = sql`select 1 from pg_stat_replication where state is distinct from 'backup' limit 1`;
  // A database that is only compatible with PostgreSQL may lack the view.
  const result = await query.execute(kysely).catch(() => undefined);
  return result !== undefined && result.rows.length > 0;
}
