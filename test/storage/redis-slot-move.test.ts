/** A slot full of keys that moves under load, rests with each second, and comes back: no write is half. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { slotOf } from '../../adapters/storage/redis/locate.ts';
import type { Change, StorageAdapter, StorageEvent } from '../../src/ports/index.ts';
import { startCluster } from '../support/redis-cluster.mjs';
import { moveSlot } from '../support/redis-slots.mjs';
import { tellRedis } from '../support/redis-words.mjs';
import { nightly, sized } from '../support/runs.ts';
import { insert } from './redis-fixtures.ts';
import { hasRedis, newNamespace } from './redis-server.ts';

const KEYS = nightly(300_000, sized(20_000, 4_000));
const AT_ONCE = 200;
const CALLERS = 8;
const NODES = 2;
const TIMEOUT_MS = 1_000;
/** The bound of the three calls of a turn, and what a busy machine may add. */
const LATE_MS = 3 * TIMEOUT_MS + 1_000;
const ACCOUNT = 'acc_a';
const COUNTER = 'written';
const AT = '2026-11-20T12:00:00.000Z';

/** The steps of a write, each with keys of its own: half of it would show in another number of records. */
function steps(id: string): readonly Change[] {
  return [
    insert(`p-${id}`),
    { op: 'add', counter: COUNTER, by: 1, at: AT },
    insert(`d-${id}`, 'domains'),
    insert(`k-${id}`, 'keys'),
  ];
}

const OWN = 'acc_own';

/** The record of a caller in a version, with the counter of its changes. */
function ownChange(caller: number, version: number): readonly Change[] {
  const change = insert(`own-${caller}`, 'passports', OWN) as Extract<Change, { op: 'insert' }>;
  const record = { ...change.record, version };
  if (version === 1) return [{ ...change, record }];
  // All keys that it reads are there; what moves under it are those of the indexes, which it only writes.
  return [
    { op: 'add', counter: `own-${caller}`, by: 1, at: AT },
    { op: 'replace', collection: 'passports', record, version: version - 1 },
  ];
}

/** Changes the record of a caller, whatever became of the change before. */
async function changeOwn(storage: StorageAdapter, caller: number): Promise<void> {
  const version = (await storage.get('passports', `own-${caller}`))?.version ?? 0;
  await storage.write(ownChange(caller, version + 1));
}

/** Fills a store with records that nothing changes any more. */
async function fill(storage: StorageAdapter): Promise<void> {
  for (let at = 0; at < KEYS; at += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, index) =>
      insert(`s-${at + index}`, 'sessions', 'acc_b'),
    );
    expect(await storage.write(batch)).toMatchObject({ written: true });
  }
}

/** The ids of the records of the account in a collection. */
async function idsOf(
  storage: StorageAdapter,
  collection: 'passports' | 'domains' | 'keys',
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: { created_at: string; id: string } | undefined;
  for (;;) {
    const page = await storage.list(collection, {
      where: { account_id: ACCOUNT },
      limit: 100,
      ...(after && { after }),
    });
    ids.push(...page.map(({ id }) => id.slice(2)));
    const last = page.at(-1);
    if (last === undefined) return ids.sort();
    after = { created_at: last.created_at, id: last.id };
  }
}

/** Callers that write until the end, each write under a new id. */
function startLoad(storages: readonly StorageAdapter[]) {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let slowest = 0;
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const storage = storages[caller % storages.length] as StorageAdapter;
    for (let number = 0; !isOver; number += 1) {
      const id = `${caller}-${number}`;
      const started = performance.now();
      await changeOwn(storage, caller).catch(() => undefined);
      await storage.write(steps(id)).then(
        () => acknowledged.push(id),
        (error: Error) => refused.push(error.message),
      );
      slowest = Math.max(slowest, performance.now() - started);
      await pause(5);
    }
  });
  return {
    acknowledged,
    refused,
    slowest: () => slowest,
    async end() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

if (await hasRedis()) {
  test(
    `${KEYS} keys move away and back under load: every write is whole, and none that was acknowledged is lost`,
    async () => {
      const cluster = await startCluster({
        primaries: 2,
        replicas: 0,
        nodeTimeoutMs: 30_000,
        options: { appendonly: 'no' },
      });
      onTestFinished(cluster.remove);
      const namespace = newNamespace();
      const url = `${cluster.url}?replicas=0`;
      const storages = await Promise.all(
        Array.from({ length: NODES }, () => redisStorage({ url, namespace, timeoutMs: TIMEOUT_MS })),
      );
      const events = storages.map((storage) => {
        onTestFinished(storage.close);
        const heard: StorageEvent[] = [];
        storage.observe?.((event) => heard.push(event));
        return heard;
      });
      const [storage] = storages as [StorageAdapter];
      await fill(storage);
      const home = await cluster.primaryOf(`{${namespace}}`);
      const away = cluster.servers.find(({ id }) => id !== home.id) ?? home;
      const load = startLoad(storages);
      for (const [from, to] of [
        [home, away],
        [away, home],
      ] as const) {
        const slot = slotOf(namespace);
        expect(Number(await tellRedis(from.port, ['CLUSTER', 'COUNTKEYSINSLOT', `${slot}`]))).toBeGreaterThan(
          KEYS,
        );
        await moveSlot({ servers: cluster.servers, slot, from, to, isResting: true });
        const before = load.acknowledged.length;
        await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 10 * CALLERS);
      }
      await load.end();

      expect(load.refused.length).toBeGreaterThan(0);
      expect(load.slowest()).toBeLessThan(LATE_MS);
      const ids = await idsOf(storage, 'passports');
      expect(await idsOf(storage, 'domains')).toEqual(ids);
      expect(await idsOf(storage, 'keys')).toEqual(ids);
      expect(await storage.count(COUNTER, AT)).toBe(ids.length);
      const counted = await storage.countPassports?.(ACCOUNT, AT);
      expect(counted).toMatchObject({ active: ids.length, next: null });
      const stored = new Set(ids);
      expect(load.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      const own = Array.from({ length: CALLERS }, (_, caller) => `own-${caller}`);
      const listed = await storage.list('passports', { where: { account_id: OWN }, limit: 100 });
      expect(listed.map(({ id }) => id).sort()).toEqual(own);
      for (const id of own) {
        const changes = Number((await storage.get('passports', id))?.version) - 1;
        expect(changes).toBeGreaterThan(10);
        expect(await storage.count(id, AT), `changes of ${id}`).toBe(changes);
      }
      for (const heard of events) {
        const types = heard.map(({ type }) => type);
        expect(types.filter((type) => type === 'records_moving')).toHaveLength(2);
        expect(types.filter((type) => type === 'primary_changed')).toHaveLength(2);
      }
    },
    nightly(1_200_000, 180_000),
  );
}
