import express, { type Express, type RequestHandler } from 'express';
import { beforeEach, describe, expect, test } from 'vitest';
import { identityRouter, keepRawBody } from '../adapters/express/index.ts';
import { exchange, listenExpress, requestText } from './support/servers.ts';
import { AGENT, openVerdictStage } from './support/verdict-stage.ts';
import { collectWarnings } from './support/warnings.ts';

const INTENT = JSON.stringify({ agent_id: AGENT, action: 'orders.get' });
const INEXACT = `${INTENT.slice(0, -1)},"parameters":{"amount":100.000000000000001}}`;

async function openHost(build: (app: Express, router: RequestHandler) => void, path = '/api') {
  const stage = await openVerdictStage();
  const origin = await listenExpress((app) => build(app, identityRouter(stage.opened.service)));
  const headers = { 'content-type': 'application/json', 'x-api-key': stage.key };
  const verify = (body: string = INTENT, more: Readonly<Record<string, string>> = {}) =>
    fetch(`${origin}${path}/verify`, { method: 'POST', headers: { ...headers, ...more }, body });
  return { ...stage, origin, headers, verify };
}

let warnings: readonly Error[] = [];

beforeEach(() => {
  warnings = collectWarnings();
});

describe('the router', () => {
  test.each(['/api', '/', '/v1/identity'])('serves where it is mounted: %s', async (path) => {
    const { verify } = await openHost((app, router) => app.use(path, router), path === '/' ? '' : path);
    expect((await (await verify()).json()).verdict).toBe('ALLOW');
  });

  test('serves the same behind a router of the application', async () => {
    const { verify } = await openHost(
      (app, router) => app.use('/outer', express.Router().use('/api', router)),
      '/outer/api',
    );
    expect((await verify()).status).toBe(200);
  });

  test('leaves every path that is not its own to the application', async () => {
    const { origin, headers } = await openHost((app, router) => {
      app.use('/api', router);
      app.use('/api', express.json());
      app.post('/api/own', (request, response) => {
        response.json({ got: request.body });
      });
      app.use((_request, response) => {
        response.status(404).type('text').send('the application knows nothing of it');
      });
    });
    const own = await fetch(`${origin}/api/own`, { method: 'POST', headers, body: '{"a":1}' });
    expect(await own.json()).toEqual({ got: { a: 1 } });
    for (const path of ['/api', '/api/', '/api/verify/', '/api/nowhere', '/elsewhere']) {
      const answer = await fetch(`${origin}${path}`);
      expect([answer.status, await answer.text()]).toEqual([404, 'the application knows nothing of it']);
      expect(answer.headers.get('cache-control')).toBeNull();
    }
    expect((await fetch(`${origin}/api/verify`)).status).toBe(405);
  });

  test('passes on the headers of the application, and answers HEAD without a body', async () => {
    const { origin } = await openHost((app, router) => {
      app.use((_request, response, next) => {
        response.setHeader('x-host', 'yes');
        next();
      });
      app.use('/api', router);
    });
    const answer = await fetch(`${origin}/api/health/live`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('x-host'), await answer.text()]).toEqual([200, 'yes', '']);
  });

  test('reads the body exactly', async () => {
    const { verify } = await openHost((app, router) => app.use('/api', router));
    expect((await verify(INEXACT)).status).toBe(400);
    expect((await verify('{"a":1,"a":2}')).status).toBe(400);
    expect((await verify('x'.repeat(65 * 1024))).status).toBe(413);
    expect((await verify()).status).toBe(200);
  });

  test('reads a body in chunks', async () => {
    const { origin, headers } = await openHost((app, router) => app.use('/api', router));
    const chunks = [...INTENT].map((unit) => `1\r\n${unit}\r\n`).join('');
    const head = { ...headers, 'transfer-encoding': 'chunked', connection: 'close' };
    const text = await exchange(origin, requestText('POST', '/api/verify', head, `${chunks}0\r\n\r\n`));
    expect(text).toContain('"ALLOW"');
  });

  test('says nothing if the application has answered already', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const { verify } = await openHost((app, router) => {
      app.use((_request, response, next) => {
        next();
        response.status(504).send('too slow');
      });
      app.use('/api', router);
    });
    expect((await verify()).status).toBe(504);
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('behind a body parser of the application', () => {
  const withKept = (app: Express, router: RequestHandler) =>
    app.use(express.json({ verify: keepRawBody })).use('/api', router);
  const without = (app: Express, router: RequestHandler) => app.use(express.json()).use('/api', router);

  test('that keeps the raw body, nothing is lost', async () => {
    const { verify } = await openHost(withKept);
    expect((await (await verify()).json()).verdict).toBe('ALLOW');
    for (const body of [
      INEXACT,
      '{"agent_id":"a","agent_id":"b","action":"c"}',
      '{"agent_id":"\\u0000","action":"a"}',
    ]) {
      const answer = await verify(body);
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'invalid_json']);
    }
    const long = await verify(INTENT + ' '.repeat(70 * 1024));
    expect(long.status).toBe(413);
    expect((await verify('')).status).toBe(400);
  });

  test('that keeps it also for other types, they are still refused', async () => {
    const { verify } = await openHost((app, router) =>
      app.use(express.text({ type: '*/*', verify: keepRawBody })).use('/api', router),
    );
    expect((await verify()).status).toBe(200);
    expect((await verify(INTENT, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('that keeps nothing, a body is 500 with a line that names the fix', async () => {
    const { opened, verify } = await openHost(without);
    const answer = await verify();
    const body = await answer.json();
    expect([answer.status, body.code, body.detail]).toEqual([
      500,
      'internal',
      expect.not.stringContaining('Router'),
    ]);
    expect(opened.logs).toHaveLength(1);
    expect(JSON.stringify(opened.logs)).toContain('keepRawBody');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(warnings.filter(({ message }) => message.includes('keepRawBody'))).toHaveLength(1);
  });

  test.each([
    ['of no bytes', { 'content-length': '0' }, ''],
    ['of no chunks', { 'transfer-encoding': 'chunked' }, '0\r\n\r\n'],
  ])('that keeps nothing, a body %s is 500 too', async (_, more, body) => {
    const { origin, headers } = await openHost(without);
    const head = { ...headers, ...more, connection: 'close' };
    const text = await exchange(origin, requestText('POST', '/api/verify', head, body), 500);
    expect(text).toMatch(/^HTTP\/1\.1 500 /);
  });

  test('that keeps nothing, what needs no body is served', async () => {
    const { origin, api, token } = await openHost(without);
    expect((await api.ask('GET', '/keys', { token })).status).toBe(200);
    expect((await fetch(`${origin}/api/health/ready`)).status).toBe(200);
    const authorization = `Bearer ${token}`;
    const revocation = {
      method: 'DELETE',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    };
    const key = `key_${'0'.repeat(22)}`;
    expect((await fetch(`${origin}/api/keys/${key}`, revocation)).status).toBe(404);
  });
});

test('an upload that breaks off crashes nothing', async () => {
  const { opened, origin, headers } = await openHost((app, router) => app.use('/api', router));
  for (let round = 0; round < 5; round += 1) {
    const controller = new AbortController();
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"agent_id":'));
        setTimeout(() => controller.abort(), 20);
      },
    });
    const upload = {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit;
    await expect(fetch(`${origin}/api/verify`, upload)).rejects.toThrow();
  }
  expect((await fetch(`${origin}/api/health/live`)).status).toBe(200);
  expect(opened.logs).toEqual([]);
});
