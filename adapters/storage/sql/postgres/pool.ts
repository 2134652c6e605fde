import { Socket } from 'node:net';
import { type Deadlines, IdentityError } from '../../../../src/ports/index.ts';
import { assertPostgresUrl } from './url.ts';

/** The members of a pool of `pg` that are used. */
export interface PostgresPool {
  /** Its configuration. */
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): PostgresPool;
  on(event: 'connect', listener: (client: PostgresClient) => void): PostgresPool;
  off(event: 'error', listener: (error: Error) => void): PostgresPool;
  off(event: 'connect', listener: (client: PostgresClient) => void): PostgresPool;
}

/** The members of a connection out of the pool that are used. */
export interface PostgresClient {
  /** The process behind it, as its greeting names it. A pooler greets with a number of its own. */
  readonly processID?: number | null | undefined;
  query(query: PostgresQuery): Promise<PostgresResult | readonly PostgresResult[]>;
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: PostgresNotification) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  off(event: 'notification', listener: (message: PostgresNotification) => void): unknown;
}

/** What was sent by NOTIFY. */
export interface PostgresNotification {
  readonly payload?: string | undefined;
}

/** One statement for `pg`. One with a name is planned once for each connection. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string | undefined;
  readonly query_timeout?: number;
}

/** What `pg` answers. */
export interface PostgresResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: unknown[];
}

/** A pool over connections of our own, which `destroy` cuts at the latest after `timeoutMs`. */
export interface OwnPool {
  readonly pool: PostgresPool;
  destroy(): Promise<void>;
}

/** How connections are made. */
export interface PoolOptions {
  readonly url: string;
  /** The `application_name` that the server shows, unless the URL names another. */
  readonly applicationName: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
}

const KEEP_ALIVE_AFTER_MS = 10_000;

/** A pool over a URL; what `pg` reads out of it wins. No connection is made yet. */
export async function createPool(options: PoolOptions): Promise<OwnPool> {
  const { url, applicationName, maxConnections, timeoutMs } = options;
  assertPostgresUrl(url);
  const { Pool } = await loadPg();
  const sockets = new Set<Socket>();
  const pool = new Pool({
    application_name: applicationName,
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  });
  return {
    pool,
    /** A server that hangs never answers the end of a connection. */
    async destroy() {
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, timeoutMs);
      await pool.end();
      clearTimeout(cut);
    },
  };
}

/** A connection; rejects when none is free in time. One that comes too late goes back to the pool at once. */
export async function connectWithin(pool: PostgresPool, connects: Deadlines): Promise<PostgresClient> {
  const connecting = pool.connect();
  try {
    return await connects.limit(() => connecting);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => {},
    );
    throw error;
  }
}

type Pg = { readonly Pool: new (config: object) => PostgresPool };

async function loadPg(): Promise<Pg> {
  try {
    const module: { readonly default: unknown } = await import('pg');
    return module.default as Pg;
  } catch (cause) {
    throw new IdentityError('invalid_configuration', 'PostgreSQL needs a package: npm install pg', { cause });
  }
}
