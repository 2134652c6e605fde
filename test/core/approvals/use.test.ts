/** Approvals within all other rules: what asks for one, what uses one, and what does neither. */
import { describe, expect, test } from 'vitest';
import type { PassportInput } from '../../../src/records.ts';
import { codesOf, idIn, openShop, SHOPPER } from './stage.ts';

test('only the amount above, and the actions that are named, need a person', async () => {
  const { ask, agent_id } = await openShop();
  expect((await ask({ amount: 100 })).verdict).toBe('ALLOW');
  expect(codesOf(await ask({ amount: '100.01' }))).toEqual(['approval_required']);
  expect(codesOf(await ask({ amount: 1, action: 'payments.refund' }))).toEqual(['approval_required']);
  const quote = { agent_id, action: 'quotes.read', parameters: {} };
  expect((await ask(quote)).verdict).toBe('ALLOW');
});

test('a verdict that is denied anyway asks no person', async () => {
  const { ask, approvals, agent_id, service } = await openShop();
  expect(codesOf(await ask({ amount: 10_001 }))).toEqual(['amount_over_limit']);
  await service.suspend({ agent_id });
  expect(codesOf(await ask())).toEqual(['agent_suspended']);
  expect((await approvals.list()).data).toEqual([]);
});

test('a dry run asks no person, names no approval, and uses none', async () => {
  const { ask, approved, approvals, request } = await openShop();
  const unnamed = { code: 'approval_required', approval_id: null, expires_at: null };
  expect((await ask({ dry_run: true })).reasons).toMatchObject([unnamed]);
  expect((await approvals.list()).data).toEqual([]);
  const pending = await request({ amount: 300 });
  expect((await ask({ amount: 300, dry_run: true })).reasons).toMatchObject([unnamed]);
  expect(codesOf(await ask({ amount: 300, dry_run: true, approval_id: pending }))).toEqual([
    'approval_pending',
  ]);
  const approval_id = await approved();
  expect((await ask({ dry_run: true, approval_id })).verdict).toBe('ALLOW');
  expect((await approvals.get(approval_id)).status).toBe('approved');
  expect((await ask({ approval_id })).verdict).toBe('ALLOW');
});

test('evaluates and uses an approval even if none is needed', async () => {
  const { ask, approved, service, agent_id, approvals } = await openShop();
  const approval_id = await approved();
  await service.passports.update(agent_id, { approval: null });
  expect(codesOf(await ask({ approval_id: 'apr_unknown' }))).toEqual(['approval_mismatch']);
  expect((await ask({ approval_id })).verdict).toBe('ALLOW');
  expect((await approvals.get(approval_id)).status).toBe('used');
  expect(codesOf(await ask({ approval_id }))).toEqual(['approval_used']);
  expect((await ask()).verdict).toBe('ALLOW');
});

test('what has changed since the approval counts at the moment of its use', async () => {
  const { ask, approved, service, agent_id, approvals } = await openShop();
  const approval_id = await approved();
  await service.passports.update(agent_id, { monetary_limit_per_txn: 200 });
  expect(codesOf(await ask({ approval_id }))).toEqual(['amount_over_limit']);
  expect((await approvals.get(approval_id)).status).toBe('approved');
  await service.passports.update(agent_id, { monetary_limit_per_txn: 300, approval: { above: 10 } });
  expect((await ask({ approval_id })).verdict).toBe('ALLOW');
});

describe('with a budget', () => {
  const budgets: PassportInput['budgets'] = [{ window: 'day', limit: 500 }];

  test('an intent that does not fit it asks no person', async () => {
    const { ask, approvals } = await openShop(undefined, { budgets });
    expect(codesOf(await ask({ amount: 501 }))).toEqual(['budget_exceeded']);
    expect((await approvals.list()).data).toEqual([]);
    expect(codesOf(await ask({ amount: 500 }))).toEqual(['approval_required']);
  });

  test('asking takes nothing of it, and the use of the approval takes all at once', async () => {
    const { ask, approved, service, agent_id, approvals } = await openShop(undefined, { budgets });
    const [first, second] = [await approved(), await approved({ amount: 300 })];
    const left = async () => (await service.passports.budgets(agent_id)).data[0]?.remaining;
    expect(await left()).toBe(500);
    expect(codesOf(await ask({ approval_id: second }))).toEqual(['approval_mismatch']);
    expect(await ask({ approval_id: first })).toMatchObject({ verdict: 'ALLOW', budgets: [{ spent: 250 }] });
    expect(codesOf(await ask({ approval_id: second, amount: 300 }))).toEqual(['budget_exceeded']);
    expect((await approvals.get(second)).status).toBe('approved');
    expect(await left()).toBe(250);
  });

  test('the exceeded budget answers alone also where the approval is of no use', async () => {
    const { ask, approved } = await openShop(undefined, { budgets });
    const approval_id = await approved();
    await ask({ approval_id });
    expect(codesOf(await ask({ approval_id, amount: 400 }))).toEqual(['budget_exceeded']);
    expect(codesOf(await ask({ approval_id, amount: 200 }))).toEqual(['approval_mismatch']);
  });

  test('an approved intent can be held, and the hold is no part of what was approved', async () => {
    const { ask, approved, service } = await openShop(undefined, { budgets });
    const approval_id = await approved();
    const { verdict, decision_id } = await ask({ approval_id, hold_seconds: 60 });
    expect(verdict).toBe('ALLOW');
    expect(await service.spends.get(decision_id)).toMatchObject({ status: 'held', amount: 250 });
  });
});

test('an ALLOW that used an approval is remembered under its key, and a DENY is not', async () => {
  const { service, intentOf, approved } = await openShop();
  const under = (approval_id?: string) =>
    service.verify(intentOf(approval_id === undefined ? {} : { approval_id }), { idempotencyKey: 'k' });
  expect(codesOf(await under())).toEqual(['approval_required']);
  const approval_id = await approved();
  const first = await under(approval_id);
  expect(first.verdict).toBe('ALLOW');
  expect(await under(approval_id)).toEqual(first);
  await expect(under()).rejects.toMatchObject({ code: 'idempotency_mismatch' });
});

test('the same intent twice in a batch names one approval, and uses it once', async () => {
  const { service, intentOf, approvals } = await openShop();
  const asked = await service.verifyBatch({ intents: [intentOf(), intentOf(), intentOf({ amount: 99 })] });
  expect(asked.map(codesOf)).toEqual([['approval_required'], ['approval_required'], []]);
  const [first, second] = asked.slice(0, 2).map(({ reasons }) => idIn(reasons));
  expect(second).toBe(first);
  await approvals.approve(first ?? '');
  const intent = intentOf({ approval_id: first ?? '' });
  const used = await service.verifyBatch({ intents: [intent, intent] });
  expect(used.map(codesOf)).toEqual([[], ['approval_used']]);
});

test('an approval of live is of no use in test, and a key sees its own environment alone', async () => {
  const { service, intentOf, approved } = await openShop();
  const approval_id = await approved();
  const at = { environment: 'test' } as const;
  expect(codesOf(await service.verify(intentOf({ approval_id }), at))).toEqual(['approval_mismatch']);
  const inTest = idIn((await service.verify(intentOf(), at)).reasons);
  expect(inTest).not.toBe(approval_id);
  await expect(service.approvals.get(approval_id, at)).rejects.toMatchObject({ code: 'not_found' });
  expect((await service.approvals.get(inTest, at)).environment).toBe('test');
});

test('a trial says that a person would be asked, and asks none', async () => {
  const { service, intentOf, agent_id, approvals } = await openShop();
  const tried = await service.passports.try(agent_id, { intent: intentOf() });
  expect(tried).toMatchObject({
    verdict: 'DENY',
    reasons: [{ code: 'approval_required', approval_id: null }],
  });
  const patch = { approval: { above: 250 } };
  expect(await service.passports.try(agent_id, { intent: intentOf(), patch })).toEqual({
    verdict: 'ALLOW',
    reasons: [],
  });
  expect((await approvals.list()).data).toEqual([]);
});

test('a chain asks one approver, with the shortest time of its passports', async () => {
  const { service, intentOf, agent_id, approvals, clock } = await openShop();
  const child = await service.passports.create({
    ...SHOPPER,
    agent_name: 'child',
    parent_agent_id: agent_id,
    approval: { above: 50, seconds: 300 },
  });
  const intent = { ...intentOf(), agent_id: child.agent_id };
  const id = idIn((await service.verify(intent)).reasons);
  expect(await approvals.get(id)).toMatchObject({
    agent_id: child.agent_id,
    expires_at: clock.instant(300_000),
    reasons: [
      { agent_id: child.agent_id, above: '50' },
      { agent_id, above: '100' },
    ],
  });
  await approvals.approve(id);
  expect(codesOf(await service.verify({ ...intentOf(), approval_id: id }))).toEqual(['approval_mismatch']);
  expect((await service.verify({ ...intent, approval_id: id })).verdict).toBe('ALLOW');
  await service.passports.update(child.agent_id, { approval: null });
  expect(codesOf(await service.verify(intent))).toEqual(['approval_required']);
  const [batched] = await service.verifyBatch({ intents: [intent] });
  expect(batched && codesOf(batched)).toEqual(['approval_required']);
  const tried = await service.passports.try(child.agent_id, { intent });
  expect(tried.reasons).toMatchObject([{ code: 'approval_required', approval_id: null }]);
});
