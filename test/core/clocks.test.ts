import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { IdentityServiceOptions } from '../../src/core.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { recordOf } from '../journal-format/records.ts';
import { openApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { fileRecords, recordsIn, rollupsIn } from '../support/journal.ts';
import { HOUR, MINUTE, manualClock, type Opened, openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { sharedStores } from '../support/stores.ts';

const DAY = 24 * HOUR;
const RETENTION_EVERY_MS = 15 * 60_000;
const ACCOUNT = 'acc_local';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A service, and how far its clock is ahead of that of this machine, by which the servers go as well. */
interface OpenedNode extends Opened {
  readonly node: { aheadMs: number };
}

function openNode(
  storage: StorageAdapter,
  aheadMs: number,
  options: Partial<IdentityServiceOptions> = {},
): OpenedNode {
  const node = { aheadMs };
  const present = (): number => Date.now() + node.aheadMs;
  // The store outlives the node, and has no intervals that these tests would move.
  const { subscribe: _, ...unheard } = storage;
  const kept = { ...unheard, close: async () => {} };
  const opened = openLocalService({ storage: kept, clock: { now: present }, ...options });
  return { node, ...opened };
}

const eventsOf = ({ logs }: Opened): readonly string[] => logs.map(({ event }) => event);

/** Lets the retention of every open service come round once, until this one has said that. */
async function retainUntil(opened: Opened, event: string): Promise<void> {
  vi.advanceTimersByTime(RETENTION_EVERY_MS);
  await eventually(() => expect(eventsOf(opened)).toContain(event));
}

/** Verdicts of the given numbers of days ago, each counted. */
async function file(storage: StorageAdapter, ...days: readonly number[]): Promise<void> {
  for (const age of days) {
    const evaluated_at = new Date(Date.now() - age * DAY).toISOString();
    const [block] = await fileRecords(storage, ACCOUNT, [recordOf(age, { action: `d${age}`, evaluated_at })]);
    const of = { account_id: ACCOUNT, environment: 'live', agent_id: '', kind: 'action' } as const;
    const minute = `${evaluated_at.slice(0, 16)}:00.000Z`;
    const rollups = [{ ...of, minute, key: `d${age}`, count: 1 }];
    const merge = { writer: block?.writer ?? '', from: 0, to: 1, at: new Date().toISOString(), rollups };
    expect(await storage.journal.merge(merge)).toBe(true);
  }
}

async function leftIn(storage: StorageAdapter): Promise<readonly string[]> {
  return (await recordsIn(storage, ACCOUNT)).map(({ action }) => action);
}

async function countedIn(storage: StorageAdapter): Promise<readonly string[]> {
  const sums = await rollupsIn(storage, ACCOUNT, { resolution: 'minute', kinds: ['action'] });
  return sums.map(({ key }) => key).sort();
}

const everyStore = await sharedStores();
const stores = everyStore.map(({ name, open }) => [name, open] as const);

describe.each(stores)('on %s', (name, open) => {
  const hasClock = name === 'PostgreSQL' || name === 'Redis';

  test('a node that is 100 days ahead removes nothing, says so once, and goes on when its clock is set', async () => {
    const shared = await open(2);
    const [one, two] = shared.storages as [StorageAdapter, StorageAdapter];
    const right = openNode(one, 0);
    await right.service.health();
    await right.service.close();
    const created_at = new Date().toISOString();
    const expires_at = new Date(Date.now() + HOUR).toISOString();
    const session = { id: 's', account_id: ACCOUNT, version: 1, created_at, expires_at };
    const record = { ...session, token_version: 1, revoked_at: null, member_id: 'mem_a', member_version: 1 };
    await one.write([{ op: 'insert', collection: 'sessions', record }]);
    await file(one, 1, 50, 89);

    const wrong = openNode(two, 100 * DAY);
    const event = hasClock ? 'clock_off' : 'clock_ahead';
    await retainUntil(wrong, event);
    await retainUntil(wrong, event);
    await wrong.timers.pass(120_000);
    expect(eventsOf(wrong)).toEqual([event]);
    expect(wrong.logs[0]?.['ahead_seconds']).toBeCloseTo((100 * DAY) / 1_000, -2);
    expect(await leftIn(two)).toEqual(['d1', 'd50', 'd89']);
    expect(await countedIn(two)).toEqual(['d1', 'd50', 'd89']);
    expect(await two.get('sessions', 's')).toBeDefined();
    expect(await two.journal.completeSince(ACCOUNT)).toBeUndefined();

    wrong.node.aheadMs = 0;
    await file(one, 95);
    await retainUntil(wrong, 'retention_removed');
    expect(eventsOf(wrong)).toEqual([event, 'clock_right', 'retention_removed']);
    expect(wrong.logs.at(-1)).toMatchObject({ level: 'info', removed: { verdicts: 1, rollups: 3 } });
    expect(wrong.logs.at(-1)?.message).toBe('The service removed old records: 1 verdicts, 3 rollups.');
    expect(await leftIn(two)).toEqual(['d1', 'd50', 'd89']);
    for (const storage of shared.storages) await storage.close();
    await shared.end();
  });

  test('what a node with a shorter retention removed is missing on every other, which says since when', async () => {
    const shared = await open(2);
    const [one, two] = shared.storages as [StorageAdapter, StorageAdapter];
    const long = openNode(one, 0);
    const short = openNode(two, 0, { retentionDays: 7 });
    // No record of the account says when it was opened.
    const before = Date.parse((await long.service.analytics()).complete_since);
    expect(Math.abs(before - (Date.now() - 90 * DAY))).toBeLessThan(MINUTE);
    await file(one, 1, 30);
    await retainUntil(short, 'retention_removed');
    expect(await leftIn(one)).toEqual(['d1']);
    const since = Date.parse((await long.service.analytics()).complete_since);
    expect(Math.abs(since - (Date.now() - 7 * DAY))).toBeLessThan(2 * MINUTE);
    for (const storage of shared.storages) await storage.close();
    await shared.end();
  });

  if (hasClock)
    test.each([
      ['ahead of', 10_000],
      ['behind', -10_000],
    ])(
      'a node that is 10 s %s the server is not ready, until its clock is set',
      async (direction, aheadMs) => {
        const shared = await open(1);
        const [storage] = shared.storages as [StorageAdapter];
        const opened = openNode(storage, aheadMs);
        const { service, node } = opened;
        await expect(service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
        await expect(service.health()).rejects.toThrow('clock');
        expect(opened.logs).toHaveLength(1);
        expect(opened.logs[0]).toMatchObject({ level: 'error', event: 'clock_off' });
        expect(opened.logs[0]?.message).toContain(`s ${direction} that of the storage.`);
        // Within the five seconds that are let pass.
        node.aheadMs = aheadMs / 5;
        expect((await service.health()).durability).toBeTypeOf('string');
        expect(eventsOf(opened)).toEqual(['clock_off', 'clock_right']);
        await storage.close();
        await shared.end();
      },
    );

  if (!hasClock)
    test('a node that is behind the time at which the store was used is not ready', async () => {
      const shared = await open(2);
      const [one, two] = shared.storages as [StorageAdapter, StorageAdapter];
      const opened = openNode(one, 0);
      await opened.service.health();
      opened.node.aheadMs = -4_000;
      await opened.service.health();
      opened.node.aheadMs = -HOUR;
      await expect(opened.service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
      await file(one, 95);
      vi.advanceTimersByTime(RETENTION_EVERY_MS);
      await opened.timers.pass(120_000);
      expect(eventsOf(opened)).toEqual(['clock_off']);
      expect(opened.logs[0]?.message).toMatch(
        /^The clock of this node is 3[56]\d\d s behind the latest time .* --clock-ok/,
      );
      expect(await leftIn(two)).toEqual(['d95']);
      opened.node.aheadMs = 0;
      await opened.service.health();
      expect(eventsOf(opened)).toEqual(['clock_off', 'clock_right']);
      // The operator says that it was the other clock that was wrong.
      const later = openNode(two, -9 * DAY, { clockOk: true });
      await later.service.health();
      expect(later.logs).toEqual([]);
      await expect(opened.service.health()).resolves.toBeDefined();
      expect(eventsOf(opened)).toContain('clock_ahead');
      for (const storage of shared.storages) await storage.close();
      await shared.end();
    });

  if (!hasClock)
    test('a store that was not used for a week is ready, and keeps all until the clock is vouched for', async () => {
      const shared = await open(2);
      const [one, two] = shared.storages as [StorageAdapter, StorageAdapter];
      await one.time(new Date(Date.now() - 7 * DAY).toISOString());
      await file(one, 95);
      const opened = openNode(one, 0);
      await opened.service.health();
      await retainUntil(opened, 'clock_ahead');
      await opened.service.health();
      expect(eventsOf(opened)).toEqual(['clock_ahead']);
      expect(opened.logs[0]?.message).toMatch(
        /^The clock is 7.0 days ahead of the last use .* Nothing is removed.* --clock-ok/,
      );
      expect(await leftIn(two)).toEqual(['d95']);
      await opened.service.close();
      const vouched = openNode(two, 0, { clockOk: true });
      await retainUntil(vouched, 'retention_removed');
      expect(eventsOf(vouched)).toEqual(['retention_removed']);
      expect(await leftIn(one)).toEqual([]);
      for (const storage of shared.storages) await storage.close();
      await shared.end();
    });
});

/** A store whose clock says what the test says. */
function withClock(tell: () => Promise<number>): StorageAdapter {
  const time = async () => ({ at: new Date(await tell()).toISOString(), isMark: false });
  return { ...memoryStorage(), time };
}

test('a clock is looked at every minute, without a request', async () => {
  let aheadMs = 0;
  // The clock of the node is that of its timers.
  const opened: Opened = openLocalService({ storage: withClock(async () => opened.clock.now() - aheadMs) });
  await opened.timers.pass(59_000);
  expect(eventsOf(opened)).toEqual([]);
  aheadMs = 5_001;
  await opened.timers.pass(1_000);
  expect(eventsOf(opened)).toEqual(['clock_off']);
  aheadMs = 5_000;
  await opened.timers.pass(60_000);
  expect(eventsOf(opened)).toEqual(['clock_off', 'clock_right']);
});

test('a store that answers late is believed within the time that its answer took', async () => {
  const clock = manualClock();
  // Asked at 0 and answered at 20 s, the store may have looked at its clock at any time between.
  let offMs = 0;
  const storage = withClock(async () => {
    const asked = clock.now();
    clock.advance(20_000);
    return asked + offMs;
  });
  const opened = openLocalService({ storage, clock, storageDeadlineMs: 60_000 });
  for (offMs of [-5_000, 0, 10_000, 20_000, 25_000]) await opened.service.health();
  expect(opened.logs).toEqual([]);
  for (offMs of [-5_001, 25_001]) await expect(opened.service.health()).rejects.toThrow('clock');
});

test('a storage that does not tell its time lets nothing be removed', async () => {
  const storage = probe();
  const opened = openLocalService({ storage });
  storage.fail = (call) => (call === 'time' ? Promise.reject(new Error('no answer')) : undefined);
  await retainUntil(opened, 'retention_failed');
  expect(storage.calls).toEqual(['time']);
});

test('over HTTP the node is alive and gives verdicts, and is not ready', async () => {
  const clock = manualClock();
  let offMs = 6_000;
  const opened = openLocalService({ clock, storage: withClock(async () => clock.now() + offMs) });
  const api = openApi(opened);
  const answer = await api.ask('GET', '/health/ready');
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    code: 'storage_unavailable',
    detail: 'The clock of this node is wrong. Set it by NTP.',
  });
  expect((await api.ask('GET', '/health/ready')).status).toBe(503);
  expect((await api.ask('GET', '/health/live')).status).toBe(200);
  expect((await opened.service.verify({ agent_id: 'did:web:a.example:agents:a', action: 'a' })).verdict).toBe(
    'DENY',
  );
  expect(eventsOf(opened).filter((event) => event.startsWith('clock'))).toEqual(['clock_off']);
  offMs = 0;
  expect((await api.ask('GET', '/health/ready')).status).toBe(200);
});
