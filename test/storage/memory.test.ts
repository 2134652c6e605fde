import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import {
  type JournalEntry,
  type JournalQuery,
  type RollupDelta,
  rollupStarts,
  type StorageAdapter,
} from '../../src/ports/index.ts';
import { entry } from '../../src/testing/storage-contract/journal-fixtures.ts';
import '../support/seed.ts';

const CAP = 100_000;

function entryAt(at: number, account_id: string): JournalEntry {
  const created_at = new Date(Date.UTC(2026, 10, 20) + at).toISOString();
  return entry(`${account_id}.${at}`, { account_id, created_at });
}

test('memory keeps the newest 100,000 verdicts of each account', async () => {
  const storage = memoryStorage();
  const append = (id: string, entries: readonly JournalEntry[]): Promise<void> =>
    storage.append({ id, at: '2026-11-20T12:00:00.000Z', entries, rollups: [] });
  await append('other', [entryAt(0, 'acc_b')]);
  await append(
    'all',
    Array.from({ length: CAP + 3 }, (_, at) => entryAt(at, 'acc_a')),
  );
  const oldest = entryAt(4, 'acc_a');
  const read = async (query: Partial<JournalQuery>): Promise<readonly JournalEntry[]> =>
    (await storage.read({ account_id: 'acc_a', limit: 10, ...query })).entries;
  const found = await read({ to: oldest.created_at });
  expect(found.map(({ id }) => id)).toEqual(['acc_a.3']);
  expect(await storage.completeSince('acc_a')).toBe(entryAt(3, 'acc_a').created_at);
  await append('more', [entryAt(CAP + 3, 'acc_a'), entryAt(0, 'acc_a')]);
  expect(await read({ to: oldest.created_at })).toEqual([]);
  expect(await read({ limit: 1 })).toEqual([entryAt(CAP + 3, 'acc_a')]);
  expect(await read({ account_id: 'acc_b', limit: 1 })).toEqual([entryAt(0, 'acc_b')]);
  expect(await storage.completeSince('acc_a')).toBe(oldest.created_at);
  expect(await storage.completeSince('acc_b')).toBeUndefined();
});

test('what is let go over and over is gone, and can be stored again', async () => {
  const storage = memoryStorage();
  const append = (id: string, from: number, to: number): Promise<void> => {
    const entries = Array.from({ length: to - from }, (_, at) => entryAt(from + at, 'acc_a'));
    return storage.append({ id, at: '2026-11-20T12:00:00.000Z', entries, rollups: [] });
  };
  await append('all', 0, CAP);
  // Their places are given back after ten thousand: before it, at it, and after it.
  for (let batch = 0; batch < 25; batch += 1)
    await append(`${batch}`, CAP + batch * 500, CAP + (batch + 1) * 500);
  const dropped = 25 * 500;
  const before = async (at: number) =>
    (await storage.read({ account_id: 'acc_a', limit: 10, to: entryAt(at, 'acc_a').created_at })).entries;
  expect(await before(dropped)).toEqual([]);
  expect(await before(dropped + 2)).toEqual([entryAt(dropped + 1, 'acc_a'), entryAt(dropped, 'acc_a')]);
  expect(await storage.completeSince('acc_a')).toBe(entryAt(dropped, 'acc_a').created_at);
  expect(await storage.purge('verdicts', entryAt(dropped + 5, 'acc_a').created_at)).toBe(5);
  await append('again', dropped, dropped + 7);
  expect((await before(dropped + 7)).map(({ id }) => id)).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((at) => `acc_a.${dropped + at}`),
  );
});

const delta: fc.Arbitrary<RollupDelta> = fc.record({
  account_id: fc.constantFrom('acc_a', 'acc_b'),
  environment: fc.constantFrom('live', 'test'),
  minute: fc.constantFrom('2026-11-20T12:00:00.000Z', '2026-11-20T12:59:00.000Z', '2026-11-21T00:00:00.000Z'),
  agent_id: fc.constantFrom('', 'a', 'b'),
  kind: fc.constantFrom('verdict', 'action', 'latency'),
  key: fc.constantFrom('', 'x', 'y'),
  count: fc.integer({ min: 1, max: 1_000 }),
});

test('memory counts and removes what a plain sum of the deltas does, in whatever order they come', async () => {
  const batches = fc.array(fc.array(delta, { maxLength: 60 }), { maxLength: 4 });
  const limits = fc.constantFrom(
    '2026-11-20T12:30:00.000Z',
    '2026-11-20T13:00:00.001Z',
    '2026-11-22T00:00:00.000Z',
  );
  await fc.assert(
    fc.asyncProperty(batches, limits, async (given, before) => {
      const storage = memoryStorage();
      const sums = new Map<string, number>();
      for (const [index, rollups] of given.entries()) {
        await storage.append({ id: `${index}`, at: '2026-11-20T12:00:00.000Z', entries: [], rollups });
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
async function allSums(storage: StorageAdapter): Promise<readonly (readonly [string, number])[]> {
  const sums: [string, number][] = [];
  for (const account_id of ['acc_a', 'acc_b']) {
    for (const environment of ['live', 'test'] as const) {
      for (const resolution of ['minute', 'hour', 'day'] as const) {
        for (const agent_id of ['', 'a', 'b']) {
          const of = { account_id, environment, resolution, agent_id };
          const span = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' };
          const kinds = ['verdict', 'action', 'latency'] as const;
          for (const { count, ...found } of await storage.sumRollups({
            ...of,
            ...span,
            kinds,
            byStart: true,
          })) {
            const whole = { ...of, ...found };
            sums.push([JSON.stringify(whole, Object.keys(whole).sort()), count]);
          }
        }
      }
    }
  }
  return sums.sort();
}
