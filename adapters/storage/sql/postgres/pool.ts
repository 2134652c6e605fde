import { Socket } from 'node:net';
import type { CompiledQuery } from 'kysely';
import { type Deadlines, IdentityError } from '../../../../src/ports/index.ts';
import type { SqlConnection } from '../identity.ts';
import type { ClientClass, Hosts } from './hosts.ts';
import type { PostgresIdentity } from './identity.ts';
import type { Listen } from './listen.ts';

/**
 * The members of a `pg` pool that the storage uses.
 *
 * @throws {Error} The error of `pg`. The storage passes it on.
 */
export interface PostgresPool {
  /** The configuration of the pool. */
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): PostgresPool;
  on(event: 'connect', listener: (client: PostgresClient) => void): PostgresPool;
  off(event: 'error', listener: (error: Error) => void): PostgresPool;
  off(event: 'connect', listener: (client: PostgresClient) => void): PostgresPool;
}

/**
 * The members of a pool connection that the storage uses.
 *
 * @throws {Error} The error of `pg`. The storage passes it on.
 */
export interface PostgresClient {
  /** The process id from the start of the connection. A pooler sends its own number. */
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

/** A message that was sent by NOTIFY. */
export interface PostgresNotification {
  readonly payload?: string | undefined;
}

/** A statement for `pg`. A statement with a name is prepared once per connection. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string | undefined;
  readonly query_timeout?: number;
}

/** The result that `pg` returns. */
export interface PostgresResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: unknown[];
}

/** A pool that the storage owns. `destroy` closes connections that are still open after `timeoutMs`. */
interface OwnPool {
  readonly pool: PostgresPool;
  destroy(): Promise<void>;
}

/** The options for the connections of a pool. */
interface PoolOptions {
  readonly hosts: Hosts;
  /** The `application_name` that the server shows, unless the URL sets one. */
  readonly applicationName: string;
  readonly maxConnections: number;
  readonly timeoutMs: number;
}

const KEEP_ALIVE_AFTER_MS = 10_000;

/** Creates a pool for the hosts of a URL. Parameters of the URL override the options. It does not connect yet. */
export async function createPool(options: PoolOptions): Promise<OwnPool> {
  const { hosts, applicationName, maxConnections, timeoutMs } = options;
  const { Pool, Client } = await loadPg();
  const sockets = new Set<Socket>();
  const pool = new Pool({
    application_name: applicationName,
    Client: hosts.clients(Client),
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
    /** Ends the pool. Sockets are closed after the time limit, because a hanging server never confirms the end. */
    async destroy() {
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, timeoutMs);
      await pool.end();
      clearTimeout(cut);
    },
  };
}

/**
 * Obtains a connection from the pool; rejects if none is free in time. A connection that arrives late is returned to
 * the pool at once.
 */
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

type Pg = { readonly Pool: new (config: object) => PostgresPool; readonly Client: ClientClass };

async function loadPg(): Promise<Pg> {
  try {
    const module: { readonly default: unknown } = await import('pg');
    return module.default as Pg;
  } catch (cause) {
    throw new IdentityError('invalid_configuration', 'PostgreSQL needs a package: npm install pg', { cause });
  }
}

const LEAST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;

const KEEP_ALIVE_MS = 2_000;
const KEEP_ALIVE_TIMEOUT_MS = 1_500;

interface Target {
  readonly server: Pick<PostgresIdentity, 'verify' | 'isCurrent'>;
  readonly hosts?: Hosts | undefined;
}

/**
 * Listens on one connection of the pool. Obtains a new connection if this one ends, or if the calls now use another
 * server. Reports `undefined` whenever it begins to listen, because earlier notices were missed.
 */
export function listenOn(pool: PostgresPool, connects: Deadlines, target: Target): Listen {
  return (channel, onPayload) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    let pauseMs = LEAST_PAUSE_MS;

    async function connect(): Promise<void> {
      if (signal.aborted) return;
      try {
        const client = await connectWithin(pool, connects);
        await listenUntilEnd({ client, channel, signal, target }, (payload) => {
          pauseMs = LEAST_PAUSE_MS;
          if (!signal.aborted) onPayload(payload);
        });
      } catch {
        // The next attempt may succeed.
      }
      setTimeout(connect, pauseMs).unref();
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }

    void connect();
    return () => stopping.abort();
  };
}

interface Listening {
  readonly client: PostgresClient;
  readonly channel: string;
  readonly signal: AbortSignal;
  readonly target: Target;
}

function listenUntilEnd(
  { client, channel, signal, target: { server, hosts } }: Listening,
  onPayload: (payload: string | undefined) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const ask = (text: string, values: readonly unknown[] = []) =>
      client.query({
        text,
        ...(values.length > 0 && { values: [...values] }),
        query_timeout: KEEP_ALIVE_TIMEOUT_MS,
      });
    const connection: SqlConnection = {
      executeQuery: async ({ sql, parameters }: CompiledQuery) =>
        (await ask(sql, parameters)) as PostgresResult,
    };
    let incarnation: string | undefined;
    let isEnded = false;
    const isCurrent = (): boolean => incarnation !== undefined && server.isCurrent(incarnation);
    const onNotification = (notification: { readonly payload?: string | undefined }): void =>
      isCurrent() ? onPayload(notification.payload) : end();
    const keepAlive = setInterval(() => (isCurrent() ? ask('select 1').catch(end) : end()), KEEP_ALIVE_MS);
    keepAlive.unref();

    async function begin(): Promise<void> {
      incarnation = await server.verify(connection, client).catch((error: unknown) => {
        hosts?.leave(client);
        throw error;
      });
      await ask(`listen ${channel}`);
      onPayload(undefined);
    }

    function end(): void {
      if (isEnded) return;
      isEnded = true;
      clearInterval(keepAlive);
      signal.removeEventListener('abort', end);
      client.off('error', end);
      client.off('end', end);
      client.off('notification', onNotification);
      // Destroyed, because another user of this connection must not listen.
      client.release(true);
      resolve();
    }

    client.on('error', end);
    client.on('end', end);
    client.on('notification', onNotification);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    else begin().catch(end);
  });
}
