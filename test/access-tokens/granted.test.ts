/** That every granted action is an ALLOW that takes nothing. */

import * as fc from 'fast-check';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { resourceTarget } from '../../src/base/values/access-token.ts';
import { prepare } from '../../src/verdict/index.ts';
import { takingsIn } from '../../src/verdict/takings.ts';
import { seedOf, sized } from '../support/runs.ts';
import { assertionOf, formOf, makeKeyPair, openIssuer, RESOURCE, TOKEN_URL } from './stage.ts';

const ACCOUNT = { account_id: 'acc_1' };
const ACTIONS = ['orders.read', 'orders.list', 'mail.send', 'pay.now', 'files.read'] as const;
const PATTERNS = [...ACTIONS, 'orders.*', 'mail.*', '*'] as const;

/** About every second case grants something. */
const RUNS = sized(2_000, 200);

const some = <Value>(list: readonly Value[], least = 0) =>
  fc.subarray([...list], { minLength: least, maxLength: 3 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 1 });
const limits = fc.record({
  allowed: some(PATTERNS),
  denied_actions: maybe(some(PATTERNS, 1)),
  monetary_actions: fc.constant(['pay.now']),
  budgets: maybe(some(PATTERNS, 1).map((actions) => [{ name: 'some', window: 'day', count: 9, actions }])),
  conditions: maybe(some(PATTERNS, 1).map((actions) => [{ actions, at: '/to', in: ['ann'] }])),
  approval: maybe(some(ACTIONS, 1).map((actions) => ({ actions }))),
  pace: maybe(some(PATTERNS, 1).map((actions) => [{ max: 5, seconds: 60, actions }])),
  order: maybe(
    some(ACTIONS, 1).map((actions) => [
      { name: 'first', actions, needs: { actions: ['files.read'], seconds: 60 } },
    ]),
  ),
  allowed_targets: maybe(fc.constantFrom(['did:web:mcp.example'], ['did:web:other.example'])),
  proof: fc.constantFrom('optional', 'identity'),
});

test('a granted action is an ALLOW of the whole chain, and takes nothing', async () => {
  const issuer = openIssuer(undefined, { rateLimits: 'off' });
  const key = await makeKeyPair();
  let granted = 0;
  const issueOf = async ({ allowed, ...fields }: Record<string, unknown>, parent?: string) =>
    issuer.issue([key], {
      ...JSON.parse(JSON.stringify(fields)),
      allowed_actions: ['oauth:token', ...(allowed as readonly string[])],
      ...(parent !== undefined && { parent_agent_id: parent }),
    });
  await fc.assert(
    fc.asyncProperty(limits, limits, async (above, own) => {
      const parent = await issueOf({ ...above, proof: 'optional' });
      const child = await issueOf({ ...own, proof: 'optional' }, parent.agent_id);
      const form = formOf(await assertionOf(child.agent_id, key), { scope: ACTIONS.join(' ') });
      const response = await issuer.fetch(TOKEN_URL, { method: 'POST', body: form });
      if (response.status !== 200) return;
      const { scope = '' } = decodeJwt((await response.json()).access_token) as { readonly scope?: string };
      const chain = [prepare(child), prepare(parent)];
      for (const action of scope.split(' ').filter((one) => one !== '')) {
        granted += 1;
        const intent = { agent_id: child.agent_id, action, target: resourceTarget(RESOURCE) };
        expect(takingsIn(chain, intent)).toEqual([]);
        const record = await issuer.service.verify(intent, ACCOUNT);
        expect([record.verdict, record.budgets]).toEqual(['ALLOW', []]);
      }
    }),
    { numRuns: RUNS, seed: seedOf(57) },
  );
  expect(granted).toBeGreaterThan(20);
});
