import { Kysely } from 'kysely';
import { IdentityError, type StorageAdapter } from '../../../../src/index.ts';
import { allMigrations, type Migration, migrate } from '../migrations.ts';
import type { SqlTables } from '../rows.ts';
import { createSqlStorage } from '../sql-storage.ts';
import { postgres } from './dialect.ts';
import { startError } from './errors.ts';
import { postgresKyselyDialect } from './kysely-dialect.ts';
import { createPool, type OwnPool, type PostgresPool } from './pool.ts';

/** What is the same for a URL and a pool. */
interface Limits {
  /** How long a call may take, from 10 to 60,000, default 1,000: the connection, every statement, the answer. */
  readonly timeoutMs?: number;
}

/** A database by its URL, as `pg` reads it, TLS settings included. */
export interface PostgresUrlOptions extends Limits {
  /** Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
  readonly url: string;
  /** How many connections are opened at most; 1 to 1,000, default 10. */
  readonly maxConnections?: number;
}

/** A database behind a pool of the host, which stays the host's. */
export interface PostgresPoolOptions extends Limits {
  /** A pool of `pg`. No plans of statements are kept in its connections. */
  readonly pool: PostgresPool;
}

/** Where the database is, and how it is used. */
export type PostgresStorageOptions = PostgresUrlOptions | PostgresPoolOptions;

const DEFAULT_TIMEOUT_MS = 1_000;
const DEFAULT_MAX_CONNECTIONS = 10;
/** Nodes that start together wait for the one that migrates. */
const START_TIMEOUT_MS = 60_000;

/** The storage over a database that is migrated; `migrations` is for the tests of other versions. */
export async function openPostgresStorage(
  options: PostgresStorageOptions,
  migrations: readonly Migration[] = allMigrations,
): Promise<StorageAdapter> {
  const timeoutMs = readWhole('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 10, 60_000);
  const own = 'url' in options ? await ownPool(options, timeoutMs) : undefined;
  const pool = own?.pool ?? ('pool' in options ? options.pool : undefined);
  if (pool === undefined) throw new IdentityError('invalid_configuration', 'Name a url or a pool.');
  let callMs = START_TIMEOUT_MS;
  const kysely = new Kysely<SqlTables>({
    dialect: postgresKyselyDialect(pool, {
      connectMs: timeoutMs,
      callMs: () => callMs,
      keepPlans: own !== undefined,
    }),
  });
  // Without a listener the end of an idle connection would end the process; the pool has dropped it already.
  pool.on('error', ignore);
  const release = async (): Promise<void> => {
    await own?.destroy();
    pool.off('error', ignore);
  };
  try {
    await migrate(kysely, postgres, migrations);
    callMs = timeoutMs;
    await postgres.health(kysely);
    return createSqlStorage({ kysely, dialect: postgres, release });
  } catch (error) {
    await release();
    throw startError(error);
  }
}

function ignore(): void {}

async function ownPool(
  { url, maxConnections = DEFAULT_MAX_CONNECTIONS }: PostgresUrlOptions,
  timeoutMs: number,
): Promise<OwnPool> {
  const most = readWhole('maxConnections', maxConnections, 1, 1_000);
  return createPool({ url, maxConnections: most, timeoutMs });
}

function readWhole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new IdentityError(
    'invalid_configuration',
    `${name} must be a whole number from ${least} to ${most}.`,
  );
}
