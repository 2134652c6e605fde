import { Kysely } from 'kysely';
import {
  createDeadlines,
  type Deadlines,
  IdentityError,
  knownOptions,
  type OptionNames,
  type StorageAdapter,
  wholeNumber,
} from '../../../../src/ports/index.ts';
import { allMigrations, type Migration, migrate, readSchema } from '../migrations.ts';
import type { SqlTables } from '../rows.ts';
import { createSqlStorage } from '../sql-storage.ts';
import { openPostgresChannel } from './channel.ts';
import { postgres } from './dialect.ts';
import { startError } from './errors.ts';
import { pollOn } from './kept-notices.ts';
import { postgresKyselyDialect } from './kysely-dialect.ts';
import { listenOn } from './listener.ts';
import { openPostgresMarker, type PostgresMarker } from './marker.ts';
import { migrationScript } from './migration-script.ts';
import { createPool, type PostgresClient, type PostgresPool } from './pool.ts';
import { createSessionSettings } from './session-settings.ts';

/** The options of a URL and of a pool. */
export interface PostgresLimits {
  /** How long a call may take, from 10 to 60,000, default 1,000: the connection, every statement, the answer. */
  readonly timeoutMs?: number;
  /** `true`: a database without our tables is `invalid_configuration`, instead of a migration. */
  readonly mustExist?: boolean;
}

/** A database by its URL, as `pg` reads it, TLS settings included. */
export interface PostgresUrlOptions extends PostgresLimits {
  /** Such as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
  readonly url: string;
  /** How many connections are opened at most; 1 to 1,000, default 10. */
  readonly maxConnections?: number;
}

/** A database behind a pool of the host, which stays the host's. */
export interface PostgresPoolOptions extends PostgresLimits {
  /**
   * A pool of `pg`. Its connections keep no plans of statements. While a service listens for changes it
   * reserves one of them, unless the pool has only one.
   */
  readonly pool: PostgresPool;
}

/** Where the database is, and how it is used. */
export type PostgresStorageOptions = PostgresUrlOptions | PostgresPoolOptions;

const DEFAULT_TIMEOUT_MS = 1_000;
const DEFAULT_MAX_CONNECTIONS = 10;
/** How long nodes that start together wait for the one that migrates. */
const START_TIMEOUT_MS = 60_000;
const APPLICATION_NAME = 'agent-identity-service';

const OPTIONS: OptionNames<PostgresStorageOptions> = {
  ...{ url: true, maxConnections: true, pool: true, timeoutMs: true, mustExist: true },
};

/** The storage over a database that is migrated; `migrations` is for the tests of other versions. */
export async function openPostgresStorage(
  options: PostgresStorageOptions,
  migrations: readonly Migration[] = allMigrations,
): Promise<StorageAdapter> {
  knownOptions('postgresStorage', options, OPTIONS);
  const timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, {
    from: 10,
    to: 60_000,
  });
  const pools = 'url' in options ? await createPools(options, timeoutMs) : hostPools(options);
  const connects = createDeadlines(timeoutMs, () => noAnswer('gave no connection', timeoutMs));
  let calls = createCalls(START_TIMEOUT_MS);
  let marker: PostgresMarker | undefined;
  const isOurs = 'url' in options;
  const sessionSettings = createSessionSettings(isOurs ? timeoutMs : undefined);
  let isPooled = false;
  const kysely = new Kysely<SqlTables>({
    dialect: postgresKyselyDialect(pools.calls, {
      connects,
      calls: () => calls,
      async begin(connection, { processID }) {
        const leadsThroughPooler = await sessionSettings.begin(connection, processID);
        isPooled ||= leadsThroughPooler;
        return isOurs && !leadsThroughPooler;
      },
      // Only a new connection can lead to another database or server behind the same address.
      greet: async (connection) => marker?.verify(connection),
      isCurrent: (run) => marker?.isCurrent(run) ?? true,
    }),
  });
  // Without a listener the end of an idle connection would end the process; the pool has dropped it already.
  const all = new Set([pools.calls, pools.changes ?? pools.calls]);
  for (const pool of all) pool.on('error', ignore).on('connect', quieten);
  const release = async (): Promise<void> => {
    await pools.destroy();
    // Connections of our own pools may still break while they are closed: without a listener that would end the process.
    if (isOurs) return;
    for (const pool of all) pool.off('error', ignore).off('connect', quieten);
  };
  try {
    if (options.mustExist) await assertExists(kysely);
    await migrate(kysely, postgres, migrations);
    calls = createCalls(timeoutMs);
    await postgres.health(kysely);
    const local = isPooled ? sessionSettings.local : '';
    marker = await openPostgresMarker(kysely, { takesSeveral: true, local });
    const listen = isPooled
      ? pollOn(kysely, marker)
      : pools.changes && listenOn(pools.changes, connects, marker);
    const channel = await openPostgresChannel(kysely, marker, listen);
    // A pooler may move a connection to another server, and a pool of the host may lead to a pooler.
    const mayChangeServer = isPooled || !isOurs;
    return createSqlStorage({ kysely, dialect: postgres, marker, mayChangeServer, channel, release });
  } catch (error) {
    await release();
    throw startError(error);
  }
}

/** The database to inspect, and the deadlines. */
export interface Look {
  readonly url: string;
  readonly applicationName: string;
  /** How long a new connection may take. */
  readonly timeoutMs: number;
  /** How long a statement may take. */
  readonly limitMs: number;
}

/** The result of `read` on one connection to a database that is not opened as a storage; throws as `postgresStorage` does. */
export async function lookInto<Found>(
  { url, applicationName, timeoutMs, limitMs }: Look,
  read: (kysely: Kysely<SqlTables>) => Promise<Found>,
): Promise<Found> {
  const { pool, destroy } = await createPool({ url, applicationName, maxConnections: 1, timeoutMs });
  const calls = createCalls(limitMs);
  pool.on('error', ignore).on('connect', quieten);
  try {
    const dialect = postgresKyselyDialect(pool, {
      connects: createDeadlines(limitMs, () => noAnswer('gave no connection', limitMs)),
      calls: () => calls,
      begin: async () => false,
      greet: async () => undefined,
      isCurrent: () => true,
    });
    return await read(new Kysely<SqlTables>({ dialect }));
  } catch (error) {
    throw startError(error);
  } finally {
    await destroy();
  }
}

/**
 * The SQL that gives a PostgreSQL database the tables of this release, for a role that may make them; `undefined`
 * when they are there. Changes nothing. Throws as `postgresStorage` does.
 */
export async function postgresMigrations(options: { readonly url: string }): Promise<string | undefined> {
  const { url } = knownOptions('postgresMigrations', options, { url: true });
  const limits = { timeoutMs: DEFAULT_TIMEOUT_MS, limitMs: START_TIMEOUT_MS };
  return lookInto({ url, applicationName: APPLICATION_NAME, ...limits }, migrationScript);
}

function createCalls(limitMs: number): Deadlines {
  return createDeadlines(limitMs, () => noAnswer('did not answer', limitMs));
}

function noAnswer(problem: string, limitMs: number): Error {
  return new Error(`PostgreSQL ${problem} within ${limitMs} ms.`);
}

function ignore(): void {}

/** The pool handles errors only of idle connections, and the user of a connection adds its handler a moment later. */
function quieten(client: PostgresClient): void {
  client.on('error', ignore);
}

async function assertExists(kysely: Kysely<SqlTables>): Promise<void> {
  if ((await readSchema(kysely, postgres)).version > 0) return;
  throw new IdentityError('invalid_configuration', 'The PostgreSQL database holds no agent identities yet.');
}

/** Where connections come from. */
interface Pools {
  readonly calls: PostgresPool;
  /** For the one connection that listens; absent where that would leave none for the calls. */
  readonly changes?: PostgresPool;
  readonly destroy: () => Promise<void>;
}

async function createPools(
  { url, maxConnections = DEFAULT_MAX_CONNECTIONS }: PostgresUrlOptions,
  timeoutMs: number,
): Promise<Pools> {
  const most = wholeNumber('maxConnections', maxConnections, { from: 1, to: 1_000 });
  const applicationName = APPLICATION_NAME;
  const calls = await createPool({ url, applicationName, maxConnections: most, timeoutMs });
  const changes = await createPool({
    url,
    applicationName: `${applicationName} changes`,
    maxConnections: 1,
    timeoutMs,
  });
  const destroy = async (): Promise<void> => {
    await Promise.all([calls.destroy(), changes.destroy()]);
  };
  return { calls: calls.pool, changes: changes.pool, destroy };
}

function hostPools({ pool }: PostgresPoolOptions): Pools {
  if (pool === undefined) throw new IdentityError('invalid_configuration', 'Name a url or a pool.');
  const destroy = async (): Promise<void> => {};
  return { calls: pool, ...(pool.options?.max !== 1 && { changes: pool }), destroy };
}
