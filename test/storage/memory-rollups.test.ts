import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createRollups, type SumQuery } from '../../adapters/storage/memory/rollups.ts';
import { type RollupDelta, rollupStarts, type StorageAdapter } from '../../src/ports/index.ts';
import { addsRollups, writerId } from '../../src/testing/storage-contract/journal/fixtures.ts';
import '../support/seed.ts';

const NOON = '2026-11-20T12:00:00.000Z';

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

const OF_THE_MINUTE: SumQuery = {
  account_id: 'acc_1',
  environment: 'live',
  resolution: 'minute',
  agent_id: '',
  kinds: ['verdict', 'action'],
  from: NOON,
  to: '2026-11-20T12:01:00.000Z',
  byStart: true,
};

test('deltas that fail are taken back exactly, also those of one count that come twice', () => {
  const rollups = createRollups();
  const max = Number.MAX_SAFE_INTEGER;
  rollups.add([delta('ALLOW', 3), delta('full', max), delta('near', max - 10)]);
  const sums = () => rollups.sum(OF_THE_MINUTE);
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

test('what was taken back is not removed, and not counted where it would be', async () => {
  const rollups = createRollups();
  const late = delta('x', Number.MAX_SAFE_INTEGER, { minute: '2026-11-20T12:00:00.000Z' });
  expect(() => rollups.add([delta('x', 1, { minute: '2026-11-20T12:01:00.000Z' }), late])).toThrow(
    RangeError,
  );
  expect(await rollups.purge('2026-11-22T00:00:00.000Z', 10)).toBe(0);
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

const anyDelta: fc.Arbitrary<RollupDelta> = fc.record({
  account_id: fc.constantFrom('acc_a', 'acc_b'),
  environment: fc.constantFrom('live', 'test'),
  minute: fc.constantFrom(NOON, '2026-11-20T12:59:00.000Z', '2026-11-21T00:00:00.000Z'),
  agent_id: fc.constantFrom('', 'a', 'b'),
  kind: fc.constantFrom('verdict', 'action', 'latency'),
  key: fc.constantFrom('', 'x', 'y'),
  count: fc.integer({ min: 1, max: 1_000 }),
});

test('memory counts and removes what a plain sum of the deltas does, in whatever order they come', async () => {
  const merges = fc.array(fc.array(anyDelta, { maxLength: 60 }), { maxLength: 4 });
  const limits = fc.constantFrom(
    '2026-11-20T12:30:00.000Z',
    '2026-11-20T13:00:00.001Z',
    '2026-11-22T00:00:00.000Z',
  );
  await fc.assert(
    fc.asyncProperty(merges, limits, async (given, before) => {
      const storage = memoryStorage();
      const sums = new Map<string, number>();
      for (const [index, rollups] of given.entries()) {
        await addsRollups(storage, writerId(`W${index}x`), rollups);
        for (const { count, minute, ...rest } of rollups) {
          for (const [resolution, start] of Object.entries(rollupStarts(minute))) {
            const of = { ...rest, resolution, start };
            const name = JSON.stringify(of, Object.keys(of).sort());
            sums.set(name, (sums.get(name) ?? 0) + count);
          }
        }
      }
      expect(await allSums(storage)).toEqual([...sums].sort());
      const isOld = ([name]: [string, number]): boolean => JSON.parse(name).start < before;
      expect(await storage.purge('rollups', before)).toBe([...sums].filter(isOld).length);
      expect(await allSums(storage)).toEqual([...sums].filter((sum) => !isOld(sum)).sort());
    }),
  );
});

/** Every rollup as JSON of its coordinates, with its sum. */
async function allSums({ journal }: StorageAdapter): Promise<readonly (readonly [string, number])[]> {
  const resolutions = ['minute', 'hour', 'day'] as const;
  const span = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' };
  const kinds = ['verdict', 'action', 'latency'] as const;
  const found: [string, number][] = [];
  for (const account_id of ['acc_a', 'acc_b']) {
    for (const environment of ['live', 'test'] as const) {
      for (const agent_id of ['', 'a', 'b']) {
        const of = { account_id, environment, agent_id };
        const parts = resolutions.map((resolution) => ({ ...span, resolution, kinds, byStart: true }));
        const sums = await journal.sums({ ...of, parts });
        for (const [at, resolution] of resolutions.entries()) {
          for (const { count, ...sum } of sums.parts[at] ?? []) {
            const whole = { ...of, resolution, ...sum };
            found.push([JSON.stringify(whole, Object.keys(whole).sort()), count]);
          }
        }
      }
    }
  }
  return found.sort();
}
