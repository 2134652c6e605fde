/** Approvals that are over: an answer ends those of its agent or its account, and no others. */
import { expect, test } from 'vitest';
import { openLocalService } from '../../support/service.ts';

async function open() {
  const opened = openLocalService();
  const { service, storage } = opened;
  const issue = async (agent_name: string, account_id: string) => {
    const input = { domain: `${account_id.slice(4)}.example`, agent_name, allowed_actions: ['*'] };
    const approval = { actions: ['*'], seconds: 60 };
    const passport = { ...input, monetary_limit_per_txn: 1, approval };
    return (await service.passports.create(passport, { account_id })).agent_id;
  };
  const ask = (agent_id: string, index: number) => service.verify({ agent_id, action: `send.n${index}` });
  const stored = async (account_id: string, status: string) =>
    (await storage.list('approvals', { where: { account_id, status }, limit: 200 })).length;
  return { ...opened, issue, ask, stored };
}

test('an agent with too many of them ends its own, and asks again', async () => {
  const { clock, issue, ask, stored } = await open();
  const [loud, quiet] = [await issue('a', 'acc_loud'), await issue('a', 'acc_quiet')];
  const other = await issue('b', 'acc_loud');
  for (let index = 0; index < 100; index += 1) await ask(loud, index);
  await ask(other, 0);
  await ask(quiet, 0);
  expect(await ask(loud, 100)).toMatchObject({ reasons: [{ approval_id: null, too_many: true }] });
  clock.advance(60_000);
  expect(await ask(loud, 101)).toMatchObject({ reasons: [{ approval_id: expect.any(String) }] });
  expect(await stored('acc_loud', 'expired')).toBe(100);
  expect(await stored('acc_loud', 'pending')).toBe(2);
  expect(await stored('acc_quiet', 'pending')).toBe(1);
});

test('a list by status ends those of its account', async () => {
  const { service, clock, issue, ask, stored } = await open();
  for (const account_id of ['acc_loud', 'acc_quiet']) await ask(await issue('a', account_id), 0);
  clock.advance(60_000);
  const list = (status: 'expired' | 'pending') =>
    service.approvals.list({ status }, { account_id: 'acc_quiet' });
  expect((await list('expired')).data).toHaveLength(1);
  expect((await list('pending')).data).toEqual([]);
  expect([await stored('acc_quiet', 'expired'), await stored('acc_loud', 'pending')]).toEqual([1, 1]);
});
