/** Requests of gateways, as their documentation or source describes them, with the set-ups of the page. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIdentityService } from 'agent-identity-service';
import { type AuthzenOptions, authzen } from 'agent-identity-service/authzen';
import { nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readPage } from '../../readme/pages.ts';
import { PATIENT_MS } from '../../support/patience.ts';

const PAGE = readPage('src/http/access/gateways/README.md');

/** The indented code of the page that has this text. */
function block(text: string): string {
  const blocks = PAGE.split(/\n(?! {4}|\n)/).map((part) => part.replace(/^ {4}/gm, ''));
  const found = blocks.find(
    (code) => code.includes(text) && /^\s*[-{]|^\s*spec:/.test(code.split('\n\n').slice(1).join('\n\n')),
  );
  if (found === undefined) throw new Error(`The page has no code with ${text}.`);
  return found.split('\n\n').slice(1).join('\n\n');
}

interface Sent {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function openPoint(options: AuthzenOptions, passport: object) {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    capabilities: [authzen({ agentDomain: 'example.com', ...options })],
  });
  const named = { domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({ ...named, ...passport } as never);
  const { key } = await service.keys.create({ name: 'gateway' });
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await service.close();
  });
  const { port } = server.address() as AddressInfo;
  async function send(
    path: string,
    { method = 'POST', headers, body }: Sent,
  ): Promise<readonly [number, string]> {
    const sent = request({ port, host: '127.0.0.1', path, method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const piece of answer.setEncoding('utf8')) text += piece;
    return [answer.statusCode, text];
  }
  return { service, agent_id, key, send };
}

describe('Envoy', () => {
  const [{ typed_config: config }] = parse(block('ext_authz')) as [
    { typed_config: Readonly<Record<string, unknown>> },
  ];
  const { path_prefix, authorization_request } = config['http_service'] as {
    path_prefix: string;
    authorization_request: { headers_to_add: readonly { key: string; value: string }[] };
  };

  test('stops requests while the service is down, by the page', () => {
    expect(config['failure_mode_allow']).toBe(false);
    expect(authorization_request.headers_to_add.map(({ key }) => key)).toEqual(['X-API-Key', 'X-Agent-Id']);
  });

  test('lets a request pass only if it is allowed', async () => {
    const { key, send, service } = await openPoint(
      { check: 'path' },
      {
        allowed_actions: ['http.get', 'http.post'],
        conditions: [{ at: '/path', path_under: ['/orders'] }],
      },
    );
    const added = Object.fromEntries(
      authorization_request.headers_to_add.map(({ key: name, value }) => [
        name,
        name === 'X-API-Key' ? key : value,
      ]),
    );
    // Host, path and method are the client's, and so is Authorization; Content-Length is 0 without the body.
    const ask = (method: string, path: string) =>
      send(`${path_prefix}${path}`, {
        method,
        headers: {
          host: 'shop.example',
          authorization: 'Bearer token-of-the-user',
          'content-length': '0',
          'x-envoy-internal': 'true',
          'x-forwarded-for': '10.0.0.9',
          'x-envoy-expected-rq-timeout-ms': '1000',
          ...added,
        },
      });
    expect(await ask('GET', '/orders/1?page=2')).toEqual([200, '{}']);
    expect(await ask('POST', '/orders')).toEqual([200, '{}']);
    expect(await ask('DELETE', '/orders/1')).toEqual([403, '{"reasons":["action_not_allowed"]}']);
    expect(await ask('GET', '/admin')).toEqual([403, '{"reasons":["parameter_not_allowed"]}']);
    // Envoy does not resolve a path without `normalize_path`.
    expect(await ask('GET', '/orders/../admin')).toEqual([403, '{"reasons":["intent_unreadable"]}']);
    const { data } = await service.verifications.list();
    expect(data.map(({ action }) => action)).toEqual(['http.get', 'http.delete', 'http.post', 'http.get']);
  });
});

test('FastMCP with Apparitor runs a tool only by its name and arguments', async () => {
  const { agent_id, key, send } = await openPoint({}, JSON.parse(block('"allowed_actions"')));
  const ask = (id: string, args: object, sub: string = agent_id) =>
    send('/api/access/v1/evaluation', {
      headers: { 'content-type': 'application/json', 'X-API-Key': key, 'user-agent': 'python-httpx/0.28.1' },
      body: {
        subject: { type: 'user', id: sub, properties: { client_id: sub, scopes: [] } },
        action: { name: 'tool_call.execute', properties: {} },
        resource: { type: 'mcp_tool', id, properties: { arguments: args } },
      },
    });
  const decision = async (...asked: Parameters<typeof ask>): Promise<unknown> => {
    const [status, text] = await ask(...asked);
    const { decision, context } = JSON.parse(text);
    return [status, decision, ...(context.reasons ?? []).map(({ code }: { code: string }) => code)];
  };
  expect(await decision('files/read', { path: '/srv/app/a.txt' })).toEqual([200, true]);
  expect(await decision('files/delete', { path: '/srv/app/a.txt' })).toEqual([
    200,
    false,
    'parameter_not_allowed',
  ]);
  expect(await decision('files/read', { path: '/etc/passwd' })).toEqual([
    200,
    false,
    'parameter_not_allowed',
  ]);
  expect(await decision('files/read', { path: '***redacted***' })).toEqual([
    200,
    false,
    'parameter_not_allowed',
  ]);
  expect(await decision('files/read', { _truncated: true })).toEqual([200, false, 'parameter_required']);
  const other = 'did:web:example.com:agents:other';
  expect(await decision('files/read', { path: '/srv/app' }, other)).toEqual([200, false, 'agent_not_found']);
});

test('Traefik Hub gets a decision for the mapping of the page', async () => {
  const { mapping } = parse(block('authzen-mcp:')).spec.plugin['authzen-mcp'].policies[0];
  const { agent_id, key, send } = await openPoint({}, { allowed_actions: ['payments.create'] });
  const ask = (sub: string) =>
    send('/api/access/v1/evaluation', {
      headers: { 'content-type': 'application/json', 'X-API-Key': key },
      body: { ...mapping.evaluation, subject: { ...mapping.evaluation.subject, id: sub } },
    });
  expect(mapping.evaluation.subject.id).toBe('$token.sub');
  expect(JSON.parse((await ask(agent_id))[1])).toMatchObject({ decision: true });
  expect(JSON.parse((await ask('did:web:example.com:agents:other'))[1])).toMatchObject({ decision: false });
});
