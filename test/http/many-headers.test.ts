import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen as listenOurs } from '../../adapters/cli/serve/http-server.ts';
import { identityRouter } from '../../adapters/express/index.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { exchange } from '../support/servers.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

const INTENT = JSON.stringify({ agent_id: AGENT, action: 'orders.get' });
const LOGIN = JSON.stringify({ email: 'owner@example.com', password: 'wrong' });

/** A server of an application; `maxHeadersCount` as the application sets it. */
async function host(listener: RequestListener, maxHeadersCount?: number): Promise<string> {
  const server = createServer(listener);
  if (maxHeadersCount !== undefined) server.maxHeadersCount = maxHeadersCount;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ours(listener: RequestListener): Promise<string> {
  const server = await listenOurs('127.0.0.1', 0);
  server.use(listener);
  onTestFinished(() => server.stop(0));
  return `http://127.0.0.1:${server.port}`;
}

const trusted = { trustProxy: 1 };

/** Every server that the API stands in, behind one proxy. */
const SERVERS = [
  ['our server', (service) => ours(nodeListener(service, trusted))],
  ['a server of an application', (service) => host(nodeListener(service, trusted))],
  ['an Express application', (service) => host(express().use('/api', identityRouter(service, trusted)))],
  ['an application that keeps all headers', (service) => host(nodeListener(service, trusted), 0)],
  ['an application that keeps more headers', (service) => host(nodeListener(service, trusted), 1_500)],
] as const satisfies readonly (readonly [
  string,
  (service: Parameters<typeof nodeListener>[0]) => Promise<string>,
])[];

/** The answer to a POST whose headers are `first`, some without a meaning, and `last`: `total` in all. */
async function post(origin: string, path: string, body: string, total: number, ...named: readonly string[]) {
  const [last = '', ...first] = named.toReversed();
  const known = [
    'host: h',
    'connection: close',
    'content-type: application/json',
    `content-length: ${body.length}`,
    ...first,
  ];
  const filler = Array.from({ length: total - known.length - 1 }, () => 'a:');
  const head = [`POST /api${path} HTTP/1.1`, ...known, ...filler, last].join('\r\n');
  const text = await exchange(origin, `${head}\r\n\r\n${body}`);
  const answer = text.slice(text.indexOf('\r\n\r\n') + 4);
  const json = answer === '' ? {} : JSON.parse(answer);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text, json };
}

/** From Node 22 on a server refuses more headers than it keeps by itself, without a body. */
const isRefusedByNode = ({ text }: { readonly text: string }) => text.endsWith('\r\n\r\n');

describe.each(SERVERS)('%s', (name, open) => {
  test('refuses 1,000 headers and more: a second key may be among those that were dropped', async () => {
    const { opened, key } = await openVerdictStage();
    const origin = await open(opened.service);
    const keys = [`x-api-key: ${key}`, `x-api-key: ${key}`];
    for (const total of [1_000, 1_001, 1_025, 3_000]) {
      const answer = await post(origin, '/verify', INTENT, total, ...keys);
      expect({ total, status: answer.status }).toEqual({ total, status: 431 });
      if (name !== 'our server' && isRefusedByNode(answer)) continue;
      expect(answer.json.code).toBe('headers_too_large');
      expect(answer.text).toContain('application/problem+json');
    }
    const seen = await post(origin, '/verify', INTENT, 999, ...keys);
    expect([seen.status, seen.json.code]).toEqual([400, 'invalid_request']);
    const once = await post(origin, '/verify', INTENT, 999, `x-api-key: ${key}`);
    expect([once.status, once.json.verdict]).toEqual([200, 'ALLOW']);
  });

  test('takes no login whose X-Forwarded-For may be lost', async () => {
    const { opened } = await openVerdictStage();
    const clients: unknown[] = [];
    const watched: typeof opened.service = {
      ...opened.service,
      login(credentials, client) {
        clients.push(client?.address);
        return opened.service.login(credentials, client);
      },
    };
    const origin = await open(watched);
    const forwarded = 'x-forwarded-for: 203.0.113.7';
    for (const total of [1_001, 2_000]) {
      expect((await post(origin, '/auth/login', LOGIN, total, forwarded)).status).toBe(431);
    }
    expect(clients).toEqual([]);
    expect((await post(origin, '/auth/login', LOGIN, 999, forwarded)).status).toBe(401);
    expect(clients).toEqual(['203.0.113.7']);
  });
});

test('an application that keeps fewer headers refuses from there on', async () => {
  const { opened, key } = await openVerdictStage();
  const origin = await host(nodeListener(opened.service), 40);
  const keys = [`x-api-key: ${key}`, `x-api-key: ${key}`];
  for (const total of [40, 41, 100, 999]) {
    expect((await post(origin, '/verify', INTENT, total, ...keys)).status).toBe(431);
  }
  expect((await post(origin, '/verify', INTENT, 39, ...keys)).status).toBe(400);
  expect((await post(origin, '/verify', INTENT, 39, `x-api-key: ${key}`)).status).toBe(200);
});

test('the fetch handler refuses as many', async () => {
  const { opened, key } = await openVerdictStage();
  const ask = async (fillers: number) => {
    const headers = new Headers({ 'content-type': 'application/json', 'x-api-key': key });
    for (let index = 0; index < fillers; index += 1) headers.append(`a${index}`, '');
    const request = new Request('http://h/api/verify', { method: 'POST', headers, body: INTENT });
    return (await fetchHandler(opened.service)(request)).status;
  };
  expect([await ask(997), await ask(998), await ask(2_000)]).toEqual([200, 431, 431]);
});

test('headers that are too long get the same problem from our server, and the connection is closed', async () => {
  const { opened, key } = await openVerdictStage();
  const origin = await ours(nodeListener(opened.service));
  const { status, text, json } = await post(
    origin,
    '/verify',
    INTENT,
    10,
    `x-api-key: ${key}`,
    `b: ${'x'.repeat(17_000)}`,
  );
  expect(status).toBe(431);
  expect(text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(text).toMatch(/\r\nConnection: close\r\n/);
  expect(text).toMatch(/\r\ncache-control: no-store\r\n/);
  expect(json).toMatchObject({
    status: 431,
    code: 'headers_too_large',
    request_id: expect.stringMatching(/^req_/),
  });
  expect(text).not.toContain(key);
});
