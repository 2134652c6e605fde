import { resolve } from 'node:path';
import { Kysely } from 'kysely';
import { type Instant, knownOptions, type OptionNames } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { dialects } from './dialects.ts';
import { IDENTITY_NAME } from './identity.ts';
import { allMigrations, readSchema, type Schema } from './migrations.ts';
import { lookInto, type PostgresUrlOptions } from './postgres/open.ts';
import { CLOCK_MARK } from './retention.ts';
import type { SqlTables } from './rows.ts';
import { loadSqlite, readUntouched, startError } from './sqlite/connection.ts';
import { sqliteKyselyDialect } from './sqlite/kysely-dialect.ts';
import { checkedFile, type SqliteStorageOptions } from './sqlite/open.ts';
import { metaTable } from './tables.ts';

/** The state of a database before it is opened as a storage. */
export interface SqlInspection {
  /** The schema version of the tables; 0 if there are no tables. */
  readonly version: number;
  /** The schema version of the oldest release that can use the tables. */
  readonly oldestUsable: number;
  /** The schema version of this release. */
  readonly newest: number;
  /** True if the database has its identity, an id that never changes. */
  readonly hasIdentity: boolean;
  /** The latest time that was stored in a database without a clock. */
  readonly clockMark?: Instant;
}

const TIMEOUT_MS = 5_000;

/** The file to inspect. */
export type InspectedSqlite = Pick<SqliteStorageOptions, 'file' | 'library'>;
/** The PostgreSQL database to inspect. */
export type InspectedPostgres = Pick<PostgresUrlOptions, 'url' | 'timeoutMs'>;
const SQLITE_OPTIONS: OptionNames<InspectedSqlite> = { file: true, library: true };
const POSTGRES_OPTIONS: OptionNames<InspectedPostgres> = { url: true, timeoutMs: true };

/**
 * Inspects a SQLite file without changing it. Returns `undefined` if the file is empty, not a database, or cannot be
 * read without a change.
 *
 * @throws {IdentityError} `invalid_configuration` if the path cannot be followed.
 */
export async function inspectSqlite(options: InspectedSqlite): Promise<SqlInspection | undefined> {
  const { file, library } = knownOptions('inspectSqlite', options, SQLITE_OPTIONS);
  const path = resolve(checkedFile(file));
  try {
    const open = await loadSqlite(library);
    return await readUntouched(open, path, (connection) =>
      inspect(new Kysely<SqlTables>({ dialect: sqliteKyselyDialect(connection, () => 0) }), dialects.sqlite),
    );
  } catch (error) {
    throw startError(path, error);
  }
}

/**
 * Inspects a PostgreSQL database without writing.
 *
 * @throws {IdentityError} `invalid_configuration` if the database cannot be used, or needs a newer release.
 * @throws {IdentityError} `storage_unavailable` if the database does not answer.
 */
export async function inspectPostgres(options: InspectedPostgres): Promise<SqlInspection> {
  const { url, timeoutMs = TIMEOUT_MS } = knownOptions('inspectPostgres', options, POSTGRES_OPTIONS);
  const applicationName = 'agent-identity-service doctor';
  return lookInto({ url, applicationName, timeoutMs, limitMs: timeoutMs }, (kysely) =>
    inspect(kysely, dialects.postgres),
  );
}

async function inspect(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<SqlInspection> {
  const schema: Schema = await readSchema(kysely, dialect);
  const newest = allMigrations.length;
  if (schema.version === 0) return { ...schema, newest, hasIdentity: false };
  const rows = await kysely
    .selectFrom(metaTable)
    .select(['name', 'value'])
    .where('name', 'in', [IDENTITY_NAME, CLOCK_MARK])
    .execute();
  const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  const clockMark = values.get(CLOCK_MARK);
  const hasIdentity = values.has(IDENTITY_NAME);
  return { ...schema, newest, hasIdentity, ...(clockMark !== undefined && { clockMark }) };
}
