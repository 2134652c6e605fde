/** A storage in a Redis Cluster. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { slotOf } from '../../adapters/storage/redis/locate.ts';
import type { ChangeNotice, StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { type ClusterServer, type PrivateCluster, startCluster } from '../support/redis-cluster.mjs';
import { moveSlot } from '../support/redis-slots.mjs';
import { tellRedis } from '../support/redis-words.mjs';
import { claimsToTry } from '../support/runs.ts';
import { insert } from './redis-fixtures.ts';
import { hasRedis, newNamespace } from './redis-server.ts';

if (await hasRedis()) {
  let cluster: PrivateCluster;
  beforeAll(async () => {
    cluster = await startCluster({ nodeTimeoutMs: 30_000, options: { appendonly: 'no' } });
  });
  afterAll(() => cluster?.remove());

  const open = async (namespace = newNamespace(), url = cluster.url): Promise<StorageAdapter> => {
    const storage = await redisStorage({ url, namespace, timeoutMs: PATIENT_MS });
    onTestFinished(storage.close);
    return storage;
  };

  /** A server that has not the slot of a namespace. */
  const otherThan = (one: ClusterServer): ClusterServer =>
    cluster.servers.slice(0, 3).find(({ id }) => id !== one.id) as ClusterServer;

  describe('the contract over a cluster of 3+3', () => {
    // Two addresses, because each claim asks all of them before it connects.
    const borrow = () =>
      redisStorage({
        url: cluster.url.split(',', 2).join(','),
        namespace: newNamespace(),
        timeoutMs: PATIENT_MS,
      });
    const claims = claimsToTry(storageContract(borrow), 24, 'Redis Cluster');
    // A busy machine may keep a replica from its answer for the 500 ms of a `WAIT`: then 503 is right.
    for (const claim of claims) test.concurrent(claim.name, { retry: 2 }, claim.run);
  });

  test('the slot of a namespace is computed as Redis does', async () => {
    for (const namespace of ['a', 'agent-identity', newNamespace(), 'A.b_c-9'.repeat(14)]) {
      const asked = await tellRedis(cluster.servers[0]?.port ?? 0, [
        'CLUSTER',
        'KEYSLOT',
        `{${namespace}}:marker`,
      ]);
      expect(slotOf(namespace)).toBe(asked);
    }
  });

  test('the address of any one server of the cluster is enough, also that of a replica', async () => {
    const namespace = newNamespace();
    const writer = await open(namespace);
    await writer.write([insert('p')]);
    for (const { url } of cluster.servers) {
      expect(await (await open(namespace, url)).get('passports', 'p')).toBeDefined();
    }
  });

  test('a slot that moves away and back: each node follows it, and hears of changes', async () => {
    const namespace = newNamespace();
    const [one, other] = [await open(namespace), await open(namespace)];
    const heard: (ChangeNotice | undefined)[] = [];
    other.subscribe?.((notice) => heard.push(notice));
    await one.write([insert('p0')]);
    const home = await cluster.primaryOf(`{${namespace}}`);
    const away = otherThan(home);
    for (const [at, [from, to]] of (
      [
        [home, away],
        [away, home],
      ] as const
    ).entries()) {
      await moveSlot({ servers: cluster.servers, slot: slotOf(namespace), from, to });
      const id = `p${at + 1}`;
      for (const [by, storage] of [one, other].entries()) {
        await expect
          .poll(() => storage.write([insert(`${id} ${by}`)]).then(({ written }) => written, String), {
            timeout: 10_000,
          })
          .toBe(true);
        expect(await storage.get('passports', 'p0')).toBeDefined();
      }
      await expect.poll(() => heard.at(-1)).toEqual({ collection: 'passports', id: `${id} 1`, version: 1 });
    }
  });

  test('another database than 0 is refused, with the remedy', async () => {
    await expect(redisStorage({ url: `${cluster.url}/1` })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('/0'),
    });
  });

  test('a cluster without a primary for the keys is unavailable', async () => {
    const empty = await startCluster({ primaries: 1, replicas: 0 });
    onTestFinished(empty.remove);
    const [{ port } = { port: 0 }] = empty.servers;
    await tellRedis(port, ['CLUSTER', 'DELSLOTS', `${slotOf('agent-identity')}`]);
    await expect(redisStorage({ url: empty.url })).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining('names a primary'),
    });
  });
}
