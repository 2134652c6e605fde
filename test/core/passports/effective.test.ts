import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PassportRecord } from '../../../src/core/passports/collections.ts';
import { inEffect } from '../../../src/core/passports/effective.ts';
import { decide, prepare } from '../../../src/verdict/index.ts';
import { type ChainQuestion, familyArbitrary, QUESTIONS } from '../../support/chains.ts';
import { nightly, sized } from '../../support/runs.ts';
import { openLocalService } from '../../support/service.ts';

const AT = '2026-11-20T12:00:00.000Z';
/** Intents, of which a family is asked `QUESTIONS`. */
const RUNS = nightly(1_000_000, sized(20_000, 2_000));

/** Without budgets, which the intersection only lists, but with what they require. */
function withoutBudgets({ budgets = [], ...passport }: ChainQuestion['passport']): PassportRecord {
  const required = budgets.flatMap(({ limit, actions = [] }) => (limit === undefined ? [] : actions));
  const monetary = [...new Set([...(passport.monetary_actions ?? []), ...required])];
  const limit = `${passport.monetary_limit_per_txn}`;
  const { agent_id: id, proof: _, approval, ...fields } = passport;
  const asking = approval && { seconds: 3_600, ...approval };
  return {
    id,
    ...fields,
    monetary_actions: monetary,
    monetary_limit_per_txn: limit,
    ...(asking && { approval: asking }),
  } as unknown as PassportRecord;
}

test('what is in effect gives the verdicts of the chain', async () => {
  const seen = { ALLOW: 0, DENY: 0 };
  await fc.assert(
    fc.asyncProperty(familyArbitrary(), async ({ passport, ancestors, questions }) => {
      const own = withoutBudgets(passport);
      const above = ancestors.map(withoutBudgets);
      const asIs = (record: PassportRecord) => prepare({ ...record, agent_id: record.id } as never);
      const asked = { passport: asIs(own), ancestors: above.map(asIs) };
      const currencies = new Set([own, ...above].flatMap(({ currency }) => currency ?? []));
      const [first] = questions;
      const at = Number.isFinite(first?.at) ? Number(first?.at) : Date.parse(AT);
      const {
        ancestors: _,
        parent_agent_id: __,
        ...fields
      } = await inEffect(own, above, new Date(at).toISOString());
      const narrowest = prepare(fields as never);
      for (const { intent } of questions) {
        const effective = decide({ passport: narrowest, intent, at }).verdict;
        const chain = decide({ ...asked, intent, at }).verdict;
        const { amount, currency } = Object(intent.parameters ?? {});
        // Two currencies: what carries an amount or a currency passes nowhere. The fields of a passport can only say
        // that no amount above 0 does.
        const isSaid = currencies.size < 2 || (amount === undefined && currency === undefined);
        if ((isSaid || chain === 'ALLOW') && effective !== chain)
          expect.fail(JSON.stringify({ fields, intent }));
        seen[chain] += 1;
      }
    }),
    { numRuns: RUNS / QUESTIONS },
  );
  expect(Math.min(seen.ALLOW, seen.DENY)).toBeGreaterThan(RUNS / 50);
}, 3_600_000);

describe('the passport in effect', () => {
  async function issued() {
    const { service } = openLocalService();
    const base = { domain: 'shop.example', currency: 'EUR' };
    const { agent_id: root } = await service.passports.create({
      ...base,
      agent_name: 'root',
      allowed_actions: ['payments.*', 'orders.list'],
      denied_actions: ['payments.refund'],
      monetary_actions: ['payments.*'],
      monetary_limit_per_txn: '99.5',
      allowed_targets: ['did:web:*.suppliers.example', 'did:web:shop.example'],
      budgets: [{ window: 'day', limit: 500 }],
      expires_at: '2027-01-31T09:00:00Z',
    });
    const { agent_id } = await service.passports.create({
      ...base,
      agent_name: 'child',
      parent_agent_id: root,
      allowed_actions: ['*'],
      monetary_actions: ['payments.create'],
      monetary_limit_per_txn: 10_000,
      allowed_targets: ['did:web:*.paper.suppliers.example', 'did:web:other.example'],
      budgets: [{ window: 'hour', count: 20 }],
      expires_at: '2026-12-31T09:00:00Z',
    });
    return { service, root, agent_id };
  }

  test('has the narrower of each field', async () => {
    const { service, root, agent_id } = await issued();
    expect(await service.passports.effective(agent_id)).toEqual({
      agent_id,
      parent_agent_id: root,
      ancestors: [root],
      status: 'active',
      suspended_until: null,
      allowed_actions: ['payments.*', 'orders.list'],
      denied_actions: ['payments.refund'],
      monetary_limit_per_txn: 99.5,
      currency: 'EUR',
      allowed_targets: ['did:web:*.paper.suppliers.example'],
      monetary_actions: ['payments.create', 'payments.*'],
      budgets: [
        { agent_id, name: 'hour', window: 'hour', count: 20 },
        { agent_id: root, name: 'day', window: 'day', limit: 500 },
      ],
      expires_at: '2026-12-31T09:00:00.000Z',
    });
  });

  test('asks a person where one of them says so, for the shortest time', async () => {
    const { service, root } = await issued();
    await service.passports.update(root, { approval: { above: 50, seconds: 600 } });
    const { agent_id } = await service.passports.create({
      domain: 'shop.example',
      agent_name: 'careful',
      parent_agent_id: root,
      currency: 'EUR',
      allowed_actions: ['*'],
      monetary_actions: ['payments.create'],
      monetary_limit_per_txn: 5,
      approval: { above: '20.5', actions: ['orders.list'] },
    });
    expect(await service.passports.effective(agent_id)).toMatchObject({
      approval: { above: 20.5, actions: ['orders.list'], seconds: 600 },
    });
  });

  test('has the worst status, and the end of the last suspension', async () => {
    const { service, root, agent_id } = await issued();
    await service.suspend({ agent_id: root, until: '2026-11-22T00:00:00Z' });
    await service.suspend({ agent_id, until: '2026-11-21T00:00:00Z' });
    const suspended = { status: 'suspended', suspended_until: '2026-11-22T00:00:00.000Z' };
    expect(await service.passports.effective(agent_id)).toMatchObject(suspended);
    await service.revoke({ agent_id: root });
    expect(await service.passports.effective(agent_id)).toMatchObject({
      status: 'revoked',
      suspended_until: null,
    });
  });

  test('lets no amount pass where two passports name different currencies', async () => {
    const { service } = await issued();
    const { agent_id } = await service.passports.create({
      domain: 'shop.example',
      agent_name: 'dollars',
      parent_agent_id: 'did:web:shop.example:agents:root',
      currency: 'USD',
      allowed_actions: ['*'],
      monetary_limit_per_txn: 5,
    });
    expect(await service.passports.effective(agent_id)).toMatchObject({
      currency: 'USD',
      monetary_limit_per_txn: 0,
    });
  });

  test('is not found where the passport is not', async () => {
    const { service } = await issued();
    await expect(service.passports.effective('did:web:shop.example:agents:x')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
