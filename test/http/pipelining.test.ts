import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen as listenOurs } from '../../adapters/cli/serve/http-server.ts';
import { identityRouter } from '../../adapters/express/index.ts';
import { nodeListener } from '../../src/http/index.ts';
import { exchange, listen } from '../support/servers.ts';
import { openService } from '../support/service.ts';

/** One piece of what arrives at a socket holds 2,400 of the shortest requests. */
const MANY = 7_000;
const MOST = 16;

const get = (path: string, ...headers: readonly string[]) =>
  `${[`GET ${path} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`;

async function ours(listener: RequestListener, silentMs?: number): Promise<string> {
  const server = await listenOurs('127.0.0.1', 0, silentMs === undefined ? {} : { silentMs });
  server.use(listener);
  onTestFinished(() => server.stop(0));
  return `http://127.0.0.1:${server.port}`;
}

/** A connection that has sent the text and reads nothing. */
function unread(origin: string, text: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** A service whose readiness takes until the test says so, and how often it was asked for. */
function openSlow() {
  const { service } = openService();
  let asked = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: typeof service = {
    ...service,
    async health() {
      asked += 1;
      await gate;
      return service.health();
    },
  };
  return { slow, release, asked: () => asked };
}

describe.each([
  ['our server', (service: Parameters<typeof nodeListener>[0]) => ours(nodeListener(service))],
  ['a server of an application', (service) => listen(nodeListener(service))],
  ['an Express application', (service) => listen(express().use('/api', identityRouter(service)))],
] as const satisfies readonly (readonly [
  string,
  (service: Parameters<typeof nodeListener>[0]) => Promise<string>,
])[])('in %s', (_, open) => {
  const ready = get('/api/health/ready', 'host: h');

  test('a connection with too many requests under way is closed, and others are not hurt', async () => {
    const { slow, release, asked } = openSlow();
    const origin = await open(slow);
    const closed = new Promise((resolve) =>
      unread(origin, ready.repeat(MANY)).resume().once('close', resolve),
    );
    await closed;
    expect(asked()).toBeLessThanOrEqual(MOST);
    release();
    expect((await fetch(`${origin}/api/health/ready`)).status).toBe(200);
  });

  test('as many as are taken are answered in their order, again and again', async () => {
    const { slow, release, asked } = openSlow();
    const origin = await open(slow);
    release();
    for (const round of [1, 2, 3]) {
      const ids = Array.from({ length: MOST }, (_, index) => `${round}-${index}`);
      const last = `x-request-id: ${ids.at(-1)}`;
      const sent = ids
        .slice(0, -1)
        .map((id) => get('/api/health/ready', 'host: h', `x-request-id: ${id}`))
        .concat(get('/api/health/ready', 'host: h', last, 'connection: close'));
      const text = await exchange(origin, sent.join(''));
      expect([...text.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id)).toEqual(ids);
    }
    expect(asked()).toBe(3 * MOST);
  });

  test('a kept connection takes any number of them one after another', async () => {
    const { slow, release, asked } = openSlow();
    const origin = await open(slow);
    release();
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let text = '';
    let look = () => {};
    socket.on('data', (chunk) => {
      text += chunk;
      look();
    });
    let sent = 0;
    for (const batch of [3, 13, 1, MOST, MOST, 8, 8]) {
      sent += batch;
      socket.write(ready.repeat(batch));
      await new Promise<void>((resolve, reject) => {
        socket.once('close', () => reject(new Error('It was closed.')));
        look = () => statuses(text).length === sent && text.endsWith('}') && resolve();
      });
    }
    expect(asked()).toBe(sent);
  });
});

describe('our server', () => {
  test('counts pages and all other paths as well', async () => {
    let asked = 0;
    const origin = await ours(() => {
      asked += 1;
    });
    await new Promise((resolve) =>
      unread(origin, get('/', 'host: h').repeat(MANY)).resume().once('close', resolve),
    );
    expect(asked).toBe(MOST);
  });

  test('counts what Node would answer by itself', async () => {
    const origin = await ours((_request, response) => response.end());
    const odd = await exchange(origin, get('/', 'host: h', 'expect: x').repeat(MANY));
    expect(statuses(odd).length).toBeLessThanOrEqual(MOST);
    expect(statuses(await exchange(origin, get('/', 'host: h', 'expect: x', 'connection: close')))).toEqual([
      417,
    ]);
    expect(statuses(await exchange(origin, get('/').repeat(2)))).toEqual([400]);
    expect(statuses(await exchange(origin, 'GET / HTTP/1.0\r\n\r\n'))).toEqual([200]);
    expect(statuses(await exchange(origin, get('/', 'host:', 'connection: close')))).toEqual([200]);
  });

  test('closes a connection whose client takes nothing of its answer', async () => {
    let gone: Promise<unknown> = Promise.reject(new Error('It was never asked.'));
    gone.catch(() => undefined);
    const origin = await ours((request, response) => {
      gone = new Promise((resolve) => request.socket.once('close', resolve));
      response.end(Buffer.alloc(64 * 1024 * 1024));
    }, 200);
    const socket = unread(origin, get('/', 'host: h'));
    await new Promise((resolve) => socket.once('readable', resolve));
    await gone;
  });
});
