import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createRollups } from '../../adapters/storage/memory/rollups.ts';
import type { JournalEntry, RollupDelta, RollupQuery } from '../../src/ports/index.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const ENTRY: JournalEntry = {
  id: 'dec_1',
  account_id: 'acc_1',
  created_at: NOON,
  verdict: 'DENY',
  reasons: [{ code: 'amount_over_limit', message: 'Too much.', limit: '10', actual: '11' }],
  agent_id: 'did:web:example.com:agents:buyer',
  action: 'buy',
  target: null,
  amount: '11',
  currency: null,
  passport_version: 1,
  environment: 'live',
  key_id: null,
  request_id: null,
  dry_run: false,
};

function delta(key: string, count: number, fields: Partial<RollupDelta> = {}): RollupDelta {
  return {
    account_id: 'acc_1',
    environment: 'live',
    minute: NOON,
    agent_id: '',
    kind: 'verdict',
    key,
    count,
    ...fields,
  };
}

const OF_THE_MINUTE: RollupQuery = {
  account_id: 'acc_1',
  environment: 'live',
  resolution: 'minute',
  agent_id: '',
  kinds: ['verdict', 'action'],
  from: NOON,
  to: '2026-11-20T12:01:00.000Z',
  byStart: true,
};

test('a verdict that was read is frozen with all its reasons, and none of them is what was given', async () => {
  const storage = memoryStorage();
  await storage.append({ id: 'bat_1', at: NOON, entries: [ENTRY], rollups: [] });
  const { entries } = await storage.read({ account_id: 'acc_1', limit: 1 });
  const [found] = entries;
  expect(found).toEqual(ENTRY);
  expect(found).not.toBe(ENTRY);
  for (const part of [found, found?.reasons, found?.reasons[0]]) expect(Object.isFrozen(part)).toBe(true);
  for (const part of [ENTRY, ENTRY.reasons, ENTRY.reasons[0]]) expect(Object.isFrozen(part)).toBe(false);
});

test('deltas that fail are taken back exactly, also those of one count that come twice', () => {
  const rollups = createRollups();
  const max = Number.MAX_SAFE_INTEGER;
  rollups.add([delta('ALLOW', 3), delta('full', max), delta('near', max - 10)]);
  const sums = () => rollups.sumRollups(OF_THE_MINUTE);
  const before = sums();
  const added = [
    delta('ALLOW', 1),
    delta('new', 5),
    delta('near', 10),
    delta('buy', 1, { kind: 'action' }),
    delta('new', 5),
    delta('ALLOW', 2),
  ];
  expect(() => rollups.add([...added, delta('full', 1)])).toThrow(RangeError);
  expect(sums()).toEqual(before);
  // The sum of two alone is too much.
  expect(() => rollups.add([delta('near', 10), delta('near', 10)])).toThrow(RangeError);
  expect(sums()).toEqual(before);
  rollups.add(added);
  const counts = sums().map(({ key, count }) => [key, count]);
  expect(Object.fromEntries(counts)).toEqual({ ALLOW: 6, full: max, near: max, new: 10, buy: 1 });
});

test('a purge that reaches its limit goes on where it stopped, and spares what is not old', async () => {
  const rollups = createRollups();
  const old = '2026-11-19T12:00:00.000Z';
  const agents = ['', 'a', 'b'];
  rollups.add(
    agents.flatMap((agent_id) => [
      delta('ALLOW', 1, { agent_id, minute: old }),
      delta('buy', 1, { agent_id, minute: old, kind: 'action' }),
      delta('ALLOW', 1, { agent_id }),
    ]),
  );
  // Of each agent twice a minute, its hour and its day, and the day that holds noon.
  for (const removed of [8, 8, 5, 0]) expect(await rollups.purge(NOON, 8)).toBe(removed);
  expect(await rollups.purge('2026-11-21T00:00:00.000Z', 10)).toBe(6);
});

test('the latest 10,000 batches are known again, and what came long before is forgotten', async () => {
  const storage = memoryStorage();
  const append = (number: number): Promise<void> =>
    storage.append({ id: `bat_${number}`, at: NOON, entries: [], rollups: [delta('DENY', 1)] });
  const counted = async (): Promise<unknown> =>
    (await storage.sumRollups(OF_THE_MINUTE)).map(({ count }) => count);
  for (let number = 0; number <= 10_000; number += 1) await append(number);
  await append(1);
  expect(await counted()).toEqual([10_001]);
  for (let number = 10_001; number <= 20_000; number += 1) await append(number);
  await append(0);
  expect(await counted()).toEqual([20_002]);
});
