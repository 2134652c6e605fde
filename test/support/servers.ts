import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type Express } from 'express';
import { onTestFinished } from 'vitest';

/** Serves on a free port until the test ends. Returns the origin. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves an Express application that `build` fills; the origin. */
export function listenExpress(build: (app: Express) => void): Promise<string> {
  const app = express();
  build(app);
  return listen(app);
}

/** Sends the bytes over one connection and gives back everything that comes until it is quiet or closed. */
export async function exchange(
  origin: string,
  sent: string | Uint8Array | readonly string[],
  quietMs = 150,
): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  const done = new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, 5_000);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(resolve, quietMs);
    });
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });
  for (const part of Array.isArray(sent) ? sent : [sent]) socket.write(part);
  await done;
  socket.destroy();
  return received;
}

/** The text of an HTTP/1.1 request. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
