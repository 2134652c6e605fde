import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/**
 * A connection that has been idle for this time after the signal is closed. One that is closed sooner may be the
 * one on which a client is just sending its next request, which then fails.
 */
const QUIET_MS = 1_000;
const LOOK_MS = 50;

/** The milliseconds to wait for a turn of the event loop with almost no work, and the longest such turn. */
const CALM_MS = 500;
const TURN_MS = 0.05;

interface Connection {
  /** Answers that are not out yet, oldest first. */
  readonly running: Set<ServerResponse>;
  /** Bytes read when the last request was done: more of them are the beginning of the next one. */
  bytesRead: number;
  quietSince: number;
  /** The answer that was marked as the last one of this connection. */
  last?: ServerResponse | undefined;
}

/**
 * Lets a server stop without failing a request. The returned function stops listening at once, answers all that comes
 * over the open connections, the last answer of each with `Connection: close`, and settles when every one is closed.
 * After `graceMs` the rest is cut off.
 */
export function drainable(server: Server): (graceMs: number) => Promise<void> {
  const connections = new Map<Socket, Connection>();
  let isDraining = false;

  server.on('connection', (socket) => {
    connections.set(socket, { running: new Set(), bytesRead: 0, quietSince: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  // Before the handler, which may send the head at once.
  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.running.add(response);
    if (isDraining) closeAfterLast(connection);
    const rest = (): void => {
      connection.bytesRead = request.socket.bytesRead;
      connection.quietSince = performance.now();
    };
    // Either may be the later one: an answer can be out before the body of its request is in.
    request.once('close', rest);
    response.once('close', () => {
      connection.running.delete(response);
      rest();
    });
  });

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
    isDraining = true;
    const now = performance.now();
    for (const connection of connections.values()) {
      connection.quietSince = now;
      closeAfterLast(connection);
    }
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
 * Settles when no connection is being made, after `mostMs` at the latest.
 *
 * The kernel accepts connections before this process does. When the process stops listening, the kernel resets those
 * that the process has not accepted. The wait makes a reset unlikely, not impossible. To exclude it, the load
 * balancer must send clients elsewhere first.
 */
async function calm(server: Server, mostMs: number): Promise<void> {
  let taken = 0;
  const count = (): void => {
    taken += 1;
  };
  server.on('connection', count);
  const started = performance.now();
  for (let last = started, before = -1; last - started < mostMs; ) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (before === taken && now - last < TURN_MS) break;
    before = taken;
    last = now;
  }
  server.off('connection', count);
}

/** Sends `Connection: close` in the youngest answer only: answers to earlier requests come first. */
function closeAfterLast(connection: Connection): void {
  const youngest = [...connection.running].at(-1);
  if (youngest === undefined || youngest === connection.last || !youngest.shouldKeepAlive) return;
  if (connection.last?.headersSent === false) connection.last.shouldKeepAlive = true;
  youngest.shouldKeepAlive = false;
  connection.last = youngest;
}
