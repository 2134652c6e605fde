/** That no request to the endpoints of tokens gets 500. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf, sized } from '../support/runs.ts';
import { assertionOf, dpopOf, formOf, ISSUER, makeKeyPair, RESOURCE, TOKEN_URL } from './stage.ts';
import { GRANT, openTrust, signUser, signWorkload } from './trust.ts';

const NAMES = [
  ...['grant_type', 'resource', 'scope', 'client_id', 'client_secret', 'assertion', 'token'],
  ...['client_assertion', 'client_assertion_type', '__proto__', 'constructor', ''],
];

test('no request gets 500, and every answer is JSON with a code or a token', async () => {
  const trust = await openTrust({ more: { rateLimits: 'off' } });
  const { agent_id, agentKey, cluster, idp, fetch, service } = trust;
  const { key } = await service.keys.create(
    { name: 'x', scopes: ['token', 'verify'], agent_ids: [agent_id] },
    { account_id: 'acc_1' },
  );
  const good = [
    await assertionOf(agent_id, agentKey),
    await signWorkload(cluster),
    await signUser(idp, agent_id),
    await dpopOf(await makeKeyPair()),
  ];
  const broken = fc
    .tuple(fc.constantFrom(...good), fc.nat(), fc.string({ maxLength: 3 }))
    .map(([text, at, put]) => {
      const place = at % text.length;
      return text.slice(0, place) + put + text.slice(place + 1);
    });
  const json = fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text).toString('base64url'));
  const jws = fc.tuple(json, json, fc.base64String()).map((parts) => parts.join('.'));
  const text = fc.oneof(
    fc.constantFrom(...good, agent_id, RESOURCE, GRANT, 'client_credentials', 'orders.read', `${key}`),
    broken,
    jws,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.webUrl(),
  );
  const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { maxLength: 8 });
  const based = fc.constantFrom<Record<string, string>>(
    {},
    Object.fromEntries(formOf(good[0] ?? '')),
    { grant_type: GRANT, client_id: agent_id, resource: RESOURCE, assertion: good[1] ?? '' },
    { ...Object.fromEntries(formOf(good[0] ?? '')), grant_type: GRANT, assertion: good[2] ?? '' },
  );
  const latin = text.map((one) => one.replace(/[^\x21-\x7e]/g, '') || 'x');
  const headers = fc.record(
    {
      authorization: fc.oneof(
        latin,
        latin.map((one) => `Basic ${btoa(one)}`),
        fc.constant(`Bearer ${key}`),
      ),
      dpop: latin,
      'x-api-key': latin,
      'content-type': fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain'),
    },
    { requiredKeys: [] },
  );
  const url = fc.constantFrom(TOKEN_URL, `${ISSUER}/introspect`);
  const found = new Set<number>();
  await fc.assert(
    fc.asyncProperty(url, based, pairs, headers, async (address, base, more, sent) => {
      const body = new URLSearchParams([
        ...Object.entries({ ...base, ...Object.fromEntries(more) }),
      ]).toString();
      const given = { 'content-type': 'application/x-www-form-urlencoded', ...sent };
      const response = await fetch(address, { method: 'POST', body, headers: given });
      found.add(response.status);
      const answer = await response.json();
      expect([200, 400, 401, 413, 429, 503]).toContain(response.status);
      const isRight =
        response.status === 200 ? 'access_token' in answer || 'active' in answer : 'error' in answer;
      expect(isRight).toBe(true);
    }),
    { numRuns: sized(10_000, 1_000), seed: seedOf(58) },
  );
  expect(found).toContain(400);
});
