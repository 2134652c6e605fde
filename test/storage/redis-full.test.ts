/** A server whose memory is full while another incarnation of it begins. */
import { expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { tellRedis, waitFor } from '../support/redis-words.mjs';
import { insert } from './redis-fixtures.ts';
import { hasRedis, newNamespace } from './redis-server.ts';

/** A server, and a way to open one namespace of it. */
async function startStore(query = '') {
  const options = { 'repl-diskless-sync-delay': '0' };
  const server = await startRedis({ options });
  onTestFinished(server.remove);
  const namespace = newNamespace();
  const tell = (...words: string[]) => tellRedis(server.port, words);
  const open = async () => {
    const storage = await redisStorage({ url: `${server.url}${query}`, namespace, timeoutMs: PATIENT_MS });
    onTestFinished(storage.close);
    return storage;
  };
  return {
    server,
    options,
    tell,
    open,
    fill: (isFull: boolean) => tell('CONFIG', 'SET', 'maxmemory', isFull ? '1' : '0'),
  };
}

if (await hasRedis()) {
  test('the incarnation is listed, so that no later one counts as an older copy', async () => {
    const { tell, open, fill } = await startStore();
    const storage = await open();
    await storage.write([insert('p')]);
    const isThere = () => storage.get('passports', 'p').then((found) => found !== undefined, String);
    const beginIncarnation = async () => {
      await tell('REPLICAOF', '127.0.0.1', '1');
      await tell('REPLICAOF', 'NO', 'ONE');
      // The server of a new connection is looked at before it is asked.
      await tell('CLIENT', 'KILL', 'TYPE', 'normal');
      await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
    };
    await fill(true);
    await beginIncarnation();
    await expect(storage.write([insert('q')])).rejects.toThrow('OOM');
    await fill(false);
    await storage.write([insert('q')]);
    await beginIncarnation();
  });

  test('with replicas a node starts there, and what it reads is confirmed', async () => {
    const { server, options, tell, open, fill } = await startStore('?replicas=1');
    const replica = await startRedis({ options: { ...options, replicaof: `127.0.0.1 ${server.port}` } });
    onTestFinished(replica.remove);
    await waitFor('the replica', async () =>
      String(await tell('INFO', 'replication')).includes('state=online'),
    );
    await (await open()).write([insert('p', 'idempotency')]);
    await fill(true);
    const storage = await open();
    await expect(storage.write([insert('q')])).rejects.toThrow('OOM');
    expect(await storage.get('idempotency', 'p')).toBeDefined();
  });
}
