import { type Kysely, sql } from 'kysely';
import type { StorageHealth } from '../../../../src/ports/index.ts';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** The lowest `PRAGMA synchronous` with which each commit waits for the disk. */
const SYNCHRONOUS_FULL = 2;

/** The lowest `PRAGMA synchronous` of a connection whose commits are synced by `createLogSync`. */
const SYNCHRONOUS_NORMAL = 1;

const BITS = 8;

/** The values of a byte, from 0 to 255, in which a bit is set, for each of the eight bits. */
const BYTES_WITH_BIT: readonly Buffer[] = Array.from({ length: BITS }, (_, bit) =>
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => (byte >> bit) & 1)),
);

export const sqlite: SqlDialect = {
  name: 'sqlite',
  // A deferred transaction whose first write comes after a write of another one fails, despite any busy timeout.
  begin: 'begin immediate',
  beginReading: 'begin',
  text: 'text',
  integer: 'integer',
  bytes: 'blob',
  keepBytes: () => [],
  tableOptions: 'strict',
  keyOrderedTableOptions: 'strict, without rowid',
  jsonArray: 'json_array',
  jsonElements: (json) => sql`json_each(${json}) as element`,
  isOneOf: (column, texts) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`,
  // SQLite has no function for bits: the condition searches the byte among all bytes that have the bit set.
  hasBit: (column, hash) => sql<boolean>`
    instr(${BYTES_WITH_BIT[hash % BITS]}, substr(${sql.ref(column)}, 1 + (${BigInt(hash)} % (8 * length(${sql.ref(column)}))) / 8, 1)) > 0`,
  // A statement takes about half a millisecond.
  bulkRows: 64,
  addedDeltas: 256,
  walkRows: 2_000,
  purgeRows: 100,
  // A transaction locks the whole database, so rows need no locks.
  lockRow: '',
  lockFreeRows: '',
  async assertUnicode() {},
  async takeMigrationTurn() {},
  wasRolledBack: () => false,
  mayRunAgain: () => false,
  async hasTable(kysely, table) {
    const query = sql`select 1 from sqlite_master where type = 'table' and name = ${table}`;
    return (await query.execute(kysely)).rows.length > 0;
  },
  health: (kysely) => healthOf(kysely, SYNCHRONOUS_FULL),
};

export const syncedSqlite: SqlDialect = {
  ...sqlite,
  health: (kysely) => healthOf(kysely, SYNCHRONOUS_NORMAL),
};

async function healthOf(kysely: Kysely<SqlTables>, minimum: number): Promise<StorageHealth> {
  const query = sql<{ file: string; synchronous: number }>`
      select file, synchronous from pragma_database_list, pragma_synchronous where name = 'main'`;
  const [settings] = (await query.execute(kysely)).rows;
  if (!settings?.file) {
    return { durability: 'volatile', detail: 'The database is in memory, and ends with the process.' };
  }
  if (Number(settings.synchronous) >= minimum) return { durability: 'durable' };
  return {
    durability: 'unproved',
    detail: 'PRAGMA synchronous is below FULL: a power cut may lose writes.',
  };
}
