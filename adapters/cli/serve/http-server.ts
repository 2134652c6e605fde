import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headersRefused } from '../../../src/http/binding.ts';
import { pipelineBound } from '../../../src/http/index.ts';
import type { Logger } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';
import { type Connection, trackConnections } from './connections.ts';

/**
 * The milliseconds that running requests may take after a signal. The process ends within ten seconds after
 * the signal, and the other steps need the remaining time.
 */
const GRACE_MS = 8_000;
const LAST_MS = 9_500;

interface Served {
  /** Ends everything that would keep requests open. */
  end(): void;
  /** Closes everything else, after all requests are answered. */
  close(): Promise<void>;
}

/**
 * Waits for a signal, finishes the running requests and closes the rest. The process ends within ten seconds in any
 * case.
 */
export async function stopAt(
  signal: NodeJS.Signals,
  server: HttpServer,
  { end, close }: Served,
  log: Logger,
): Promise<void> {
  // What does not end in time must not hold up the process.
  setTimeout(() => process.exit(0), LAST_MS).unref();
  log({
    level: 'info',
    event: 'stopping',
    message: `The server got ${signal}, and finishes the running requests.`,
  });
  end();
  await server.stop(GRACE_MS);
  await close();
  log({ level: 'info', event: 'stopped', message: 'The server has stopped.' });
}

/** A listening server, which answers 503 until `use` sets its listener. */
export interface HttpServer {
  readonly port: number;
  use(listener: RequestListener): void;
  /** Stops accepting connections. Settles when the running requests are answered, or after `graceMs` at the latest. */
  stop(graceMs: number): Promise<void>;
}

const NOT_READY = JSON.stringify({
  type: '/reference#overloaded',
  title: 'The node has too much work',
  status: 503,
  detail: 'The service is starting.',
  code: 'overloaded',
  request_id: 'starting',
});

export interface ConnectionTimes {
  /**
   * The time for a connection without a request. If a load balancer keeps idle connections longer, a request may arrive
   * just as the connection closes.
   */
  readonly idleMs: number;
  /** The time for the next part of an answer. */
  readonly answerMs: number;
  /**
   * The time for a client that reads nothing of its answers. Without this limit, a client could keep answers in memory
   * forever.
   */
  readonly silentMs: number;
}

/** The default times. AWS ALB and nginx keep an idle connection for 60 s, Caddy for 120 s. */
export const CONNECTION_TIMES: ConnectionTimes = { idleMs: 130_000, answerMs: 900_000, silentMs: 60_000 };

export function timesOf(options: {
  readonly idleTimeout: number;
  readonly answerTimeout: number;
}): Partial<ConnectionTimes> {
  return { idleMs: options.idleTimeout * 1_000, answerMs: options.answerTimeout * 1_000 };
}

export async function listen(
  host: string,
  port: number,
  times: Partial<ConnectionTimes> = {},
): Promise<HttpServer> {
  const { idleMs, answerMs, silentMs } = { ...CONNECTION_TIMES, ...times };
  let listener: RequestListener = (_request, response) => {
    response.writeHead(503, {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': '1',
    });
    response.end(NOT_READY);
  };
  const admits = pipelineBound();
  const server = createServer(
    // Node would answer requests without a Host header itself, past the bound.
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: idleMs, requireHostHeader: false },
    (request, response) => {
      if (!admits(request, response)) return;
      if (lacksHost(request)) response.writeHead(400, CLOSE).end();
      else listener(request, response);
    },
  );
  // As with Host: this is what Node would answer.
  server.on('checkExpectation', (request, response) => {
    if (admits(request, response)) response.writeHead(417).end();
  });
  server.timeout = silentMs;
  const connections = trackConnections(server);
  closeSilent(server, connections, { idleMs, answerMs, silentMs });
  server.on('clientError', answerBadRequest);
  await bind(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    use: (next) => {
      listener = next;
    },
    stop: drainable(server, connections),
  };
}

/**
 * Closes connections without any activity for `silentMs`. If the client has read everything and waits for an answer,
 * its connection stays open until the answer has taken `answerMs`.
 */
function closeSilent(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  { idleMs, answerMs, silentMs }: ConnectionTimes,
): void {
  // A balancer may open a connection before it has a request.
  server.on('connection', (socket) => socket.setTimeout(idleMs));
  server.prependListener('request', ({ socket }) => socket.setTimeout(silentMs));
  // With a listener, Node leaves it to us to close the connection.
  server.on('timeout', (socket) => {
    const [sinceMs = Number.NEGATIVE_INFINITY] = connections.get(socket)?.running.values() ?? [];
    const isLate = performance.now() - sinceMs >= answerMs;
    if (isLate || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(silentMs);
  });
}

const CLOSE = { connection: 'close', 'content-length': '0' };

/** Returns `true` for a request that lacks the header `Host` (RFC 9112 section 3.2). */
function lacksHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1') return false;
  // Reads the list, because the first use of `headers` builds an object of all of them.
  return !rawHeaders.some(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  );
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return usageError(`Port ${port} of ${host} is in use. Choose another with --port or PORT.`, error);
    case 'EACCES':
      return usageError(`Port ${port} needs more rights. Choose another with --port or PORT.`, error);
    default:
      return usageError(`${host} is not an address of this machine (${error.code}). Check --host.`, error);
  }
}

/**
 * Answers a request that cannot be parsed. Headers that are too long get a problem document. Input that is not HTTP
 * gets only a status.
 */
function answerBadRequest({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const { status, headers, body } = headersRefused();
    endWith(socket, `${status} ${STATUS_CODES[status]}`, headers, `${body}`);
  } else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') endWith(socket, '408 Request Timeout');
  else endWith(socket, '400 Bad Request');
}

/** Sends an answer and closes the connection. `body` must be ASCII. */
function endWith(socket: Duplex, status: string, headers: readonly string[] = [], body = ''): void {
  let head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  socket.end(`${head}\r\n${body}`);
}

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
