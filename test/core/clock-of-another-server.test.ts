/** A server that takes over has another clock: it is compared before the next spend, proof or purge. */
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService, type IdentityService } from '../../src/core.ts';
import { createStorageEvents, type StorageAdapter, type StorageEvent } from '../../src/ports/index.ts';
import { insert, startProxy } from '../storage/redis-fixtures.ts';
import { hasRedis, newNamespace } from '../storage/redis-server.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { hasPostgresProgram, startPostgres, startRedis } from '../support/private-servers.mjs';
import { promotePostgres, rowsOf } from '../support/promote-postgres.mjs';
import { tellRedis, waitFor } from '../support/redis-words.mjs';
import { openLocalService } from '../support/service.ts';
import { startProxy as startTcpProxy } from '../support/tcp-proxy.mjs';

/** More than a node may be off. */
const OFF_MS = 10_000;
const TIMEOUT_MS = 1_000;
const PATIENT = { interval: 20 };

/**
 * A clock of a node that another server seems to leave behind: it and the monotonic one move together, as seen by a
 * node that was not touched.
 */
function movableClock() {
  let aheadMs = 0;
  let held: { readonly now: number; readonly monotonic: number } | undefined;
  const clock = {
    set(ms: number): void {
      aheadMs = ms;
    },
    /** Lets the clock stand still, so that nothing that was read becomes old; or go on. */
    hold(isOn: boolean): void {
      held = undefined;
      if (isOn) held = { now: clock.now(), monotonic: clock.monotonic() };
    },
    now: () => held?.now ?? Date.now() + aheadMs,
    monotonic: () => held?.monotonic ?? performance.now() + aheadMs,
  };
  return clock;
}

/** A node with a passport that may spend, and the outcome of one spend. */
async function openNode(storage: StorageAdapter) {
  const clock = movableClock();
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage, clock });
  onTestFinished(() => service.close());
  const budgets = [{ window: 'lifetime' as const, limit: 1_000_000 }];
  const spenderOf = async (agent_name: string) => {
    const { agent_id } = await service.passports.create({
      ...{ domain: 'example.com', agent_name, allowed_actions: ['pay'] },
      ...{ currency: 'EUR', monetary_actions: ['pay'], monetary_limit_per_txn: 1, budgets },
    });
    const parameters = { amount: 1, currency: 'EUR' };
    return () =>
      service.verify({ agent_id, action: 'pay', parameters }).then(
        ({ verdict }) => verdict,
        (error: Error) => error.message,
      );
  };
  return { clock, service, spenderOf, spend: await spenderOf('buyer'), events: eventsOf(storage) };
}

function eventsOf(storage: StorageAdapter): readonly StorageEvent[] {
  const events: StorageEvent[] = [];
  storage.observe?.((event) => events.push(event));
  return events;
}

/** Spends until the new server has answered one way or the other: before that, there is no connection. */
async function firstAnswer(spend: () => Promise<string>): Promise<string> {
  let last = '';
  await expect
    .poll(async () => {
      last = await spend();
      return last === 'ALLOW' || last.includes('clock');
    }, PATIENT)
    .toBe(true);
  return last;
}

if (await hasRedis()) {
  test('Redis: a replica with another clock takes over, and no spend is taken until the clocks agree', async () => {
    const primary = await startRedis();
    const replica = await startRedis({ options: { replicaof: `127.0.0.1 ${primary.port}` } });
    for (const { remove } of [primary, replica]) onTestFinished(remove);
    await waitFor('the replica', async () =>
      String(await tellRedis(primary.port, ['INFO', 'replication'])).includes('state=online'),
    );
    const proxy = await startProxy(primary.url);
    const storage = await redisStorage({
      timeoutMs: PATIENT_MS,
      url: `${proxy.url}?replicas=1`,
      namespace: newNamespace(),
    });
    const { clock, spend, events } = await openNode(storage);
    expect(await spend()).toBe('ALLOW');
    clock.set(OFF_MS);
    // The node compares every minute: so far nothing has told it.
    expect(await spend()).toBe('ALLOW');
    await tellRedis(replica.port, ['REPLICAOF', 'NO', 'ONE']);
    await tellRedis(primary.port, ['REPLICAOF', '127.0.0.1', `${replica.port}`]);
    await waitFor('the old primary follows', async () =>
      String(await tellRedis(replica.port, ['INFO', 'replication'])).includes('state=online'),
    );
    proxy.leadTo(replica.url);
    expect(await firstAnswer(spend)).toBe('The clock of this node is wrong. Set it by NTP.');
    expect(await spend()).toBe('The clock of this node is wrong. Set it by NTP.');
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['server_uncertain', 'primary_changed']),
    );
    const address = new URL(proxy.url).host;
    expect(events.find(({ type }) => type === 'primary_changed')).toMatchObject({
      address,
      withoutMs: expect.any(Number),
    });
    clock.set(0);
    expect(await spend()).toBe('ALLOW');
  });

  test('Redis: a write whose signal is aborted when its server is known is not sent there', async () => {
    const servers = await Promise.all([startRedis(), startRedis()]);
    const [first, second] = servers;
    for (const { remove } of servers) onTestFinished(remove);
    const proxy = await startProxy(first.url);
    const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: proxy.url, namespace: newNamespace() });
    onTestFinished(() => storage.close());
    await storage.write([insert('before')]);
    await tellRedis(second.port, ['REPLICAOF', '127.0.0.1', `${first.port}`]);
    await waitFor('the copy', async () =>
      String(await tellRedis(second.port, ['INFO', 'replication'])).includes('master_link_status:up'),
    );
    await tellRedis(second.port, ['REPLICAOF', 'NO', 'ONE']);
    // It has the scripts already: the first attempt of a write is the one that counts.
    const other = await redisStorage({ timeoutMs: PATIENT_MS, url: second.url, namespace: newNamespace() });
    await other.write([insert('other')]);
    await other.close();
    const taken = new AbortController();
    storage.observe?.(({ type }) => type === 'primary_changed' && taken.abort(new Error('taken over')));
    proxy.leadTo(second.url);
    const write = () => storage.write([insert('after')], taken.signal).catch(({ message }: Error) => message);
    // Without a connection it rejects as well. The first one that is sent has the signal aborted.
    await expect.poll(write, PATIENT).toBe('taken over');
    expect(await storage.get('passports', 'after')).toBeUndefined();
    expect(await storage.write([insert('after')])).toMatchObject({ written: true });
  });
}

if (hasPostgresProgram()) {
  test('PostgreSQL: a standby with another clock takes over, and no spend is taken until the clocks agree', async () => {
    const options = { fsync: 'off' };
    const primary = await startPostgres({ options });
    const standby = await startPostgres({ options, of: primary.url });
    for (const { remove } of [primary, standby]) onTestFinished(remove);
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const storage = await postgresStorage({
      url: `postgres://root@${hosts}/postgres`,
      timeoutMs: TIMEOUT_MS,
    });
    const { clock, spend, events } = await openNode(storage);
    expect(await spend()).toBe('ALLOW');
    clock.set(OFF_MS);
    expect(await spend()).toBe('ALLOW');
    await primary.stop();
    await promotePostgres(standby.url);
    expect(await firstAnswer(spend)).toBe('The clock of this node is wrong. Set it by NTP.');
    const [changed, ...others] = events.filter(({ type }) => type === 'primary_changed');
    expect(changed).toMatchObject({ address: `127.0.0.1:${standby.port}`, withoutMs: expect.any(Number) });
    expect(changed).not.toMatchObject({ withoutMs: 0 });
    expect(others).toEqual([]);
    clock.set(0);
    expect(await spend()).toBe('ALLOW');
  });

  test('PostgreSQL: a spend under way that finds the new primary does not enter it before the clock is compared', async () => {
    const options = { fsync: 'off' };
    const primary = await startPostgres({ options });
    const standby = await startPostgres({ options, of: primary.url });
    const proxy = await startTcpProxy(primary.port);
    for (const server of [primary, standby]) onTestFinished(server.remove);
    onTestFinished(() => proxy.close());
    await rowsOf(primary.url, "alter system set synchronous_standby_names = '*'");
    await rowsOf(primary.url, 'select pg_reload_conf()');
    const hosts = [proxy, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const storage = await postgresStorage({
      url: `postgres://root@${hosts}/postgres`,
      timeoutMs: TIMEOUT_MS,
    });
    const { clock, spend: first, spenderOf, events } = await openNode(storage);
    expect(await first()).toBe('ALLOW');
    const spenders: Awaited<ReturnType<typeof spenderOf>>[] = [];
    for (let at = 0; at < 12; at += 1) spenders.push(await spenderOf(`buyer-${at}`));
    clock.set(OFF_MS);
    clock.hold(true);
    // The passports are in memory from now on, and no comparison is due.
    for (const spend of spenders) expect(await spend()).toBe('ALLOW');
    proxy.swallow();
    await promotePostgres(standby.url);
    const before = events.length;
    const outcomes: unknown[] = [];
    // More spends than idle connections: the others find the new primary during their calls, on a slow machine later.
    const found = async () => {
      outcomes.push(...(await Promise.all(spenders.map((spend) => spend()))));
      return events.slice(before).map(({ type }) => type);
    };
    await expect.poll(found, PATIENT).toContain('primary_changed');
    expect(outcomes).not.toContain('ALLOW');
    const stored = await rowsOf(standby.url, 'select count(*)::int as spends from ais_spends');
    expect(stored).toEqual([{ spends: spenders.length + 1 }]);
    clock.hold(false);
    clock.set(0);
    for (const spend of spenders) await expect.poll(spend, PATIENT).toBe('ALLOW');
  });
}

/** A storage of a server that the test replaces, and whose clock it sets. */
function replaceable() {
  const { emit, observe } = createStorageEvents();
  const server = { aheadMs: 0, before: async () => {} };
  const now = { at: () => 0 };
  const storage: StorageAdapter = {
    ...memoryStorage(),
    observe,
    async time() {
      const answered = now.at() + server.aheadMs;
      await server.before();
      return { at: new Date(answered).toISOString(), isMark: false };
    },
  };
  const opened = openLocalService({ storage });
  now.at = opened.clock.now;
  const replace = (): void => emit({ type: 'primary_changed', withoutMs: 0 });
  return { ...opened, server, replace };
}

const isReady = (service: IdentityService): Promise<boolean> =>
  service.health().then(
    () => true,
    () => false,
  );

test('a comparison that the old server has answered says nothing of the new one', async () => {
  const { service, server, replace } = replaceable();
  expect(await isReady(service)).toBe(true);
  // The old server is right and answers; before its answer is evaluated, the new one has taken over.
  let isFirst = true;
  server.before = async () => {
    if (!isFirst) return;
    isFirst = false;
    server.aheadMs = -OFF_MS;
    replace();
  };
  expect(await isReady(service)).toBe(false);
});

test('the clock is compared at once, without a request', async () => {
  const { service, server, replace, logs } = replaceable();
  expect(await isReady(service)).toBe(true);
  server.aheadMs = -OFF_MS;
  replace();
  await expect.poll(() => logs.map(({ event }) => event), PATIENT).toContain('clock_off');
});

test('an observer that throws keeps the event from no other, and a removed one gets none', () => {
  const { emit, observe } = createStorageEvents();
  const got: StorageEvent[] = [];
  observe(() => {
    throw new Error('mine');
  });
  const stop = observe((event) => got.push(event));
  emit({ type: 'server_uncertain' });
  stop();
  emit({ type: 'server_uncertain' });
  expect(got).toEqual([{ type: 'server_uncertain' }]);
});
