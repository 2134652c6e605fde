import { resolve } from 'node:path';
import { Kysely } from 'kysely';
import { type Instant, knownOptions, type OptionNames } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { dialects } from './dialects.ts';
import { CLOCK_MARK } from './horizon.ts';
import { MARKER_NAME } from './marker.ts';
import { allMigrations, readSchema, type Schema } from './migrations.ts';
import { lookInto, type PostgresUrlOptions } from './postgres/open.ts';
import type { SqlTables } from './rows.ts';
import { loadSqlite } from './sqlite/connection.ts';
import { readUntouched, startError } from './sqlite/database-file.ts';
import { sqliteKyselyDialect } from './sqlite/kysely-dialect.ts';
import { checkedFile, type SqliteStorageOptions } from './sqlite/open.ts';
import { metaTable } from './tables.ts';

/** The state of a database before it is opened as a storage. */
export interface SqlInspection {
  /** The version of its tables; 0 when there are none. */
  readonly version: number;
  /** The lowest version whose release can use them. */
  readonly oldestUsable: number;
  /** The version to which this release migrates them. */
  readonly newest: number;
  /** Whether its marker is there, by which it is known from every other database. */
  readonly hasMarker: boolean;
  /** The latest time that a database without a clock was given. */
  readonly clockMark?: Instant;
}

const TIMEOUT_MS = 5_000;

/** Which file is looked at. */
export type InspectedSqlite = Pick<SqliteStorageOptions, 'file' | 'library'>;
/** Which PostgreSQL is looked at. */
export type InspectedPostgres = Pick<PostgresUrlOptions, 'url' | 'timeoutMs'>;
const SQLITE_OPTIONS: OptionNames<InspectedSqlite> = { file: true, library: true };
const POSTGRES_OPTIONS: OptionNames<InspectedPostgres> = { url: true, timeoutMs: true };

/**
 * The state of a SQLite file; no byte of it changes. `undefined`: it is empty, not a database, or cannot be read
 * without a change. Throws `invalid_configuration` for a path that leads nowhere.
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

/** The state of a PostgreSQL database; nothing is written. Throws as `postgresStorage` does. */
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
  if (schema.version === 0) return { ...schema, newest, hasMarker: false };
  const rows = await kysely
    .selectFrom(metaTable)
    .select(['name', 'value'])
    .where('name', 'in', [MARKER_NAME, CLOCK_MARK])
    .execute();
  const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  const clockMark = values.get(CLOCK_MARK);
  const hasMarker = values.has(MARKER_NAME);
  return { ...schema, newest, hasMarker, ...(clockMark !== undefined && { clockMark }) };
}
