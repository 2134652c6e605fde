import { IncomingMessage, request, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createExpressServer, identityRouter } from '../adapters/express/index.ts';
import { exchange, listen, requestText } from './support/servers.ts';
import { AGENT, openVerdictStage } from './support/verdict-stage.ts';

/** The server of an application, on a port of its own until the test ends; the origin. */
async function start(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An application with most of what one has: middleware, settings, routers, applications below it, errors. */
function wholeApp(): Express {
  const below = express().disable('x-powered-by').set('json spaces', 2);
  below.get('/own', (request, response) => {
    response.json({ base: request.baseUrl, path: request.path, own: request.app === below });
  });
  const fail: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(418).type('text').send(`${error.message} ${response.locals['seen']}`);
  };
  const app = express();
  app.set('trust proxy', true).set('etag', 'strong');
  app.use((request, response, next) => {
    response.locals['seen'] = `${request.method} ${request.get('x-asked')}`;
    response.set('x-ip', request.ip ?? '');
    next();
  });
  app.use('/below', below);
  app.get('/again', (request, response) => {
    response.json({ secure: request.secure, query: request.query, own: request.app === app });
  });
  app.use('/below', (request, response) => {
    response.json({ restored: request.app === app && response.app === app });
  });
  app.get('/pieces', (_request, response) => {
    response.write('one ');
    response.end('two');
  });
  app.post('/echo', express.json(), (request, response) => {
    response.status(201).location('/made').json(request.body);
  });
  app.get('/self', (request, response) => {
    response.json({
      each: request.res === response && response.req === request,
      kinds: [request instanceof IncomingMessage, response instanceof ServerResponse],
    });
  });
  app.get('/redirect', (_request, response) => response.redirect('/again'));
  app.get('/fail', () => {
    throw new Error('broken');
  });
  return app.use(fail);
}

test('a whole application answers the same as behind a server of its own', async () => {
  const origins = [await start(createExpressServer(wholeApp())), await listen(wholeApp())];
  const headers = { 'x-asked': 'yes', 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
  const json = { ...headers, 'content-type': 'application/json' };
  const asked: [string, RequestInit][] = [
    ['/again?a=1&a=2', { headers }],
    ['/again', { method: 'HEAD', headers }],
    ['/below/own', { headers }],
    ['/below/other', { headers }],
    ['/pieces', { headers }],
    ['/self', { headers }],
    ['/redirect', { headers, redirect: 'manual' }],
    ['/fail', { headers }],
    ['/nowhere', { headers }],
    ['/echo', { method: 'POST', headers: json, body: '{"a":[1]}' }],
    ['/echo', { method: 'POST', headers: json, body: '{"a"' }],
    ['/again', { method: 'OPTIONS', headers }],
  ];
  for (const [path, init] of asked) {
    const [mine, plain] = await Promise.all(origins.map((origin) => answerOf(`${origin}${path}`, init)));
    expect(mine).toEqual(plain);
  }
  const self = await (await fetch(`${origins[0]}/self`)).json();
  expect(self).toEqual({ each: true, kinds: [true, true] });
});

test('an answer that is known already is not sent again', async () => {
  const origin = await start(createExpressServer(wholeApp()));
  const etag = (await fetch(`${origin}/again`)).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"/);
  const again = requestText('GET', '/again', { 'if-none-match': etag, connection: 'close' });
  expect(await exchange(origin, again)).toMatch(/^HTTP\/1\.1 304 /);
});

test('before Node 24 requests and responses come with the prototypes that Express would set', async () => {
  const app = wholeApp();
  const server = createExpressServer(app);
  const found: boolean[] = [];
  server.prependListener('request', (request, response) => {
    found.push(
      Object.getPrototypeOf(request) === app.request,
      Object.getPrototypeOf(response) === app.response,
    );
  });
  const origin = await start(server);
  expect((await fetch(`${origin}/again`)).status).toBe(200);
  const isSlow = Number(process.versions.node.split('.', 1)[0]) < 24;
  expect(found).toEqual([isSlow, isSlow]);
});

test('the identity router gives its verdict there', async () => {
  const { opened, key } = await openVerdictStage();
  const origin = await start(createExpressServer(express().use('/api', identityRouter(opened.service))));
  const answer = await fetch(`${origin}/api/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ agent_id: AGENT, action: 'orders.get' }),
  });
  expect([answer.status, (await answer.json()).verdict]).toEqual([200, 'ALLOW']);
});

test('the options of the server are those of node:http', async () => {
  const origin = await start(createExpressServer(wholeApp(), { maxHeaderSize: 1_024 }));
  expect((await fetch(`${origin}/again`, { headers: { 'x-long': 'x'.repeat(2_000) } })).status).toBe(431);
});

test('an upgrade and an expected continue are what they are behind any server', async () => {
  const server = createExpressServer(wholeApp());
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const origin = await start(server);
  const upgrade = requestText('GET', '/', { connection: 'upgrade', upgrade: 'websocket' });
  expect(await exchange(origin, upgrade)).toContain('101 Switching Protocols');
  const headers = { 'content-type': 'application/json', expect: '100-continue' };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${origin}/echo`, { method: 'POST', headers });
    sent.on('continue', () => sent.end('{}'));
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  expect(status).toBe(201);
});

test('a client that disconnects in the middle affects no other', async () => {
  const origin = await start(createExpressServer(wholeApp()));
  const { port } = new URL(origin);
  const socket = connect(Number(port), '127.0.0.1');
  const head = { 'content-type': 'application/json', 'content-length': '1000' };
  socket.write(requestText('POST', '/echo', head, '{'), () => socket.destroy());
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await fetch(`${origin}/again`)).status).toBe(200);
});

/** All that a client sees, but for what tells the time. */
async function answerOf(url: string, init: RequestInit): Promise<object> {
  const response = await fetch(url, init);
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers, body: await response.text() };
}
