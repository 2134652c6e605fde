import { Socket } from 'node:net';
import { IdentityError } from '../../../../src/index.ts';

/** The members of a pool of `pg` that are used. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

/** The members of a connection out of the pool that are used. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResult>;
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
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
  readonly maxConnections: number;
  readonly timeoutMs: number;
}

const KEEP_ALIVE_AFTER_MS = 10_000;

/** A pool over a URL; what `pg` reads out of it wins. No connection is made yet. */
export async function createPool({ url, maxConnections, timeoutMs }: PoolOptions): Promise<OwnPool> {
  const { Pool } = await loadPg();
  const sockets = new Set<Socket>();
  const pool = new Pool({
    application_name: 'agent-identity-service',
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    // A node that stands still must not hold the rows that it has locked.
    idle_in_transaction_session_timeout: timeoutMs,
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
    /** The farewell to a server that stands still is never answered. */
    async destroy() {
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, timeoutMs);
      await pool.end();
      clearTimeout(cut);
    },
  };
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
