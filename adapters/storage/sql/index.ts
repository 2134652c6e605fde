import type { Kysely } from 'kysely';
import {
  IdentityError,
  knownOptions,
  type OptionNames,
  type StorageAdapter,
} from '../../../src/ports/index.ts';
import type { SqlDialectName } from './dialect.ts';
import { dialects } from './dialects.ts';
import { readIdentity } from './identity.ts';
import { migrate } from './migrations.ts';
import { openPostgresChannel } from './postgres/channel.ts';
import { openPostgresIdentity } from './postgres/identity.ts';
import { openPostgresStorage, type PostgresStorageOptions } from './postgres/open.ts';
import type { SqlTables } from './rows.ts';
import { createSqlStorage } from './sql-storage.ts';
import { openSqliteStorage, type SqliteStorageOptions } from './sqlite/open.ts';

export type { Instant, StorageAdapter } from '../../../src/ports/index.ts';
export type { SqlDialectName } from './dialect.ts';
export {
  type InspectedPostgres,
  type InspectedSqlite,
  inspectPostgres,
  inspectSqlite,
  type SqlInspection,
} from './inspect.ts';
export type {
  PostgresLimits,
  PostgresPoolOptions,
  PostgresStorageOptions,
  PostgresUrlOptions,
} from './postgres/open.ts';
export { postgresMigrations } from './postgres/open.ts';
export type {
  PostgresClient,
  PostgresNotification,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
} from './postgres/pool.ts';
export type { SqliteLibrary } from './sqlite/connection.ts';
export type { SqliteStorageOptions } from './sqlite/open.ts';

/** A Kysely instance of the application, and its dialect. */
export interface SqlStorageOptions<Database> {
  readonly kysely: Kysely<Database>;
  readonly dialect: SqlDialectName;
}

const OPTIONS: OptionNames<SqlStorageOptions<unknown>> = { kysely: true, dialect: true };

/**
 * Opens and migrates the storage in a SQLite file. Every acknowledged write is on disk. Other processes may use the
 * same file; `subscribe` reports their writes within 250 ms.
 *
 * @throws {IdentityError} `invalid_configuration`, without a change, if the file cannot be used or needs a newer
 * release.
 * @throws {IdentityError} `storage_unavailable` if another process has locked the file.
 */
export async function sqliteStorage(options: SqliteStorageOptions): Promise<StorageAdapter> {
  return openSqliteStorage(options);
}

/**
 * Opens and migrates the storage in a PostgreSQL database, in tables with the prefix `ais_` in the first schema of the
 * search path. It needs the package `pg`. Every call is answered or rejects within `timeoutMs`.
 *
 * While a listener is subscribed, an additional connection listens for changes of other nodes. Behind a pooler such as
 * PgBouncer, the storage polls for changes ten times per second instead.
 *
 * Calls reject while the address leads to a standby or a read-only session. They also reject if the server lacks a
 * write that this storage has acknowledged or was notified of.
 *
 * @throws {IdentityError} `invalid_configuration`, without a change, if the database cannot be used or needs a newer
 * release.
 * @throws {IdentityError} `storage_unavailable` if the database does not answer or is read-only.
 */
export async function postgresStorage(options: PostgresStorageOptions): Promise<StorageAdapter> {
  return openPostgresStorage(options);
}

/**
 * Opens and migrates the storage in a database of the application, in tables with the prefix `ais_`.
 *
 * The Kysely instance belongs to the application: `close` does not destroy it, and its plugins are not used.
 * Its settings determine the durability that `check` reports, and the time limit of a call.
 *
 * `subscribe` reports only writes of this storage, and no writes of other nodes. With PostgreSQL, the storage
 * also notifies nodes that use `postgresStorage` of its writes.
 *
 * @throws {IdentityError} `invalid_configuration` if the tables need a newer release.
 */
export async function sqlStorage<Database>(options: SqlStorageOptions<Database>): Promise<StorageAdapter> {
  const givenOptions: SqlStorageOptions<Database> = knownOptions('sqlStorage', options, OPTIONS);
  if (
    typeof Object(givenOptions.kysely).withoutPlugins !== 'function' ||
    !Object.hasOwn(dialects, givenOptions.dialect)
  )
    throw new IdentityError(
      'invalid_configuration',
      'sqlStorage needs { kysely, dialect: "sqlite" or "postgres" }.',
    );
  const kysely = givenOptions.kysely.withoutPlugins() as unknown as Kysely<SqlTables>;
  const dialect = dialects[givenOptions.dialect];
  await migrate(kysely, dialect);
  if (options.dialect === 'sqlite') {
    return createSqlStorage({ kysely, dialect, identity: await readIdentity(kysely, dialect) });
  }
  const identity = await openPostgresIdentity(kysely);
  const channel = await openPostgresChannel(kysely, identity);
  return createSqlStorage({ kysely, dialect, identity, mayChangeServer: true, channel });
}
