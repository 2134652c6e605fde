import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { toRequest } from '../support/api.ts';
import { exchange, listen, requestText } from '../support/servers.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

const INTENT = JSON.stringify({ agent_id: AGENT, action: 'orders.get' });
const KIB = 1024;

async function openServer() {
  const stage = await openVerdictStage();
  const origin = await listen(nodeListener(stage.opened.service));
  const headers = { 'content-type': 'application/json', 'x-api-key': stage.key };
  const verify = (body: string, more: Readonly<Record<string, string>> = {}) =>
    requestText(
      'POST',
      '/api/verify',
      { ...headers, 'content-length': `${Buffer.byteLength(body)}`, ...more },
      body,
    );
  return { ...stage, origin, headers, verify };
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

describe('the node listener', () => {
  test('answers what the fetch handler answers, header for header', async () => {
    const { opened, origin, key } = await openServer();
    const ask = {
      key,
      json: { agent_id: 'x', action: 'y' },
      headers: { 'x-request-id': 'same', 'accept-encoding': 'identity' },
    };
    const plain = { headers: ask.headers };
    for (const [method, path, given] of [
      ['POST', '/verify', ask],
      ['GET', '/verify', plain],
      ['POST', '/verify', plain],
      ['GET', '/nowhere', plain],
      ['GET', '/openapi.json', plain],
      ['HEAD', '/health/ready', plain],
    ] as const) {
      const theirs = await fetchHandler(opened.service)(toRequest(method, path, given));
      const ours = await fetch(toRequest(method, path, given, `${origin}/api`));
      const ids = (text: string) => text.replace(/"decision_id":"\w+"/, '');
      expect([ours.status, ids(await ours.text())]).toEqual([theirs.status, ids(await theirs.text())]);
      const transport = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];
      const kept = [...ours.headers].filter(([name]) => !transport.includes(name));
      // One verification less is left for the second who asks.
      const uncounted = (headers: Iterable<[string, string]>) =>
        [...headers].map(([name, value]) => [name, value.replace(/;r=\d+/, '')]);
      expect(uncounted(kept)).toEqual(uncounted(theirs.headers));
    }
  });

  test.each([
    '/',
    '/api',
    '/apiverify',
    '/API/verify',
    '/other/api/verify',
    '/api/../api/verify',
    '/api//verify',
  ])('has nothing at %s', async (path) => {
    const { origin } = await openServer();
    const text = await exchange(
      origin,
      requestText('POST', path, { 'content-length': '0', connection: 'close' }),
    );
    expect(statuses(text)).toEqual([404]);
    expect(text).toContain('"code":"not_found"');
  });

  test('serves under another base path', async () => {
    const { opened } = await openServer();
    const origin = await listen(nodeListener(opened.service, { basePath: '/v1/identity' }));
    expect((await fetch(`${origin}/v1/identity/health/live`)).status).toBe(200);
    expect((await fetch(`${origin}/api/health/live`)).status).toBe(404);
  });

  test('counts the bytes of its answer', async () => {
    const { origin, verify } = await openServer();
    const intent = JSON.stringify({ agent_id: AGENT, action: 'zürich😀' });
    const text = await exchange(origin, verify(intent, { connection: 'close' }));
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain(`content-length: ${body.length}`);
    expect(Buffer.from(body, 'latin1').toString()).toContain('zürich😀');
  });

  test('reads a body in chunks, also when a character is cut in two', async () => {
    const { origin, headers } = await openServer();
    const bytes = Buffer.from(
      JSON.stringify({ agent_id: AGENT, action: 'orders.get', parameters: { n: 'ü😀' } }),
    );
    const chunks = [...bytes].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    const head = requestText('POST', '/api/verify', {
      ...headers,
      'transfer-encoding': 'chunked',
      connection: 'close',
    });
    const socketText = await exchangeLatin1(origin, `${head}${chunks}0\r\n\r\n`);
    expect(statuses(socketText)).toEqual([200]);
    expect(socketText).toContain('"ALLOW"');
  });

  test('refuses an inexact number exactly', async () => {
    const { origin, verify } = await openServer();
    const body = `${INTENT.slice(0, -1)},"parameters":{"amount":100.000000000000001}}`;
    const text = await exchange(origin, verify(body, { connection: 'close' }));
    expect(statuses(text)).toEqual([400]);
    expect(text).toContain('invalid_json');
  });

  test('sees two X-API-Key headers', async () => {
    const { origin, key, verify } = await openServer();
    const text = await exchange(origin, verify(INTENT, { 'X-Api-Key': key, connection: 'close' }));
    expect(statuses(text)).toEqual([400]);
  });

  test('says nothing if the application has answered already', async () => {
    const { opened } = await openServer();
    const listener = nodeListener(opened.service);
    let done: Promise<void> = Promise.reject(new Error('It was never called.'));
    done.catch(() => undefined);
    const origin = await listen((request, response) => {
      done = listener(request, response);
      response.writeHead(504).end();
    });
    expect((await fetch(`${origin}/api/health/live`)).status).toBe(504);
    await expect(done).resolves.toBeUndefined();
  });

  test('answers requests that come at once on one connection in their order', async () => {
    const { origin, verify } = await openServer();
    const ids = ['a', 'b', 'c', 'd'];
    const text = await exchange(origin, ids.map((id) => verify(INTENT, { 'x-request-id': id })).join(''));
    expect(statuses(text)).toEqual([200, 200, 200, 200]);
    expect([...text.matchAll(/x-request-id: (\w)/g)].map(([, id]) => id)).toEqual(ids);
  });

  test.each([
    ['401', { 'x-api-key': 'bad' }, 401],
    ['415', { 'content-type': 'text/plain' }, 415],
  ])('goes on with the next request after a %s whose body was not read', async (_, more, status) => {
    const { origin, verify } = await openServer();
    const text = await exchange(origin, verify(INTENT, more) + verify(INTENT));
    expect(statuses(text)).toEqual([status, 200]);
  });

  test('never takes a body that is too long for the next request', async () => {
    const { origin, verify } = await openServer();
    const smuggled = verify(INTENT);
    const text = await exchange(origin, verify(' '.repeat(70 * KIB) + smuggled) + verify(INTENT));
    expect(statuses(text)).toEqual([413]);
    expect(text).toMatch(/connection: close/i);
  });
});

/** As `exchange`, one byte per UTF-16 unit. */
function exchangeLatin1(origin: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(received));
    socket.write(Buffer.from(sent, 'latin1'));
  });
}

describe('a body that is too long', () => {
  test.each([65, 1_000, 5_000])('by %i KiB is read to its end, and answered with 413', async (kib) => {
    const { origin, headers } = await openServer();
    const response = await fetch(`${origin}/api/verify`, {
      method: 'POST',
      headers,
      body: 'x'.repeat(kib * KIB),
    });
    expect([response.status, (await response.json()).code]).toEqual([413, 'payload_too_large']);
    const next = await fetch(`${origin}/api/verify`, { method: 'POST', headers, body: INTENT });
    expect((await next.json()).verdict).toBe('ALLOW');
  });

  test('by its own word is answered before it comes', async () => {
    const { origin, verify } = await openServer();
    const text = await exchange(origin, verify('', { 'content-length': `${20 * KIB * KIB}` }));
    expect(statuses(text)).toEqual([413]);
  });

  test('without an end is cut off', async () => {
    const { origin, headers } = await openServer();
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 40) controller.close();
        else controller.enqueue(new Uint8Array(KIB * KIB));
      },
    });
    const upload = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const status = await fetch(`${origin}/api/verify`, upload).then(
      (response) => response.status,
      () => 'closed',
    );
    expect([413, 'closed']).toContain(status);
    expect(sent).toBeLessThanOrEqual(40);
  });
});

describe('an upload that breaks off', () => {
  test('crashes nothing and logs no error, wherever it breaks off', async () => {
    const { opened, origin, verify } = await openServer();
    const failures: unknown[] = [];
    const remember = (error: unknown) => failures.push(error);
    process.on('unhandledRejection', remember);
    const whole = verify(INTENT, { 'content-length': '5000' });
    const { hostname, port } = new URL(origin);
    for (const length of [10, whole.length - INTENT.length, whole.length - 5, whole.length]) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(whole.slice(0, length));
      await wait(30);
      socket.resetAndDestroy();
    }
    await wait(50);
    process.off('unhandledRejection', remember);
    expect(failures).toEqual([]);
    expect(opened.logs).toEqual([]);
    expect((await fetch(`${origin}/api/health/live`)).status).toBe(200);
  });

  test('while the caller is being authenticated ends the request', async () => {
    const stage = await openVerdictStage();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { service } = stage.opened;
    const authenticateKey: typeof service.serving.authenticateKey = async (key) => {
      await gate;
      return service.serving.authenticateKey(key);
    };
    const slow = { ...service, serving: { ...service.serving, authenticateKey } };
    const listener = nodeListener(slow);
    let done: Promise<void> = Promise.resolve();
    const origin = await listen((request, response) => {
      done = listener(request, response);
    });
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const headers = { 'content-type': 'application/json', 'x-api-key': stage.key, 'content-length': '5000' };
    socket.write(requestText('POST', '/api/verify', headers, INTENT));
    await wait(30);
    socket.resetAndDestroy();
    await wait(30);
    release();
    await expect(Promise.race([done.then(() => 'ended'), wait(1_000, 'pending')])).resolves.toBe('ended');
  });
});
