import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Budget, Intent, PassportPatch } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { replayed } from './replayed.ts';

const AGENT = 'did:web:ops.example:agents:writer';
const DAY: Budget = { name: 'day', window: 'day', limit: 100, unit: 'tokens', actions: ['model.call'] };
const COUNT: Budget = { name: 'calls', window: 'day', count: 9 };

/** Uses 60, 60 and 0 tokens, no usage, and an action without a unit. */
async function stage() {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  await service.passports.create({
    domain: 'ops.example',
    agent_name: 'writer',
    allowed_actions: ['model.call', 'look'],
    monetary_limit_per_txn: 0,
    budgets: [DAY],
  });
  const asked: string[] = [];
  for (const intent of [
    { action: 'model.call', usage: { tokens: 60 } },
    { action: 'model.call', usage: { tokens: 60 } },
    { action: 'model.call', usage: { tokens: 0 } },
    { action: 'model.call' },
    { action: 'look' },
    { action: 'sell', usage: { tokens: 1 } },
  ] satisfies Partial<Intent>[]) {
    clock.advance(10_000);
    asked.push((await service.verify({ agent_id: AGENT, ...intent })).verdict);
  }
  const replay = async (patch: PassportPatch) => {
    clock.advance(10_000);
    await service.verifications.list({ limit: 1 });
    const { seen } = await replayed({ storage, clock: { now: () => clock.now() } }, AGENT, { patch });
    return seen.map(({ verdict, unknown }) => verdict ?? unknown);
  };
  return { asked, replay };
}

const UNKNOWN = ['usage', 'usage', 'ALLOW', 'DENY', 'ALLOW', 'DENY'];

test.each<[string, PassportPatch, readonly unknown[]]>([
  ['stays', { description: 'the same' }, UNKNOWN],
  ['is lower', { budgets: [{ ...DAY, limit: 10 }] }, UNKNOWN],
  ['is gone', { budgets: null }, ['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'DENY']],
  [
    'is in another unit',
    { budgets: [{ ...DAY, unit: 'credits' }] },
    ['DENY', 'DENY', 'DENY', 'DENY', 'ALLOW', 'DENY'],
  ],
  ['is joined by a count', { budgets: [COUNT, DAY] }, ['usage', 'usage', 'ALLOW', 'DENY', 'ALLOW', 'DENY']],
])('a budget with a unit that %s', async (_, patch, expected) => {
  const { asked, replay } = await stage();
  expect(asked).toEqual(['ALLOW', 'DENY', 'ALLOW', 'DENY', 'ALLOW', 'DENY']);
  expect(await replay(patch)).toEqual(expected);
});

test.each<[string, readonly Budget[], readonly unknown[]]>([
  ['has it', [{ name: 'day', window: 'day', limit: 5, overrun: true }], ['usage', 'usage']],
  ['lacks it', [{ name: 'day', window: 'day', limit: 5 }], ['ALLOW', 'DENY']],
  [
    'has it for another action',
    [{ window: 'day', limit: 5, actions: ['look'], overrun: true }],
    ['ALLOW', 'ALLOW'],
  ],
])('a verdict is unknown if overrun decides: a passport that %s', async (_, budgets, expected) => {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  await service.passports.create({
    domain: 'ops.example',
    agent_name: 'writer',
    allowed_actions: ['pay', 'look'],
    monetary_actions: ['pay', 'look'],
    monetary_limit_per_txn: 9,
    currency: 'EUR',
  });
  for (const amount of [4, 3]) {
    clock.advance(10_000);
    await service.verify({ agent_id: AGENT, action: 'pay', parameters: { amount, currency: 'EUR' } });
  }
  clock.advance(10_000);
  await service.verifications.list({ limit: 1 });
  const replaying = { storage, clock: { now: () => clock.now() } };
  const { seen } = await replayed(replaying, AGENT, { patch: { budgets } });
  expect(seen.map(({ verdict, unknown }) => verdict ?? unknown)).toEqual(expected);
});
