/** Due holds: an answer lapses those of its own chain and no others, and the sweep ends them all, by turns of accounts. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Intent } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

async function open(storage: StorageAdapter = memoryStorage()) {
  const settled: string[] = [];
  const watched: StorageAdapter = {
    ...storage,
    async write(changes) {
      const result = await storage.write(changes);
      for (const change of changes) {
        const isLapse = change.op === 'replace' && change.collection === 'spends';
        if (isLapse && change.record['status'] === 'lapsed') settled.push(change.record.account_id);
      }
      return result;
    },
  };
  const opened = openLocalService({ storage: watched });
  const { service } = opened;
  const issue = async (agent_name: string, account_id: string, parent_agent_id?: string) => {
    const { agent_id } = await service.passports.create(
      {
        ...{ domain: `${account_id.slice(4)}.example`, agent_name, allowed_actions: ['*'] },
        ...{ monetary_actions: ['pay'], monetary_limit_per_txn: 1_000, currency: 'EUR' },
        budgets: [{ window: 'lifetime', limit: 1_000 }],
        ...(parent_agent_id !== undefined && { parent_agent_id }),
      },
      { account_id },
    );
    return agent_id;
  };
  const pay = (agent_id: string, amount: number, more: Partial<Intent> = {}) =>
    service.verify({ agent_id, action: 'pay', parameters: { amount, currency: 'EUR' }, ...more });
  const hold = async (agent_id: string, amount: number, count = 1): Promise<void> => {
    for (let made = 0; made < count; made += 1) await pay(agent_id, amount, { hold_seconds: 1 });
  };
  return { ...opened, settled, issue, pay, hold };
}

describe.each(stores)('due holds in %s', (_, openStore) => {
  test('of other chains stay as they are when a verdict, or a look at budgets, ends its own', async () => {
    const { service, clock, settled, issue, pay, hold } = await open(await openStore());
    const [one, other] = [await issue('one', 'acc_a'), await issue('other', 'acc_a')];
    const ofOtherAccount = await issue('one', 'acc_b');
    await hold(ofOtherAccount, 1, 3);
    await hold(other, 1, 3);
    await hold(one, 500, 2);
    clock.advance(1_000);
    expect(await pay(one, 1_000)).toMatchObject({ verdict: 'ALLOW' });
    expect(settled).toEqual(['acc_a', 'acc_a']);
    const { data } = await service.passports.budgets(other, {}, { account_id: 'acc_a' });
    expect(data).toMatchObject([{ held: 0 }]);
    expect(settled).toEqual(Array.from({ length: 5 }, () => 'acc_a'));
  });

  test('of a sibling are of the chain: they held from the budget of the parent', async () => {
    const { clock, service, issue, pay, hold } = await open(await openStore());
    const parent = await issue('parent', 'acc_a');
    const [left, right] = [await issue('left', 'acc_a', parent), await issue('right', 'acc_a', parent)];
    await hold(left, 1_000);
    expect(await pay(right, 1)).toMatchObject({ reasons: [{ code: 'budget_exceeded', agent_id: parent }] });
    clock.advance(1_000);
    expect(await pay(right, 1)).toMatchObject({ verdict: 'ALLOW' });
    await hold(left, 900);
    clock.advance(1_000);
    const { data } = await service.passports.budgets(parent, {}, { account_id: 'acc_a' });
    expect(data).toMatchObject([{ held: 0, spent: 1 }]);
  });

  test('are all ended by one sweep, of each account as many as of any other', async () => {
    const { timers, settled, issue, hold } = await open(await openStore());
    const loud = await Promise.all(['a', 'b', 'c'].map((name) => issue(name, 'acc_loud')));
    for (const agent of loud) await hold(agent, 1, 80);
    await hold(await issue('a', 'acc_quiet'), 1, 5);
    await timers.pass(60_000);
    await expect.poll(() => settled.length).toBe(245);
    // The loud ones were due before: by turns the quiet ones are among the first all the same.
    expect(settled.lastIndexOf('acc_quiet')).toBeLessThan(16);
  });
});

test('holds that are due again and again end in a denial, not in an outage', async () => {
  const storage = memoryStorage();
  let looks = 0;
  const { issue, pay, hold } = await open({
    ...storage,
    async list(collection, query) {
      if (query.order !== 'due_at') return storage.list(collection, query);
      if (collection !== 'spends') return [];
      looks += 1;
      return storage.list('spends', { where: {}, limit: 1 });
    },
    async write(changes) {
      const isLapse = changes.some((change) => change.op === 'replace' && change.collection === 'spends');
      if (isLapse) return { written: false, step: 0, failure: 'stale', failed: [], found: [] };
      return storage.write(changes);
    },
  });
  const agent = await issue('a', 'acc_a');
  await hold(agent, 1_000);
  expect(await pay(agent, 1)).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'budget_exceeded' }] });
  expect(looks).toBe(2);
});

test('verdicts that ask for the same chain at once share the work', async () => {
  const storage = memoryStorage();
  let writes = 0;
  const { clock, issue, pay, hold } = await open({
    ...storage,
    async write(changes) {
      writes += changes.some((change) => change.op === 'replace' && change.collection === 'spends') ? 1 : 0;
      return storage.write(changes);
    },
  });
  const agent = await issue('a', 'acc_a');
  await hold(agent, 50, 20);
  clock.advance(1_000);
  const answers = await Promise.all(Array.from({ length: 20 }, () => pay(agent, 50)));
  expect(answers.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 20 }, () => 'ALLOW'));
  expect(writes).toBe(20);
});
