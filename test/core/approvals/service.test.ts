/** Who sees approvals, and how they are listed, reported and stored. */
import { expect, test } from 'vitest';
import { openService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';
import { stores } from '../../support/stores.ts';
import { codesOf, idIn, openShop, SHOPPER } from './stage.ts';

test('another account neither sees nor decides nor uses an approval', async () => {
  const { service } = openService();
  const accounts = [];
  for (const name of ['one', 'two']) {
    const password = 'Ein-Gutes-Kennwort-7';
    const { id } = await service.accounts.create({ email: `${name}@example.com`, password });
    const input = { ...SHOPPER, domain: `${name}.example` };
    const { agent_id } = await service.passports.create(input, { account_id: id });
    accounts.push({ account_id: id, agent_id });
  }
  const [one, two] = accounts as [(typeof accounts)[0], (typeof accounts)[0]];
  const intent = (agent_id: string, approval_id?: string) => ({
    ...{ agent_id, action: 'payments.create', parameters: { amount: 250, currency: 'EUR' } },
    ...(approval_id !== undefined && { approval_id }),
  });
  const id = idIn((await service.verify(intent(one.agent_id))).reasons);
  const otherAccount = { account_id: two.account_id };
  for (const call of [
    () => service.approvals.get(id, otherAccount),
    () => service.approvals.approve(id, {}, otherAccount),
    () => service.approvals.reject(id, {}, otherAccount),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' });
  expect((await service.approvals.list({}, otherAccount)).data).toEqual([]);
  await service.approvals.approve(id, {}, { account_id: one.account_id });
  expect(codesOf(await service.verify(intent(two.agent_id, id), otherAccount))).toEqual([
    'approval_mismatch',
  ]);
  const seen = { account_id: one.account_id, agent_ids: ['did:web:one.example:agents:other'] };
  await expect(service.approvals.get(id, seen)).rejects.toMatchObject({ code: 'not_found' });
});

test('lists are by status, by agent, and page by page', async () => {
  const { service, request, approved, approvals, agent_id, intentOf, clock } = await openShop();
  const other = await service.passports.create({ ...SHOPPER, agent_name: 'other' });
  const ids: string[] = [];
  for (const amount of [201, 202, 203]) {
    ids.unshift(await request({ amount }));
    clock.advance(1);
  }
  const yes = await approved({ amount: 204 });
  clock.advance(1);
  const { reasons } = await service.verify({ ...intentOf(), agent_id: other.agent_id });
  const idsOf = async (query: Parameters<typeof approvals.list>[0]) =>
    (await approvals.list(query)).data.map(({ id }) => id);
  expect(await idsOf({ status: 'approved' })).toEqual([yes]);
  expect(await idsOf({ agent_id: other.agent_id })).toEqual([idIn(reasons)]);
  expect(await idsOf({ agent_id, status: 'pending' })).toEqual(ids);
  const first = await approvals.list({ agent_id, limit: 3 });
  expect(first.has_more).toBe(true);
  const second = await approvals.list({ agent_id, limit: 3, cursor: first.next_cursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([yes, ...ids]);
  await expect(approvals.list({ status: 'open' as never })).rejects.toMatchObject({
    details: {
      errors: [
        {
          path: '/status',
          code: 'not_allowed',
          message: 'This must be pending, approved, rejected, used or expired.',
        },
      ],
    },
  });
});

test('the request and the decision are events, stored with them but for the intent and the reasons', async () => {
  const { storage, approved, approvals } = await openShop();
  const id = await approved();
  const decided = await approvals.get(id);
  const events = await storage.list('events', { where: { account_id: 'acc_local' }, limit: 100 });
  const told = events.filter(({ type }) => String(type).startsWith('approval.'));
  const { intent: _, reasons: __, ...kept } = decided;
  const requested = { ...kept, status: 'pending', decisions: [], decided_by: null, decided_at: null };
  expect(told.map(({ type, data }) => [type, data]).reverse()).toEqual(
    expect.arrayContaining([
      ['approval.requested', { ...requested, changed_by: 'acc_local' }],
      ['approval.decided', { ...kept, changed_by: 'acc_local' }],
    ]),
  );
  expect(told).toHaveLength(2);
});

test('a passport without approvals costs no call of the storage', async () => {
  const storage = probe();
  const { ask, service, agent_id } = await openShop(async () => storage);
  await service.passports.update(agent_id, { approval: null });
  await ask();
  storage.calls.length = 0;
  expect((await ask()).verdict).toBe('ALLOW');
  expect(storage.calls).toEqual([]);
});

test.each(['get approvals', 'list approvals', 'write'])(
  'where the storage fails at %s there is no verdict',
  async (failing) => {
    const storage = probe();
    const { ask, approved } = await openShop(async () => storage);
    const approval_id = await approved();
    storage.fail = (call) => (call === failing ? Promise.reject(new Error('gone')) : undefined);
    const terms = failing === 'list approvals' ? { amount: 300 } : { approval_id };
    await expect(ask(terms)).rejects.toMatchObject({ code: 'storage_unavailable' });
  },
);

test('an onApproval that throws is logged, and the verdict stands', async () => {
  const storage = stores[0]?.[1];
  const { ask, logs } = await openShop(
    storage,
    {},
    {
      onApproval() {
        throw new TypeError('mail is down');
      },
    },
  );
  expect(codesOf(await ask())).toEqual(['approval_required']);
  expect(logs.filter(({ event }) => event === 'hook_failed')).toMatchObject([
    { message: 'onApproval threw TypeError.' },
  ]);
});
