/** Nodes that go on after a fail-over of Redis, also those that were opened while replicas were slow. */
import { expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { startSentinel } from '../support/redis-sentinel.mjs';
import { tellRedis, waitFor } from '../support/redis-words.mjs';
import { startProxy } from '../support/tcp-proxy.mjs';
import { insert } from './redis-fixtures.ts';
import { hasRedis, newNamespace } from './redis-server.ts';

/** A Sentinel makes the old primary a replica after 8 s and more, and both replicas must have all. */
const FAIL_OVER_MS = 60_000;
const OPTIONS = { 'repl-diskless-sync-delay': '0' };
/** The `WAIT`s of one attempt: that it is permitted, and that the replicas have the list of incarnations. */
const WAITS_OF_AN_ATTEMPT = 2;

if (await hasRedis()) {
  test(
    'a node whose first attempt to open found a slow replica goes on after a restart of the server',
    async () => {
      const primary = await startRedis({ options: OPTIONS });
      onTestFinished(primary.remove);
      const link = await startProxy(primary.port);
      onTestFinished(() => link.close());
      const replica = await startRedis({ options: { ...OPTIONS, replicaof: `127.0.0.1 ${link.port}` } });
      onTestFinished(replica.remove);
      const info = async (section: string) => String(await tellRedis(primary.port, ['INFO', section]));
      await waitFor('the replica', async () => /state=online,.*lag=[01]/.test(await info('replication')));

      // It is heard of all the time, but no write reaches it while a `WAIT` lasts.
      link.delay(2_000);
      const opening = redisStorage({
        url: `${primary.url}?replicas=1`,
        namespace: newNamespace(),
        timeoutMs: PATIENT_MS,
      });
      await waitFor('a second attempt', async () => {
        const [, calls] = /cmdstat_wait:calls=(\d+)/.exec(await info('commandstats')) ?? [];
        return Number(calls) > WAITS_OF_AN_ATTEMPT;
      });
      await link.pass();
      const storage = await opening;
      onTestFinished(storage.close);
      await storage.write([insert('before')]);

      await primary.restart();
      await expect
        .poll(() => storage.write([insert(`q${Math.random()}`)]).then(({ written }) => written, String), {
          timeout: FAIL_OVER_MS,
        })
        .toBe(true);
      expect(await storage.get('passports', 'before')).toBeDefined();
    },
    3 * FAIL_OVER_MS,
  );

  test(
    'after a fail-over a write that was acknowledged is there, and the node goes on',
    async () => {
      const namespace = newNamespace();
      const [first, second, third] = [
        await startRedis({ options: OPTIONS }),
        await startRedis({ options: OPTIONS }),
        await startRedis({ options: OPTIONS }),
      ];
      for (const server of [first, second, third]) onTestFinished(server.remove);
      for (const { port } of [second, third])
        await tellRedis(port, ['REPLICAOF', '127.0.0.1', `${first.port}`]);
      await waitFor('the replicas', async () => {
        const info = String(await tellRedis(first.port, ['INFO', 'replication']));
        return (info.match(/state=online/g) ?? []).length === 2;
      });
      const sentinel = await startSentinel(first.port, { downAfterMs: 60_000 });
      onTestFinished(sentinel.remove);
      await waitFor('the Sentinel knows the replicas', async () =>
        String(await tellRedis(sentinel.port, ['INFO', 'sentinel'])).includes('slaves=2'),
      );
      // A Sentinel may promote either replica: with one of two, the other may lack an acknowledged write.
      const url = `redis://127.0.0.1:${sentinel.port}?sentinel=agents&replicas=2`;
      const storage = await redisStorage({ url, namespace, timeoutMs: PATIENT_MS });
      onTestFinished(storage.close);
      for (let at = 0; at < 20; at += 1) await storage.write([insert(`p${at}`)]);
      await first.kill();
      await waitFor('another primary', async () => {
        // The Sentinel refuses while it has not heard of a replica lately, and while it does what it was told before.
        await tellRedis(sentinel.port, ['SENTINEL', 'FAILOVER', 'agents']).catch(() => {});
        const address = await tellRedis(sentinel.port, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'agents']);
        return !String(address).includes(`${first.port}`);
      });
      await first.restart();
      await expect
        .poll(() => storage.write([insert(`q${Math.random()}`)]).then(({ written }) => written, String), {
          timeout: FAIL_OVER_MS,
        })
        .toBe(true);
      // A read may be refused while a replica is slow, but no record may be missing.
      for (let at = 0; at < 20; at += 1) {
        let found: unknown;
        await expect
          .poll(
            async () => {
              found = await storage.get('passports', `p${at}`);
              return 'answered';
            },
            { timeout: FAIL_OVER_MS },
          )
          .toBe('answered');
        expect(found).toMatchObject({ id: `p${at}` });
      }
    },
    4 * FAIL_OVER_MS,
  );
}
