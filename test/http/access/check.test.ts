/** The question of a gateway about one HTTP request. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { createIdentityService } from 'agent-identity-service';
import { authzen } from 'agent-identity-service/authzen';
import { fetchHandler, nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PATIENT_MS } from '../../support/patience.ts';

type Form = 'path' | 'forwarded';

async function gateway(check: Form | undefined) {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    capabilities: [authzen({ agentDomain: 'example.com', ...(check && { check }) })],
  });
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: 0 },
    allowed_actions: ['http.get', 'http.post'],
    conditions: [{ actions: ['http.*'], at: '/path', path_under: ['/orders'] }],
  });
  const { key } = await service.keys.create({ name: 'gateway' });
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await service.close();
  });
  const { port } = server.address() as AddressInfo;

  /** Sends a request as it is written: no client resolves its path. */
  async function send(line: string, ...headers: readonly string[]) {
    const socket = connect(port, '127.0.0.1');
    const lines = [`${line} HTTP/1.1`, 'Connection: close', ...headers, '', ''];
    socket.end(lines.join('\r\n'));
    let text = '';
    for await (const piece of socket.setEncoding('utf8')) text += piece;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [, id] = /^x-agent-identity-decision-id: (\S+)/im.exec(head) ?? [];
    return { status: Number(head.split(' ')[1]), id, body };
  }
  const own = [`X-API-Key: ${key}`, 'X-Agent-Id: shopper'];
  const ask = (method: string, path: string, host = 'shop.example') =>
    check === 'path'
      ? send(`${method} /api/access/v1/check${path}`, `Host: ${host}`, ...own)
      : send(
          'GET /api/access/v1/check',
          ...['Host: id.example', `X-Forwarded-Method: ${method}`, `X-Forwarded-Host: ${host}`],
          ...[`X-Forwarded-Uri: ${path}`, ...own],
        );
  return { service, key, own, send, ask };
}

const ODD = [
  ...['/orders//1', '/orders/../admin', '/orders/./1', '/orders/..', '/orders/.', '/orders/%2e%2e/admin'],
  ...[
    '/orders/%2E%2E/admin',
    '/orders%2fadmin',
    '/orders%5cadmin',
    '/orders\\admin',
    '/orders/%00',
    '/orders;a=b',
  ],
  ...['/orders/%252e%252e/admin', '/orders/%zz', '/orders/%', '/orders/a#b', ''],
];

describe.each(['path', 'forwarded'] as const)('%s', (form) => {
  test('lets an allowed request pass, and stops any other, with the id of the verdict', async () => {
    const { ask, service } = await gateway(form);
    const passed = await ask('GET', '/orders/1?page=2&x=a;b', 'Shop.Example:8080');
    expect(passed).toEqual({ status: 200, body: '{}', id: expect.stringMatching(/^dec_/) });
    expect(await ask('POST', '/orders/1')).toMatchObject({ status: 200 });
    const denied = await ask('DELETE', '/orders/1');
    expect(denied).toMatchObject({ status: 403, body: '{"reasons":["action_not_allowed"]}' });
    expect(denied.id).toMatch(/^dec_/);
    expect(await ask('GET', '/admin')).toMatchObject({
      status: 403,
      body: expect.stringContaining('parameter_'),
    });
    const { data } = await service.verifications.list();
    expect(data.map(({ action, verdict }) => [action, verdict])).toEqual([
      ['http.get', 'DENY'],
      ['http.delete', 'DENY'],
      ['http.post', 'ALLOW'],
      ['http.get', 'ALLOW'],
    ]);
    expect(data.at(-1)?.decision_id).toBe(passed.id);
  });

  test('stops a path that two programs may read differently, without a verdict', async () => {
    const { ask, service } = await gateway(form);
    for (const path of ODD) {
      expect([path, await ask('GET', path)]).toEqual([
        path,
        { status: 403, body: '{"reasons":["intent_unreadable"]}', id: undefined },
      ]);
    }
    expect((await ask('GET', '/orders/1', 'a,b')).status).toBe(403);
    expect((await service.verifications.list()).data).toEqual([]);
  });

  test('needs the key as X-API-Key alone, and each header once', async () => {
    const { send, own, key } = await gateway(form);
    const line = form === 'path' ? 'GET /api/access/v1/check/orders/1' : 'GET /api/access/v1/check';
    const about = ['X-Forwarded-Method: GET', 'X-Forwarded-Host: a.example', 'X-Forwarded-Uri: /orders/1'];
    const rest = ['Host: a.example', ...(form === 'path' ? [] : about)];
    const [, agent = ''] = own;
    expect((await send(line, ...rest, ...own)).status).toBe(200);
    expect((await send(line, ...rest, agent)).status).toBe(401);
    expect((await send(line, ...rest, agent, `Authorization: Bearer ${key}`)).status).toBe(401);
    expect((await send(line, ...rest, agent, 'X-API-Key: ais_live_wrong')).status).toBe(401);
    expect((await send(line, ...rest, `X-API-Key: ${key}`)).status).toBe(403);
    for (const again of [agent, `X-API-Key: ${key}`, ...(form === 'path' ? [] : about)])
      expect([again, (await send(line, ...rest, ...own, again)).status]).toEqual([again, 403]);
  });

  test('never passes a path outside the condition, however it is written', async () => {
    const { ask } = await gateway(form);
    const part = fc.constantFrom(
      '/',
      '.',
      '..',
      'orders',
      'admin',
      '%2e',
      '%2F',
      '%5C',
      ';',
      '\\',
      '%252f',
      'a',
      '?',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const text = `/orders${parts.join('')}`;
        const { status } = await ask('GET', text);
        const { pathname } = new URL(`http://a.example${text.replaceAll('%25', '%')}`);
        const isInside = /^\/orders(?:$|\/)/.test(decodeURIComponent(pathname).replaceAll('\\', '/'));
        if (status === 200) expect([text, isInside]).toEqual([text, true]);
      }),
      { numRuns: 200 },
    );
  });
});

test('without the option there is nothing at the path, and the other form is not read', async () => {
  const off = await gateway(undefined);
  expect((await off.ask('GET', '/orders/1')).status).toBe(404);
  const forwarded = await gateway('forwarded');
  const line = 'GET /api/access/v1/check/orders/1';
  expect((await forwarded.send(line, 'Host: a.example', ...forwarded.own)).status).toBe(404);
  const path = await gateway('path');
  const about = ['X-Forwarded-Method: GET', 'X-Forwarded-Host: a.example', 'X-Forwarded-Uri: /orders/1'];
  expect((await path.send('GET /api/access/v1/check', 'Host: a.example', ...about, ...path.own)).status).toBe(
    403,
  );
});

test('any failure of the service is 503, and the fetch handler refuses the form path', async () => {
  const { service, key, ask } = await gateway('path');
  const headers = { 'x-api-key': key, 'x-agent-id': 'shopper', host: 'a.example' };
  const handle = fetchHandler(service);
  const answer = await handle(new Request('https://a.example/api/access/v1/check/orders/1', { headers }));
  expect([answer.status, await answer.text()]).toEqual([403, '{"reasons":["intent_unreadable"]}']);
  await service.close();
  expect((await ask('GET', '/orders/1')).status).toBe(503);
});
