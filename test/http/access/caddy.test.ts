/** The exchange of a real Caddy 2.6.2 with the set-up of the page, replayed as it was recorded. */
import { createIdentityService } from 'agent-identity-service';
import { authzen } from 'agent-identity-service/authzen';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatch } from '../../../src/http/dispatch.ts';
import { readPage } from '../../readme/pages.ts';
import { PATIENT_MS } from '../../support/patience.ts';

/**
 * What Caddy sent for three requests of curl. The first one had `X-Agent-Id`, `X-API-Key` and three `X-Forwarded-`
 * headers of its own: Caddy replaced all of them.
 */
const RECORDED = [
  [
    'POST',
    '/orders/../admin?x=1',
    ['Authorization', 'Bearer u', 'Content-Type', 'application/x-www-form-urlencoded'],
  ],
  ['GET', '/orders/1?page=2', []],
  ['GET', '/admin', []],
] as const;

test('a request that Caddy asks about passes only if it is allowed', async () => {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    capabilities: [authzen({ agentDomain: 'example.com', check: 'forwarded' })],
  });
  onTestFinished(() => service.close());
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: 0 },
    allowed_actions: ['http.get', 'http.post'],
    conditions: [{ actions: ['http.*'], at: '/path', path_under: ['/orders'] }],
  });
  const { key } = await service.keys.create({ name: 'caddy' });
  const dispatch = createDispatch(service as never);
  const statuses = [];
  for (const [method, uri, more] of RECORDED) {
    const rawHeaders = [
      ...['Host', '127.0.0.1:8088', 'User-Agent', 'curl/7.88.1', 'Accept', '*/*', ...more],
      ...['X-Agent-Id', 'shopper', 'X-Api-Key', key, 'X-Forwarded-For', '127.0.0.1'],
      ...['X-Forwarded-Host', '127.0.0.1:8088', 'X-Forwarded-Method', method, 'X-Forwarded-Proto', 'http'],
      ...['X-Forwarded-Uri', uri, 'Accept-Encoding', 'gzip'],
    ];
    const answer = await dispatch({
      ...{ method: 'GET', path: '/access/v1/check', query: uri.split('?')[1] ?? '', rawHeaders },
      client: () => ({ address: undefined }),
      signal: () => new AbortController().signal,
      readBody: async () => new Uint8Array(0),
    });
    statuses.push([answer?.status, answer?.body]);
  }
  expect(statuses).toEqual([
    [403, '{"reasons":["intent_unreadable"]}'],
    [200, '{}'],
    [403, expect.stringContaining('parameter_')],
  ]);
});

test('the page sets the key and the agent in Caddy', () => {
  const page = readPage('src/http/access/gateways/README.md');
  for (const name of ['X-API-Key', 'X-Agent-Id']) expect(page).toContain(`header_up ${name} {env.`);
  expect(page).toContain('uri /api/access/v1/check');
});
