import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Budget, Pace, PassportPatch } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { replayed } from './replayed.ts';

const AGENT = 'did:web:shop.example:agents:buyer';
const ANY_HOUR: Budget = { window: 'rolling_hour', count: 2, actions: ['buy'] };

/** Asks for three purchases, of which the third is one too many, and for an action that no budget counts. */
async function stage(budgets: readonly Budget[], pace: readonly Pace[] = []) {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  await service.passports.create({
    domain: 'shop.example',
    agent_name: 'buyer',
    allowed_actions: ['buy', 'look'],
    monetary_limit_per_txn: 0,
    budgets,
    pace,
  });
  const asked: string[] = [];
  for (const action of ['buy', 'buy', 'buy', 'look', 'sell']) {
    clock.advance(10_000);
    asked.push((await service.verify({ agent_id: AGENT, action })).verdict);
  }
  const replay = async (patch: PassportPatch) => {
    clock.advance(10_000);
    await service.verifications.list({ limit: 1 });
    const { seen } = await replayed({ storage, clock: { now: () => clock.now() } }, AGENT, { patch });
    return seen.map(({ verdict, unknown }) => verdict ?? unknown);
  };
  return { asked, replay };
}

const HISTORY = ['history', 'history', 'history', 'ALLOW', 'DENY'];

test.each<[string, PassportPatch, readonly unknown[]]>([
  ['stays', { description: 'the same' }, ['ALLOW', 'ALLOW', 'DENY', 'ALLOW', 'DENY']],
  ['allows more', { budgets: [{ ...ANY_HOUR, count: 3 }] }, HISTORY],
  ['allows less', { budgets: [{ ...ANY_HOUR, count: 1 }] }, HISTORY],
  ['has another window', { budgets: [{ ...ANY_HOUR, window: 'rolling_day' }] }, HISTORY],
  ['is gone', { budgets: null }, ['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'DENY']],
  [
    'stays beside a full budget of the calendar',
    { budgets: [ANY_HOUR, { window: 'day', count: 1 }] },
    ['ALLOW', 'DENY', 'DENY', 'DENY', 'DENY'],
  ],
  [
    'stays for an action that was not asked of it',
    { allowed_actions: ['buy', 'look', 'sell'] },
    ['ALLOW', 'ALLOW', 'DENY', 'ALLOW', 'ALLOW'],
  ],
  [
    'counts an action that was denied then',
    { allowed_actions: ['buy', 'look', 'sell'], budgets: [{ window: 'rolling_hour', count: 2 }] },
    ['history', 'history', 'history', 'history', 'history'],
  ],
])('a replay with a rolling budget that %s tells only what is recorded', async (_, patch, expected) => {
  const { asked, replay } = await stage([ANY_HOUR]);
  expect(asked).toEqual(['ALLOW', 'ALLOW', 'DENY', 'ALLOW', 'DENY']);
  expect(await replay(patch)).toEqual(expected);
});

const TWO: Pace = { name: 'buys', max: 2, seconds: 3_600, actions: ['buy'] };

test.each<[string, PassportPatch, readonly unknown[]]>([
  ['stays', { description: 'the same' }, ['ALLOW', 'ALLOW', 'DENY', 'ALLOW', 'DENY']],
  ['is slower', { pace: [{ ...TWO, max: 1 }] }, HISTORY],
  ['has another name', { pace: [{ ...TWO, name: 'other' }] }, HISTORY],
  ['is gone', { pace: null }, ['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'DENY']],
  [
    'stays beside a new budget',
    { budgets: [{ window: 'rolling_hour', count: 9 }] },
    ['history', 'history', 'DENY', 'history', 'DENY'],
  ],
  [
    'counts an action that was denied then',
    { allowed_actions: ['buy', 'look', 'sell'], pace: [{ name: 'buys', max: 2, seconds: 3_600 }] },
    ['history', 'history', 'history', 'history', 'history'],
  ],
])('a replay with a pace that %s tells only what is recorded', async (_, patch, expected) => {
  const { asked, replay } = await stage([], [TWO]);
  expect(asked).toEqual(['ALLOW', 'ALLOW', 'DENY', 'ALLOW', 'DENY']);
  expect(await replay(patch)).toEqual(expected);
});
