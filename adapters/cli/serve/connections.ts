import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** The responses that are not sent completely, oldest first, with the `performance.now()` of their requests. */
  readonly running: Map<ServerResponse, number>;
  /** The bytes read when the last request ended. If more bytes were read, the next request has begun. */
  bytesRead: number;
  /** The `performance.now()` at which the last request ended. */
  quietSince: number;
  last?: ServerResponse | undefined;
}

export function trackConnections(server: Server): ReadonlyMap<Socket, Connection> {
  const connections = new Map<Socket, Connection>();

  function rest(this: IncomingMessage): void {
    const connection = connections.get(this.socket);
    if (connection === undefined) return;
    connection.bytesRead = this.socket.bytesRead;
    connection.quietSince = performance.now();
  }

  function remove(this: ServerResponse): void {
    const { req } = this;
    connections.get(req.socket)?.running.delete(this);
    rest.call(req);
    // A response can be sent completely before the body of its request has arrived.
    if (!req.complete) req.on('close', rest);
  }

  server.on('connection', (socket) => {
    connections.set(socket, { running: new Map(), bytesRead: 0, quietSince: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  // Runs before the handler, which may send the head at once.
  server.prependListener('request', ({ socket }, response) => {
    connections.get(socket)?.running.set(response, performance.now());
    response.on('close', remove);
  });
  return connections;
}
