import type { Deadlines } from '../../../../src/deadlines.ts';
import type { Listen } from './channel.ts';
import { connectWithin, type PostgresClient, type PostgresPool } from './pool.ts';

const LEAST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 500;

/** So often a connection on which nothing happens is asked whether it is still one, and so long it may think. */
const KEEP_ALIVE_MS = 2_000;
const KEEP_ALIVE_TIMEOUT_MS = 1_500;

/**
 * Listens on one connection of the pool and takes another when it ends. `undefined` is heard whenever listening
 * has begun, the first time too: what was sent before is missed.
 */
export function listenOn(pool: PostgresPool, connects: Deadlines): Listen {
  return (channel, hear) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    let pauseMs = LEAST_PAUSE_MS;

    async function connect(): Promise<void> {
      if (signal.aborted) return;
      try {
        const client = await connectWithin(pool, connects);
        await listenUntilEnd(client, channel, signal, (payload) => {
          pauseMs = LEAST_PAUSE_MS;
          if (!signal.aborted) hear(payload);
        });
      } catch {
        // The next try may do.
      }
      setTimeout(connect, pauseMs).unref();
      pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS);
    }

    void connect();
    return () => stopping.abort();
  };
}

/** Resolves when the connection has ended or is no longer wanted. */
function listenUntilEnd(
  client: PostgresClient,
  channel: string,
  signal: AbortSignal,
  hear: (payload: string | undefined) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const ask = (text: string) => client.query({ text, query_timeout: KEEP_ALIVE_TIMEOUT_MS });
    const onNotification = (notification: { readonly payload?: string | undefined }): void =>
      hear(notification.payload);
    const keepAlive = setInterval(() => ask('select 1').catch(end), KEEP_ALIVE_MS);
    keepAlive.unref();
    let ended = false;

    function end(): void {
      if (ended) return;
      ended = true;
      clearInterval(keepAlive);
      signal.removeEventListener('abort', end);
      client.off('error', end);
      client.off('end', end);
      client.off('notification', onNotification);
      // Whoever gets a connection from the pool must not go on listening.
      client.release(true);
      resolve();
    }

    client.on('error', end);
    client.on('end', end);
    client.on('notification', onNotification);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    else ask(`listen ${channel}`).then(() => hear(undefined), end);
  });
}
