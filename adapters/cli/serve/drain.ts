import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connection } from './connections.ts';

/**
 * The time after which an idle connection is closed during a stop. If it were closed earlier, a request that the client
 * is just sending could fail.
 */
const QUIET_MS = 1_000;
const LOOK_MS = 50;

/**
 * The maximum milliseconds to wait for a calm turn of the event loop. A turn is calm if it takes at most
 * `TURN_MS` and accepts no connection.
 */
const CALM_MS = 500;
const TURN_MS = 0.05;

/**
 * Prepares a server for a stop without failing requests. The returned function stops listening at once, and answers all
 * requests on the open connections. The last answer of each connection has `Connection: close`. The promise settles
 * when all connections are closed. After `graceMs`, the rest is cut off.
 */
export function drainable(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
): (graceMs: number) => Promise<void> {
  function closeQuiet(): void {
    const now = performance.now();
    for (const [socket, { running, bytesRead, quietSince }] of connections) {
      const isIdle = running.size === 0 && socket.bytesRead === bytesRead;
      if (isIdle && now - quietSince >= QUIET_MS) socket.destroySoon();
    }
  }

  return async (graceMs) => {
    await calm(server, Math.min(CALM_MS, graceMs));
    // In the same turn as the end of listening: a client that is told to reconnect must not be accepted again.
    const now = performance.now();
    for (const connection of connections.values()) {
      connection.quietSince = now;
      const youngest = [...connection.running.keys()].at(-1);
      if (youngest !== undefined) closeAfter(youngest, connection);
    }
    server.prependListener('request', ({ socket }, response) => {
      const connection = connections.get(socket);
      if (connection !== undefined) closeAfter(response, connection);
    });
    return new Promise((resolve) => {
      // After the poll that follows the timer: what has arrived by then is seen.
      const look = setInterval(() => setImmediate(closeQuiet), LOOK_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      // Not the `close` of http, which cuts every idle connection in this moment, and answers still on their way.
      NetServer.prototype.close.call(server, () => {
        clearInterval(look);
        clearTimeout(deadline);
        resolve();
      });
    });
  };
}

/**
 * Waits until no connection is being opened, for at most `mostMs`.
 *
 * The kernel accepts connections before this process does. When the process stops listening, the kernel resets the
 * connections that the process has not accepted. The wait makes a reset unlikely, not impossible. To exclude it, the
 * load balancer must first send clients elsewhere.
 */
async function calm(server: Server, mostMs: number): Promise<void> {
  let takenCount = 0;
  const count = (): void => {
    takenCount += 1;
  };
  server.on('connection', count);
  const startedMs = performance.now();
  for (let last = startedMs, previous = -1; last - startedMs < mostMs; ) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (previous === takenCount && now - last < TURN_MS) break;
    previous = takenCount;
    last = now;
  }
  server.off('connection', count);
}

/** Sends `Connection: close` in the youngest response only: responses to earlier requests come first. */
function closeAfter(youngest: ServerResponse, connection: Connection): void {
  if (youngest === connection.last || !youngest.shouldKeepAlive) return;
  if (connection.last?.headersSent === false) connection.last.shouldKeepAlive = true;
  youngest.shouldKeepAlive = false;
  connection.last = youngest;
}
