import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { packRecords } from '../../../src/journal-format/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { createFoldQueue } from '../../../src/replay/fold-queue.ts';
import { fileBlocks } from '../../support/journal.ts';
import { sized } from '../../support/runs.ts';
import { openLocalService, START } from '../../support/service.ts';
import { randomOf } from './random.ts';
import { replayed } from './replayed.ts';

const ACCOUNT = 'acc_local';
const clock = { now: () => START };

/** Files records of one ALLOW as blocks of `each`, a second apart, the last of them a second ago. */
async function stage(count: number, each: number) {
  const { storage, agent_id, record } = await oneAllow();
  const records = Array.from({ length: count }, (_, index) =>
    again(record, `0${index}`, START - 1_000 * (count - index)),
  );
  await file(storage, records, each);
  return { storage, agent_id, records };
}

async function oneAllow() {
  const storage = memoryStorage();
  const { service } = openLocalService({ storage: { ...storage, close: async () => {} } });
  const may = { allowed_actions: ['*'], monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    ...may,
  });
  return { storage, agent_id, record: await service.verify({ agent_id, action: 'orders.get' }) };
}

/** The record once more, with an id that ends like this. */
function again(record: VerdictRecord, end: string, at: number): VerdictRecord {
  const start = record.decision_id.slice(0, -9) + end.slice(0, 1);
  return {
    ...record,
    decision_id: start + end.slice(1).padStart(8, '0'),
    evaluated_at: new Date(at).toISOString(),
  };
}

async function file(storage: StorageAdapter, records: readonly VerdictRecord[], each: number) {
  for (let from = 0; from < records.length; from += each) {
    const timed = records.slice(from, from + each).map((one) => ({ record: one, bucket: 1 }));
    await fileBlocks(storage, ACCOUNT, packRecords(timed));
  }
}

test('a replay reads every record once, in the order of time, also out of many blocks', async () => {
  const { storage, agent_id, records } = await stage(2_000, 7);
  const { seen, answer } = await replayed({ storage, clock }, agent_id, {});
  expect(seen.map(({ decision_id }) => decision_id)).toEqual(records.map(({ decision_id }) => decision_id));
  expect(answer.covered).toMatchObject({ records: 2_000, complete: true });
});

test('records of several nodes of one millisecond are read in the order of their ids', async () => {
  const random = randomOf(3);
  for (let round = 0; round < sized(40, 4); round += 1) {
    const { storage, agent_id, record } = await oneAllow();
    const all: VerdictRecord[] = [];
    for (const node of ['A', 'B', 'C']) {
      let at = START - 60_000;
      const own = Array.from({ length: 300 }, (_, index) => {
        at += random.chance(0.1) ? random.below(8) : 0;
        return again(record, `${node}${index}`, at);
      });
      await file(storage, own, 1 + random.below(200));
      all.push(...own);
    }
    const placeOf = ({ evaluated_at, decision_id }: VerdictRecord) => `${evaluated_at} ${decision_id}`;
    const expected = all.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    const { seen } = await replayed({ storage, clock }, agent_id, {});
    expect(seen.map(({ decision_id }) => decision_id)).toEqual(
      expected.map(({ decision_id }) => decision_id),
    );
  }
});

test('a replay within bounds reads the newest, and says from when on', async () => {
  const { storage, agent_id, records } = await stage(100, 10);
  for (const bounds of [
    { records: 35, blocks: 1_000 },
    { records: 1_000, blocks: 3 },
  ]) {
    const { seen, answer } = await replayed({ storage, clock }, agent_id, {}, { bounds });
    expect(seen.map(({ decision_id }) => decision_id)).toEqual(
      records.slice(70).map(({ decision_id }) => decision_id),
    );
    expect(answer.covered.complete).toBe(false);
    expect(Date.parse(answer.covered.from)).toBe(Date.parse(records[69]?.evaluated_at ?? '') + 1);
  }
});

test('a replay reads on where blocks are gone that were compacted meanwhile', async () => {
  const { storage, agent_id, records } = await stage(400, 10);
  let loads = 0;
  const load: StorageAdapter['journal']['load'] = async (names) => {
    loads += 1;
    const blocks = await storage.journal.load(names);
    // A block that is gone is listed again under its new name: here it only looks gone, every third time.
    return loads % 3 === 0 ? blocks.map(() => undefined) : blocks;
  };
  const moved = { ...storage, journal: { ...storage.journal, load } };
  const { seen } = await replayed({ storage: moved, clock }, agent_id, {});
  expect(seen.map(({ decision_id }) => decision_id)).toEqual(records.map(({ decision_id }) => decision_id));
});

test('a replay ends when its caller leaves', async () => {
  const { storage, agent_id } = await stage(400, 10);
  const { service } = openLocalService({ storage });
  const leaving = new AbortController();
  const replay = service.passports.replay(agent_id, {}, { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(replay).rejects.toThrow('left');
});

test('evaluates the records of 5 seconds in pieces, and reads the record that follows once', async () => {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    ...{ allowed_actions: ['*'], monetary_limit_per_txn: 0 },
    budgets: [{ name: 'count', window: 'day', count: 900 }],
  });
  const made: string[] = [];
  for (let count = 0; count < 1_000; count += 1) {
    const { decision_id } = await service.verify({ agent_id, action: 'orders.get' });
    made.push(decision_id);
  }
  clock.advance(10_000);
  made.push((await service.verify({ agent_id, action: 'orders.get' })).decision_id);
  clock.advance(1_000);
  await service.verifications.list({ limit: 1 });
  const { seen, answer } = await replayed({ storage, clock: { now: () => clock.now() } }, agent_id, {});
  expect(seen.map(({ decision_id }) => decision_id).sort()).toEqual(made.sort());
  expect(answer).toMatchObject({ judged: 1_001, now_denied: 0, now_allowed: 0 });
});

test.each(['advance', 'end'] as const)('a call of %s evaluates at most 256 records', (call) => {
  const queue = createFoldQueue([]);
  let evaluated = 0;
  const done = () => {
    evaluated += 1;
  };
  for (let at = 0; at < 600; at += 1) queue.add({ at, shown: [], rows: [], done, keep: () => done });
  const counts: number[] = [];
  for (let isDone = false; !isDone; ) {
    isDone = call === 'end' ? queue.end() : queue.advance(100_000);
    counts.push(evaluated);
  }
  expect(counts).toEqual([256, 512, 600]);
});
