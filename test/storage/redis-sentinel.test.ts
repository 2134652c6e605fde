/** A storage behind Sentinels, and what a list of addresses may not be. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import type { ChangeNotice, StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { startSentinel, startWatched, type WatchedServers } from '../support/redis-sentinel.mjs';
import { tellRedis } from '../support/redis-words.mjs';
import { claimsToTry } from '../support/runs.ts';
import { insert } from './redis-fixtures.ts';
import { hasRedis, newNamespace, startPrivateRedis } from './redis-server.ts';

const PASSWORD = 's7-Wq3.bN8_zL1';

if (await hasRedis()) {
  let watched: WatchedServers;
  beforeAll(async () => {
    watched = await startWatched({ downAfterMs: 60_000, options: { appendonly: 'no' } });
  });
  afterAll(() => watched?.remove());

  const open = async (namespace = newNamespace(), url = watched.url): Promise<StorageAdapter> => {
    const storage = await redisStorage({ url, namespace, timeoutMs: PATIENT_MS });
    onTestFinished(storage.close);
    return storage;
  };
  const refused = (message: string) => ({
    code: 'invalid_configuration',
    message: expect.stringContaining(message),
  });

  describe('the contract behind 3 Sentinels, with a primary and 2 replicas', () => {
    const borrow = () => redisStorage({ url: watched.url, namespace: newNamespace(), timeoutMs: PATIENT_MS });
    const claims = claimsToTry(storageContract(borrow), 24, 'Redis behind Sentinels');
    // A busy machine may keep a replica from its answer for the 500 ms of a `WAIT`: then 503 is right.
    for (const claim of claims) test.concurrent(claim.name, { retry: 2 }, claim.run);
  });

  test('a planned fail-over: the calls and the listener go to the new primary', async () => {
    const own = await startWatched({ downAfterMs: 60_000, options: { appendonly: 'no' } });
    onTestFinished(own.remove);
    await own.ready();
    const namespace = newNamespace();
    // Sentinels may promote either replica: with one of two, the other may lack an acknowledged write.
    const url = `${own.url}&replicas=2`;
    const [one, other] = [await open(namespace, url), await open(namespace, url)];
    const heard: (ChangeNotice | undefined)[] = [];
    other.subscribe?.((notice) => heard.push(notice));
    await one.write([insert('p')]);
    const before = await own.primary();
    await tellRedis(own.sentinels[0]?.port ?? 0, ['SENTINEL', 'FAILOVER', 'agents']);
    await expect.poll(async () => (await own.primary())?.port).not.toBe(before?.port);
    await expect.poll(() => one.write([insert('q')]).then(({ written }) => written, String)).toBe(true);
    await expect.poll(() => other.get('passports', 'q').catch(() => undefined)).toBeDefined();
    await expect
      .poll(async () => {
        await one.write([insert(`r${heard.length} ${Math.random()}`)]);
        return heard.at(-1)?.id[0];
      })
      .toBe('r');
  });

  test('most of the Sentinels that answer decide, also while one lies and one is gone', async () => {
    const elsewhere = await startPrivateRedis();
    const liar = await startSentinel(elsewhere.port);
    onTestFinished(liar.remove);
    const namespace = newNamespace();
    await (await open(namespace)).write([insert('p')]);
    const ports = [liar, ...watched.sentinels.slice(0, 2)].map(({ port }) => port);
    const list = [...ports, 1].map((port) => `127.0.0.1:${port}`).join(',');
    // On a busy machine the liar may be the only one that answers in time: then the start is refused.
    let storage: StorageAdapter | undefined;
    await expect
      .poll(async () => {
        storage = await open(namespace, `redis://${list}?sentinel=agents`).catch(() => undefined);
        return storage;
      })
      .toBeDefined();
    expect(await storage?.get('passports', 'p')).toBeDefined();
    expect(await elsewhere.client.sendCommand(['DBSIZE'])).toBe(0);
  });

  test('a Sentinel that wants a password gets that of the URL, as the servers do', async () => {
    const options = { requirepass: PASSWORD, masterauth: PASSWORD };
    const primary = await startRedis({ options });
    onTestFinished(primary.remove);
    const lines = [`sentinel auth-pass agents ${PASSWORD}`];
    const open = await startSentinel(primary.port, { lines });
    onTestFinished(open.remove);
    const closed = await startSentinel(primary.port, { lines: [...lines, `requirepass ${PASSWORD}`] });
    onTestFinished(closed.remove);
    for (const { port } of [open, closed]) {
      const url = `redis://:${PASSWORD}@127.0.0.1:${port}?sentinel=agents&replicas=0`;
      const storage = await redisStorage({ url, timeoutMs: PATIENT_MS });
      expect(await storage.check()).toMatchObject({ durability: 'durable' });
      await storage.close();
    }
    const without = redisStorage({ url: `redis://127.0.0.1:${closed.port}?sentinel=agents` });
    await expect(without).rejects.toMatchObject(refused('NOAUTH'));
    const wrong = redisStorage({ url: `redis://:wrong@127.0.0.1:${closed.port}?sentinel=agents` });
    await expect(wrong).rejects.toMatchObject(refused('WRONGPASS'));
  });

  test('a name that no Sentinel knows is refused, and so are servers that are no Sentinels', async () => {
    const unknown = redisStorage({ url: watched.url.replace('=agents', '=others') });
    await expect(unknown).rejects.toMatchObject(refused('knows the name'));
    const [{ port } = { port: 0 }] = watched.servers;
    const server = redisStorage({ url: `redis://127.0.0.1:${port}?sentinel=agents` });
    await expect(server).rejects.toMatchObject(refused('these servers are none'));
  });

  test('the address of a Sentinel alone is refused, with the remedy', async () => {
    const plain = watched.url.split('?')[0] ?? '';
    for (const url of [plain, `${plain}/1`, plain.replace('//', `//u:${PASSWORD}@`)]) {
      await expect(redisStorage({ url })).rejects.toMatchObject(refused('?sentinel='));
    }
  });

  test('two servers that are no cluster are refused', async () => {
    const url = `redis://${watched.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    await expect(redisStorage({ url })).rejects.toMatchObject(refused('no cluster'));
  });

  test('addresses of which none answers are unavailable, in time', async () => {
    const started = performance.now();
    for (const query of ['', '?sentinel=agents']) {
      await expect(redisStorage({ url: `redis://127.0.0.1:1,127.0.0.1:2${query}` })).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('ECONNREFUSED'),
      });
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
}
