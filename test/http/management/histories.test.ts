/** Random calls by management keys: none gets a right beyond its own, and none widens without another person. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scope } from '../../../src/records.ts';
import { issue } from '../../support/api.ts';
import { openTeam, pathOf, type Team } from './team.ts';

const SCOPES: readonly (readonly Scope[])[] = [
  ['passports:read'],
  ['passports:propose'],
  ['passports:write'],
  ['keys:write', 'passports:propose'],
  ['keys:read', 'approvals:read'],
];

const stepArbitrary = fc.record({
  who: fc.nat(SCOPES.length - 1),
  isBound: fc.boolean(),
  isOutside: fc.boolean(),
  what: fc.constantFrom('read', 'patch', 'create', 'key', 'list', 'approve'),
  limit: fc.integer({ min: 1, max: 200 }),
  scopes: fc.subarray(['verify', 'revoke', 'sign', 'refund', 'passports:write', 'keys:write'] as const, {
    minLength: 1,
  }),
});
type Step = typeof stepArbitrary extends fc.Arbitrary<infer Made> ? Made : never;

/** The limit that a passport has now. */
async function limitOf({ service, account_id }: Team, agent_id: string): Promise<number> {
  return Number((await service.passports.get(agent_id, { account_id })).monetary_limit_per_txn);
}

test('in 300 random histories no key goes beyond its rights', async () => {
  const team = await openTeam({ rateLimits: 'off', plans: { starter: { keys: null, passports: null } } });
  const { api, token, ask, service, account_id } = team;
  const domains = ['inside.example'];
  const keys = await Promise.all(
    SCOPES.map(async (scopes) => [await team.keyOf(scopes), await team.keyOf(scopes, { domains })] as const),
  );
  let count = 0;

  async function run(step: Step, agents: Readonly<Record<'inside' | 'outside', string>>): Promise<void> {
    const { who, isBound, isOutside, what, limit, scopes } = step;
    const held = SCOPES[who] ?? [];
    const key = keys[who]?.[isBound ? 1 : 0] ?? '';
    const agent_id = isOutside ? agents.outside : agents.inside;
    const isBeyond = isBound && isOutside;
    if (what === 'read') {
      const { status } = await ask(key, 'GET', pathOf(agent_id));
      const mayRead = held.some((scope) => scope.startsWith('passports:'));
      expect(status).toBe(mayRead ? (isBeyond ? 404 : 200) : 403);
    } else if (what === 'patch') {
      const before = await limitOf(team, agent_id);
      const { status } = await ask(key, 'PATCH', pathOf(agent_id), { monetary_limit_per_txn: limit });
      const after = await limitOf(team, agent_id);
      if (status !== 200) expect(after).toBe(before);
      if (after > before) expect([held, isBeyond]).toEqual([['passports:write'], false]);
    } else if (what === 'create') {
      count += 1;
      const domain = isOutside ? 'outside.example' : 'inside.example';
      const json = { domain, agent_name: `new-${count}`, allowed_actions: ['a'], monetary_limit_per_txn: 1 };
      const { status } = await ask(key, 'POST', '/passports', json);
      expect(status).toBe(held.includes('passports:write') && !isBeyond ? 201 : 403);
    } else if (what === 'key') {
      const json = { name: 'x', scopes, agent_ids: [agent_id], expires_at: team.expires_at };
      const { status, body } = await ask(key, 'POST', '/keys', json);
      if (status !== 201) return;
      expect([held.includes('keys:write'), isBeyond]).toEqual([true, false]);
      const made = await service.keys.get(String(body['id']), { account_id });
      expect(made.scopes.every((scope) => scope === 'verify' || scope === 'revoke')).toBe(true);
      expect(made.person).toMatch(/^mem_/);
    } else if (what === 'list') {
      const { status, text } = await ask(key, 'GET', '/passports');
      if (status === 200 && isBound) expect(text).not.toContain('outside.example');
    } else {
      const { data } = await service.approvals.list({ status: 'pending' }, { account_id });
      for (const { id } of data.slice(0, 2))
        expect((await ask(key, 'POST', `/approvals/${id}/approve`, {})).status).toBe(403);
    }
  }

  let at = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 4, maxLength: 10 }), async (steps) => {
      at += 1;
      const of = (domain: string) =>
        issue(api, token, {
          domain,
          agent_name: `agent-${at}`,
          currency: 'EUR',
          monetary_limit_per_txn: 100,
        });
      const agents = { inside: await of('inside.example'), outside: await of('outside.example') };
      for (const step of steps) await run(step, agents);
    }),
    { numRuns: 300 },
  );
});
