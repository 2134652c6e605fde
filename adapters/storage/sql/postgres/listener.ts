import type { CompiledQuery } from 'kysely';
import type { Deadlines } from '../../../../src/ports/index.ts';
import type { SqlConnection } from '../identity.ts';
import type { Hosts } from './hosts.ts';
import type { PostgresIdentity } from './identity.ts';
import type { Listen } from './listen.ts';
import { connectWithin, type PostgresClient, type PostgresPool, type PostgresResult } from './pool.ts';

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
