import { type Kysely, sql } from 'kysely';
import { IdentityError } from '../../../src/index.ts';
import type { SqlDialect } from './dialect.ts';
import { firstTables } from './migrations/001-first-tables.ts';
import { journalTables } from './migrations/002-journal-tables.ts';
import type { SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';
import { transact } from './transaction.ts';

/** Brings the schema from the version before to its own. Once released it never changes. */
export type Migration = (kysely: Kysely<SqlTables>, dialect: SqlDialect) => Promise<void>;

/** The first leads to version 1, and so on. */
export const allMigrations: readonly Migration[] = [firstTables, journalTables];

const VERSION_NAME = 'schema_version';

/**
 * Brings the database to the newest version, each step in a transaction of its own; processes that start
 * together take turns. Throws `invalid_configuration`, before anything is written, for a database that a newer
 * release has made.
 */
export async function migrate(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  const found = await readSchemaVersion(kysely, dialect);
  assertKnownVersion(found, migrations.length);
  for (let next = found + 1; next <= migrations.length; next += 1) {
    await transact(kysely, dialect, async (connection) => {
      await dialect.takeMigrationTurn(connection);
      const version = await readSchemaVersion(connection, dialect);
      assertKnownVersion(version, migrations.length);
      if (version >= next) return;
      await migrations[next - 1]?.(connection, dialect);
      await storeSchemaVersion(connection, next);
    });
  }
}

/** The version of the schema, 0 when there is none. Throws `invalid_configuration` when it cannot be told. */
export async function readSchemaVersion(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<number> {
  if (!(await dialect.hasTable(kysely, metaTable))) return 0;
  const row = await kysely
    .selectFrom(metaTable)
    .select('value')
    .where('name', '=', VERSION_NAME)
    .executeTakeFirst();
  const version = Number(row?.['value']);
  if (Number.isSafeInteger(version) && version > 0) return version;
  throw new IdentityError('invalid_configuration', `The table ${metaTable} names no schema version.`);
}

/** Throws `invalid_configuration` for a version that this release does not know. */
export function assertKnownVersion(version: number, newest: number = allMigrations.length): void {
  if (version <= newest) return;
  throw new IdentityError(
    'invalid_configuration',
    `The database has schema version ${version} and this release knows none above ${newest}: use a newer release.`,
  );
}

async function storeSchemaVersion(kysely: Kysely<SqlTables>, version: number): Promise<void> {
  await kysely
    .insertInto(metaTable)
    .values({ name: VERSION_NAME, value: String(version) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
