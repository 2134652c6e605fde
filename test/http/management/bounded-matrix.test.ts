/** Every endpoint by a management key of each scope that is bound to agents or domains: no answer is about others. */
import { expect, test } from 'vitest';
import { MANAGEMENT_SCOPES } from '../../../src/base/values/scopes.ts';
import { endpoints } from '../../../src/http/endpoints.ts';
import type { Scope } from '../../../src/records.ts';
import { expectProblem, issue } from '../../support/api.ts';
import { openTeam } from './team.ts';

/** The scopes that no bound key holds: their records are not sorted by agent. */
const UNBOUND: readonly Scope[] = [
  'verifications:read',
  'audit:read',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
];
const BOUND = [
  ...MANAGEMENT_SCOPES.filter((scope) => !UNBOUND.includes(scope)),
  'revoke',
  'reinstate',
] as const;
const OUTSIDE = 'outside.example';

async function openBoth() {
  const team = await openTeam({ rateLimits: 'off' });
  const { api, token, service, account_id } = team;
  const inside = await issue(api, token, { domain: 'inside.example', agent_name: 'one' });
  const outside = await issue(api, token, {
    domain: OUTSIDE,
    agent_name: 'one',
    allowed_actions: ['orders.get'],
    approval: { actions: ['orders.get'] },
  });
  const asked = await service.verify({ agent_id: outside, action: 'orders.get' }, { account_id });
  const key = await service.keys.create({ name: `for ${OUTSIDE}`, agent_ids: [outside] }, { account_id });
  return { ...team, inside, outside, keyId: key.id, approval: `${asked.reasons[0]?.['approval_id']}` };
}

/** What is asked in a request about the agent outside: enough for every body of the API. */
function bodyAbout(outside: string): object {
  const [, , domain = '', , agent_name = ''] = outside.split(':');
  const passport = { domain, agent_name: `${agent_name}-2`, allowed_actions: [], monetary_limit_per_txn: 0 };
  return {
    agent_id: outside,
    agent_ids: [outside],
    reason: 'none',
    name: 'new',
    scopes: ['verify'],
    ...passport,
  };
}

test.each(
  BOUND.flatMap((scope) => (['domains', 'agent_ids'] as const).map((bound) => [scope, bound] as const)),
)(
  'a key with %s that is bound by %s gets and changes nothing outside, at any endpoint',
  async (scope, bound) => {
    const opened = await openBoth();
    const { service, keyOf, ask, inside, outside, keyId, approval, account_id, agent_id: team } = opened;
    const scopes: readonly Scope[] = /^re/.test(scope) ? ['keys:read', scope] : [scope];
    const key = await keyOf(
      scopes,
      bound === 'domains' ? { domains: ['inside.example'] } : { agent_ids: [inside] },
    );
    // The verdict above is noted by the hour at any time.
    const { last_seen_at: _, ...before } = await service.passports.get(outside, { account_id });
    for (const { method, path, credential, needs } of endpoints) {
      if (credential === 'none' || needs?.(service) === false || path === '/events') continue;
      const id = path.startsWith('/approvals') ? approval : keyId;
      const target = path
        .replace('{agent_id}', encodeURIComponent(outside))
        .replace('{id}', id)
        .replaceAll(/\{\w+\}/g, 'x');
      for (const json of method === 'GET' ? [undefined] : [{}, bodyAbout(outside)]) {
        const { status, body } = await ask(key, method, target, json);
        const name = `${method} ${path} ${status}`;
        expect(JSON.stringify(body), name).not.toContain(OUTSIDE);
        // Lists have what is inside, a key of its own is its own.
        if (path.includes('{') || method !== 'GET') expect([401, 403, 404, 400], name).toContain(status);
      }
    }
    const { last_seen_at: __, ...after } = await service.passports.get(outside, { account_id });
    expect(after).toEqual(before);
    expect(await service.keys.get(keyId, { account_id })).toMatchObject({ status: 'active' });
    expect(await service.approvals.get(approval, { account_id })).toMatchObject({ status: 'pending' });
    const { data } = await service.passports.list({ limit: 100 }, { account_id });
    expect(data.map(({ agent_id }) => agent_id).sort()).toEqual([team, inside, outside].sort());
  },
);

test.each(UNBOUND)('no bound key has the scope %s', async (scope) => {
  const { api, token, inside } = await openBoth();
  for (const bound of [{ domains: ['inside.example'] }, { agent_ids: [inside] }]) {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const made = await api.ask('POST', '/keys', {
      token,
      json: { name: 'x', scopes: [scope], expires_at, ...bound },
    });
    expect(expectProblem(made, 400, 'invalid_request')).toEqual(['/scopes']);
  }
});
