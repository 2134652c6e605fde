/** What an operator reads of the servers of a storage: log lines and counts, and never the URL. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { createIdentityService } from '../../src/core.ts';
import { createMetrics } from '../../src/metrics/index.ts';
import { createStorageEvents } from '../../src/ports/index.ts';
import type { LogEvent } from '../../src/ports/storage.ts';
import { insert, startProxy } from '../storage/redis-fixtures.ts';
import { hasRedis, newNamespace } from '../storage/redis-server.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { openLocalService } from '../support/service.ts';

const PATIENT = { interval: 20 };

/** The values of the samples whose line begins with a name. */
function samplesOf(text: string, name: string): readonly number[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`agent_identity_storage_${name}`));
  return lines.map((line) => Number(line.slice(line.lastIndexOf(' '))));
}

/** A service over a storage that reports what the test says. */
function openReporting() {
  const { emit, observe } = createStorageEvents();
  const metrics = createMetrics();
  const opened = openLocalService({ storage: { ...memoryStorage(), observe }, metrics });
  return { ...opened, metrics, emit };
}

test('a change of primary is a line with its address and the time without one, and is counted', () => {
  const { emit, logs, metrics } = openReporting();
  expect(samplesOf(metrics.text(), 'primary_changes_total')).toEqual([0]);
  emit({ type: 'primary_changed', address: '10.0.0.2:6379', withoutMs: 2_750 });
  emit({ type: 'primary_changed', withoutMs: 0 });
  expect(logs).toEqual([
    {
      level: 'warn',
      event: 'storage_primary_changed',
      message: 'The storage works on the server 10.0.0.2:6379 now, after 2750 ms without one.',
      address: '10.0.0.2:6379',
      without_ms: 2_750,
    },
    {
      level: 'warn',
      event: 'storage_primary_changed',
      message: 'The storage works on another server now, after 0 ms without one.',
      without_ms: 0,
    },
  ]);
  expect(samplesOf(metrics.text(), 'primary_changes_total')).toEqual([2]);
});

test('writes that too few replicas have are counted each, and are a line at most once a minute', () => {
  const { emit, logs, metrics, clock } = openReporting();
  for (let second = 0; second < 120; second += 1) {
    emit({ type: 'unconfirmed', reached: 0, needed: 1 });
    clock.advance(1_000);
  }
  expect(logs.map(({ event }) => event)).toEqual(['storage_unconfirmed', 'storage_unconfirmed']);
  expect(logs[0]).toMatchObject({ level: 'warn', reached: 0, needed: 1 });
  expect(samplesOf(metrics.text(), 'unconfirmed_total')).toEqual([120]);
});

test('a slot that moves is a line; calls that went together are counted by their number', () => {
  const { emit, logs, metrics } = openReporting();
  emit({ type: 'records_moving' });
  emit({ type: 'joined', kind: 'write', count: 1 });
  emit({ type: 'joined', kind: 'write', count: 64 });
  expect(logs.map(({ event }) => event)).toEqual(['storage_slot_moving']);
  const text = metrics.text();
  expect(samplesOf(text, 'joined_count{kind="write"}')).toEqual([2]);
  expect(samplesOf(text, 'joined_sum{kind="write"}')).toEqual([65]);
  expect(samplesOf(text, 'joined_bucket{kind="write",le="32"}')).toEqual([1]);
  expect(samplesOf(text, 'joined_bucket{kind="write",le="64"}')).toEqual([2]);
  expect(samplesOf(text, 'joined_count{kind="get"}')).toEqual([0]);
});

test('metrics of an application without a method for events, or with one that throws, change nothing', () => {
  const { emit, observe } = createStorageEvents();
  const storage = { ...memoryStorage(), observe };
  const { onStorageEvent, ...older } = createMetrics();
  const without = openLocalService({ storage, metrics: older });
  const failing = openLocalService({
    storage,
    metrics: {
      ...older,
      onStorageEvent() {
        throw new Error('mine');
      },
    },
  });
  emit({ type: 'records_moving' });
  onStorageEvent({ type: 'records_moving' });
  expect(without.logs.map(({ event }) => event)).toEqual(['storage_slot_moving']);
  expect(failing.logs.map(({ event }) => event)).toEqual(['hook_failed', 'storage_slot_moving']);
});

if (await hasRedis()) {
  test('Redis: no line, count or error names the URL, through too few replicas, an outage and a fail-over', async () => {
    const password = 'geheim-0123456789';
    const options = { requirepass: password, masterauth: password, 'repl-diskless-sync-delay': '0' };
    const primary = await startRedis({ options });
    const replica = await startRedis({ options: { ...options, replicaof: `127.0.0.1 ${primary.port}` } });
    for (const { remove } of [primary, replica]) onTestFinished(remove);
    const proxy = await startProxy(primary.url);
    const { host } = new URL(proxy.url);
    const url = `redis://:${password}@${host}?replicas=1`;
    const opened = () => redisStorage({ url, namespace: newNamespace(), timeoutMs: 1_000 });
    await expect.poll(() => opened().then((storage) => storage.close()), PATIENT).toBeUndefined();
    const storage = await opened();
    const [logs, metrics]: [LogEvent[], ReturnType<typeof createMetrics>] = [[], createMetrics()];
    const service = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage,
      metrics,
      log: (event) => logs.push(event),
    });
    onTestFinished(() => service.close());
    const errors: unknown[] = [];
    const write = () =>
      storage.write([insert(crypto.randomUUID())]).then(
        () => true,
        (error: Error) => {
          errors.push(error.message, error.stack, error.cause);
          return false;
        },
      );
    const eventsOf = (name: string) => logs.filter(({ event }) => event === name);

    expect(await write()).toBe(true);
    replica.freeze();
    expect(await write()).toBe(false);
    expect(await write()).toBe(false);
    expect(eventsOf('storage_unconfirmed')).toHaveLength(1);
    expect(samplesOf(metrics.text(), 'unconfirmed_total')).toEqual([2]);
    replica.thaw();
    await expect.poll(write, PATIENT).toBe(true);

    // A restart is another run of the server.
    await primary.restart();
    await pause(100);
    await expect.poll(write, PATIENT).toBe(true);
    expect(eventsOf('storage_primary_changed')).toEqual([expect.objectContaining({ address: host })]);
    expect(Number(eventsOf('storage_primary_changed')[0]?.['without_ms'])).toBeGreaterThan(0);
    expect(samplesOf(metrics.text(), 'primary_changes_total')).toEqual([1]);

    const told = JSON.stringify([logs, errors]) + errors.map(String).join('\n') + metrics.text();
    expect(errors.length).toBeGreaterThan(0);
    expect(told).not.toContain(password);
    expect(told).not.toContain('redis://');
  });
}
