import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { collections, IdentityError } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { IDENTITY_NAME } from './identity.ts';
import type { SqlTables } from './rows.ts';
import { type Collections, newestVersion, statementsOf } from './schema.ts';
import { metaTable } from './tables.ts';
import { transact } from './transaction.ts';

/** A step from one schema version to the next. It must not change after its release. */
export interface Migration {
  /**
   * True if older releases can still use the tables, so that nodes can be upgraded one by one. Such a step only adds
   * tables, functions, non-unique indexes or columns that may be NULL, or sets how the database stores them.
   */
  readonly additive: boolean;
  readonly run?: (kysely: Kysely<SqlTables>, dialect: SqlDialect) => Promise<void>;
}

/**
 * The versions whose tables an older release must not use. The older release would ignore a new part of them.
 * For example, it would ignore a new rule in a passport, and allow what the rule denies.
 */
const BREAKING: ReadonlySet<number> = new Set([1]);

/** Returns a migration for each schema version in the declarations. */
export function migrationsOf(declaredCollections: Collections): readonly Migration[] {
  return Array.from({ length: newestVersion(declaredCollections) }, (_, index) => ({
    additive: !BREAKING.has(index + 1),
    async run(kysely, dialect) {
      for (const statement of statementsOf(dialect, index + 1, declaredCollections))
        await sql.raw(statement).execute(kysely);
      if (index > 0) return;
      // The identity identifies this database and never changes.
      await kysely.insertInto(metaTable).values({ name: IDENTITY_NAME, value: randomUUID() }).execute();
    },
  }));
}

/** The migrations of this release. */
export const allMigrations: readonly Migration[] = migrationsOf(collections);

/** The schema versions of a database. */
export interface Schema {
  /** The schema version of the tables; 0 if there are no tables. */
  readonly version: number;
  /** The schema version of the oldest release that can use the tables. */
  readonly oldestUsable: number;
}

const VERSION_NAME = 'version';
const OLDEST_USABLE_NAME = 'oldest_usable';

/**
 * Migrates the database to the newest version. Each step has its own transaction, and processes that start together
 * take turns. A database of a newer release stays unchanged.
 *
 * @throws {IdentityError} `invalid_configuration` before any write, if this release cannot use the database, or the
 * database cannot store all of Unicode.
 */
export async function migrate(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await dialect.assertUnicode(kysely);
  const foundSchema = await readSchema(kysely, dialect);
  assertUsable(foundSchema, migrations.length);
  for (const index of migrations.keys()) {
    const version = index + 1;
    if (version <= foundSchema.version) continue;
    await transact(kysely, dialect, async (connection) => {
      await dialect.takeMigrationTurn(connection);
      const schema = await readSchema(connection, dialect);
      assertUsable(schema, migrations.length);
      if (schema.version >= version) return;
      await applyMigration(connection, dialect, index, migrations);
    });
  }
}

/** Runs the migration with this index, and stores the new version. */
export async function applyMigration(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
  index: number,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await migrations[index]?.run?.(connection, dialect);
  const oldestUsable =
    migrations.findLastIndex(({ additive }, position) => position <= index && !additive) + 1;
  await storeNumber(connection, VERSION_NAME, index + 1);
  await storeNumber(connection, OLDEST_USABLE_NAME, oldestUsable);
}

/**
 * Reads the schema versions.
 *
 * @throws {IdentityError} `invalid_configuration` if tables exist without a readable version.
 */
export async function readSchema(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<Schema> {
  if (!(await dialect.hasTable(kysely, metaTable))) return { version: 0, oldestUsable: 0 };
  const rows = await kysely
    .selectFrom(metaTable)
    .select(['name', 'value'])
    .where('name', 'in', [VERSION_NAME, OLDEST_USABLE_NAME])
    .execute();
  const numbers = new Map(rows.map(({ name, value }) => [name, Number(value)]));
  const version = numbers.get(VERSION_NAME);
  const oldestUsable = numbers.get(OLDEST_USABLE_NAME);
  if (isVersion(version) && isVersion(oldestUsable)) return { version, oldestUsable };
  throw new IdentityError(
    'invalid_configuration',
    `The table ${metaTable} names no version of its tables. Restore the database from a backup.`,
  );
}

/** Throws `invalid_configuration` if a release with the schema version `newest` cannot use the tables. */
export function assertUsable({ version, oldestUsable }: Schema, newest: number = allMigrations.length): void {
  if (version <= newest || oldestUsable <= newest) return;
  throw new IdentityError(
    'invalid_configuration',
    `The database has schema version ${version}, and this version of the package reads no higher version than ${newest}. Use the version that made it. To change to this one, run "agent-identity passport export" with that version, and "passport import" into a new storage.`,
  );
}

function isVersion(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && Number(number) > 0;
}

async function storeNumber(kysely: Kysely<SqlTables>, name: string, number: number): Promise<void> {
  await kysely
    .insertInto(metaTable)
    .values({ name, value: String(number) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
