import { Kysely } from 'kysely';
import {
  createDeadlines,
  createStorageEvents,
  type Deadlines,
  IdentityError,
  knownOptions,
  type OptionNames,
  type StorageAdapter,
  wholeNumber,
} from '../../../../src/ports/index.ts';
import type { SqlConnection } from '../identity.ts';
import { allMigrations, type Migration, migrate, readSchema } from '../migrations.ts';
import type { SqlTables } from '../rows.ts';
import { createSqlStorage } from '../sql-storage.ts';
import { openPostgresChannel } from './channel.ts';
import { postgres } from './dialect.ts';
import { startError } from './errors.ts';
import { type Hosts, readHosts } from './hosts.ts';
import { assertTakesWrites, openPostgresIdentity, type PostgresIdentity } from './identity.ts';
import { pollOn } from './kept-notices.ts';
import { postgresKyselyDialect } from './kysely-dialect.ts';
import { migrationScript } from './migration-script.ts';
import { createPool, listenOn, type PostgresClient, type PostgresPool } from './pool.ts';
import { createSessionSettings } from './session-settings.ts';

/** The options that apply to a URL and to a pool. */
export interface PostgresLimits {
  /**
   * The time limit of a call in milliseconds, including its connection and all statements: 10 to 60,000, default 1,000.
   */
  readonly timeoutMs?: number;
  /** `true`: throws `invalid_configuration` if the tables do not exist, instead of creating them. */
  readonly mustExist?: boolean;
}

/** The options for a database with a URL. */
export interface PostgresUrlOptions extends PostgresLimits {
  /**
   * The URL for `pg`, such as `postgres://user:password@host:5432/database?sslmode=verify-full`. It may list up to 16
   * hosts, as for libpq: `postgres://h1:5432,h2:5432/database`. Connections use the host that accepts writes.
   */
  readonly url: string;
  /** The maximum number of connections: 1 to 1,000, default 10. */
  readonly maxConnections?: number;
}

/** The options for a database behind a pool of the application. The storage does not close the pool. */
export interface PostgresPoolOptions extends PostgresLimits {
  /**
   * A pool of `pg`. The storage uses no prepared statements on it. While a service listens for changes, it occupies one
   * connection, unless the pool has only one.
   */
  readonly pool: PostgresPool;
}

/** The options of `postgresStorage`. */
export type PostgresStorageOptions = PostgresUrlOptions | PostgresPoolOptions;

const DEFAULT_TIMEOUT_MS = 1_000;
const DEFAULT_MAX_CONNECTIONS = 10;
/** The time for which nodes that start together wait for the node that migrates. */
const START_TIMEOUT_MS = 60_000;
/** The time for which a start searches for a host that accepts writes, if there are several hosts. */
const SEARCH_MS = 10_000;
const APPLICATION_NAME = 'agent-identity-service';

const OPTIONS: OptionNames<PostgresStorageOptions> = {
  url: true,
  maxConnections: true,
  pool: true,
  timeoutMs: true,
  mustExist: true,
};

/** Opens and migrates the storage. Tests of other versions set `migrations`. */
export async function openPostgresStorage(
  options: PostgresStorageOptions,
  migrations: readonly Migration[] = allMigrations,
): Promise<StorageAdapter> {
  knownOptions('postgresStorage', options, OPTIONS);
  const timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, {
    from: 10,
    to: 60_000,
  });
  const events = createStorageEvents();
  const { emit } = events;
  const onMiss = (): void => emit({ type: 'server_uncertain' });
  const pools = 'url' in options ? await createPools(options, timeoutMs, onMiss) : hostPools(options);
  const { hosts } = pools;
  const connects = createDeadlines(timeoutMs, () => noAnswer('gave no connection', timeoutMs));
  let calls = createCalls(START_TIMEOUT_MS);
  let identity: PostgresIdentity | undefined;
  const isOurs = 'url' in options;
  const sessionSettings = createSessionSettings(isOurs ? timeoutMs : undefined);
  let isPooled = false;
  const onChange = (client?: object): void =>
    emit({ type: 'primary_changed', ...(hosts?.state(client) ?? { withoutMs: 0 }) });
  const kysely = new Kysely<SqlTables>({
    dialect: postgresKyselyDialect(pools.calls, {
      connects,
      calls: () => calls,
      async begin(connection, { processID }) {
        const leadsThroughPooler = await sessionSettings.begin(connection, processID);
        isPooled ||= leadsThroughPooler;
        return isOurs && !leadsThroughPooler;
      },
      // Verified once: only a new connection can lead to another database or server behind the address.
      greet: (connection, client) =>
        identity === undefined ? greetOne(connection, hosts) : identity.verify(connection, client),
      isCurrent: (incarnation) => identity?.isCurrent(incarnation) ?? true,
      hosts,
      patienceMs: () => (identity === undefined ? SEARCH_MS : timeoutMs - (hosts?.attemptMs ?? 0)),
    }),
  });
  const release = watchPools(pools, isOurs, hosts?.miss ?? onMiss);
  try {
    if (options.mustExist) await assertExists(kysely);
    await migrate(kysely, postgres, migrations);
    calls = createCalls(timeoutMs);
    await postgres.health(kysely);
    const local = isPooled ? sessionSettings.local : '';
    identity = await openPostgresIdentity(kysely, { takesSeveral: true, local, onChange });
    const listen = isPooled
      ? pollOn(kysely, identity)
      : pools.changes && listenOn(pools.changes, connects, { server: identity, hosts });
    const channel = await openPostgresChannel(kysely, identity, listen);
    return createSqlStorage({
      kysely,
      dialect: postgres,
      identity,
      deadlines: calls,
      // A pooler can move a connection to another server, and a pool of the host may lead to a pooler.
      mayChangeServer: isPooled || !isOurs,
      channel,
      events,
      release,
    });
  } catch (error) {
    await release();
    throw startError(error);
  }
}

/** Listens to the pools, and returns the function that closes them. */
function watchPools(pools: Pools, isOurs: boolean, onLost: () => void): () => Promise<void> {
  // Without a listener, the end of an idle connection would end the process.
  const allPools = new Set([pools.calls, pools.changes ?? pools.calls]);
  for (const pool of allPools) pool.on('error', onLost).on('connect', quieten);
  return async () => {
    await pools.destroy();
    // Our own pools keep their listeners, because connections may still break while they are closed.
    if (isOurs) return;
    for (const pool of allPools) pool.off('error', onLost).off('connect', quieten);
  };
}

/** The database to inspect, with the time limits. */
export interface Look {
  readonly url: string;
  readonly applicationName: string;
  /** The time limit of a new connection in milliseconds. */
  readonly timeoutMs: number;
  /** The time limit of a statement in milliseconds. */
  readonly limitMs: number;
}

/** Runs `read` on one connection, without opening a storage. Throws as `postgresStorage` does. */
export async function lookInto<Found>(
  { url, applicationName, timeoutMs, limitMs }: Look,
  read: (kysely: Kysely<SqlTables>) => Promise<Found>,
): Promise<Found> {
  const hosts = readHosts(url, timeoutMs);
  const { pool, destroy } = await createPool({ hosts, applicationName, maxConnections: 1, timeoutMs });
  const calls = createCalls(limitMs);
  pool.on('error', ignore).on('connect', quieten);
  try {
    const dialect = postgresKyselyDialect(pool, {
      connects: createDeadlines(limitMs, () => noAnswer('gave no connection', limitMs)),
      calls: () => calls,
      begin: async () => false,
      greet: (connection) => greetOne(connection, hosts),
      isCurrent: () => true,
      hosts,
      patienceMs: () => SEARCH_MS,
    });
    return await read(new Kysely<SqlTables>({ dialect }));
  } catch (error) {
    throw startError(error);
  } finally {
    await destroy();
  }
}

/**
 * Returns the SQL that migrates a PostgreSQL database to this release; `undefined` if it is up to date. Run the SQL
 * with a role that may create tables. The function changes nothing.
 *
 * @throws {IdentityError} `invalid_configuration` if the database cannot be used, or needs a newer release.
 * @throws {IdentityError} `storage_unavailable` if the database does not answer.
 */
export async function postgresMigrations(options: { readonly url: string }): Promise<string | undefined> {
  const { url } = knownOptions('postgresMigrations', options, { url: true });
  const limits = { timeoutMs: DEFAULT_TIMEOUT_MS, limitMs: START_TIMEOUT_MS };
  return lookInto({ url, applicationName: APPLICATION_NAME, ...limits }, migrationScript);
}

async function greetOne(connection: SqlConnection, hosts: Hosts | undefined): Promise<undefined> {
  if (hosts !== undefined && hosts.count > 1) await assertTakesWrites(connection);
}

function createCalls(limitMs: number): Deadlines {
  return createDeadlines(limitMs, () => noAnswer('did not answer', limitMs));
}

function noAnswer(problem: string, limitMs: number): Error {
  return new Error(`PostgreSQL ${problem} within ${limitMs} ms.`);
}

function ignore(): void {}

/**
 * Ignores errors of a connection until its user adds a handler. The pool handles only the errors of idle connections.
 */
function quieten(client: PostgresClient): void {
  client.on('error', ignore);
}

async function assertExists(kysely: Kysely<SqlTables>): Promise<void> {
  if ((await readSchema(kysely, postgres)).version > 0) return;
  throw new IdentityError(
    'invalid_configuration',
    'The PostgreSQL database holds no agent identities yet. Start the service on it once.',
  );
}

interface Pools {
  readonly calls: PostgresPool;
  /** The pool for the connection that listens; absent if this would leave no connection for calls. */
  readonly changes?: PostgresPool;
  readonly hosts?: Hosts;
  readonly destroy: () => Promise<void>;
}

async function createPools(
  { url, maxConnections = DEFAULT_MAX_CONNECTIONS }: PostgresUrlOptions,
  timeoutMs: number,
  onMiss: () => void,
): Promise<Pools> {
  const maximum = wholeNumber('maxConnections', maxConnections, { from: 1, to: 1_000 });
  const applicationName = APPLICATION_NAME;
  const hosts = readHosts(url, timeoutMs, onMiss);
  const calls = await createPool({ hosts, applicationName, maxConnections: maximum, timeoutMs });
  const changes = await createPool({
    hosts,
    applicationName: `${applicationName} changes`,
    maxConnections: 1,
    timeoutMs,
  });
  const destroy = async (): Promise<void> => {
    await Promise.all([calls.destroy(), changes.destroy()]);
  };
  return { calls: calls.pool, changes: changes.pool, hosts, destroy };
}

function hostPools({ pool }: PostgresPoolOptions): Pools {
  if (pool === undefined) throw new IdentityError('invalid_configuration', 'Name a url or a pool.');
  const destroy = async (): Promise<void> => {};
  return { calls: pool, ...(pool.options?.max !== 1 && { changes: pool }), destroy };
}
