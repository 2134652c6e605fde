/** Writes that wait for replicas, on real servers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Send } from '../../adapters/storage/redis/client.ts';
import { createGuard } from '../../adapters/storage/redis/guard.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { identityKey, writeCounterKey } from '../../adapters/storage/redis/keys.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { type PrivateServer, startRedis } from '../support/private-servers.mjs';
import { tellRedis, waitFor } from '../support/redis-words.mjs';
import { newFolder } from './folder.ts';
import { insert } from './redis-fixtures.ts';
import { hasRedis, newNamespace, startPrivateRedis } from './redis-server.ts';

const DEADLINE_MS = 1_500;
/** What a busy machine may add. */
const MARGIN_MS = 10_000;

if (await hasRedis()) {
  let primary: PrivateServer;
  let replica: PrivateServer;
  const lag = { 'repl-diskless-sync-delay': '0' };

  beforeAll(async () => {
    primary = await startRedis({ options: lag });
    replica = await startRedis({ options: { ...lag, replicaof: `127.0.0.1 ${primary.port}` } });
    await followed(primary, 1);
  });
  afterAll(async () => {
    await replica?.remove();
    await primary?.remove();
  });

  const followed = (server: PrivateServer, replicas: number): Promise<void> =>
    waitFor('the replicas', async () => {
      const info = String(await tellRedis(server.port, ['INFO', 'replication']));
      return (info.match(/state=online/g) ?? []).length === replicas;
    });
  const open = async (query: string, rest: object = {}): Promise<StorageAdapter> => {
    const url = `${primary.url}?${query}`;
    const storage = await redisStorage({ url, namespace: newNamespace(), timeoutMs: PATIENT_MS, ...rest });
    onTestFinished(storage.close);
    return storage;
  };
  /** Freezes the replica until the test ends, or the function that it returns is called. */
  const freeze = (): (() => void) => {
    replica.freeze();
    onTestFinished(async () => {
      replica.thaw();
      await followed(primary, 1);
    });
    return replica.thaw;
  };

  test('a write, and an answer that speaks of it, come only when a replica has it', async () => {
    const namespace = newNamespace();
    const storage = await open('replicas=1', { namespace, timeoutMs: DEADLINE_MS });
    const other = await open('replicas=1', { namespace, timeoutMs: DEADLINE_MS });
    await storage.write([insert('before', 'idempotency')]);
    // A script that the server does not know is sent twice: the second command is the one that counts.
    await tellRedis(primary.port, ['SCRIPT', 'FLUSH']);
    const thaw = freeze();
    const started = performance.now();
    const few = 'Fewer than 1 replicas have the write';
    await expect(storage.write([insert('lost', 'idempotency')])).rejects.toThrow(few);
    expect(performance.now() - started).toBeLessThan(DEADLINE_MS + MARGIN_MS);
    // A passport for a verdict errs towards what was meant.
    expect(await other.get('passports', 'none')).toBeUndefined();
    // The write stands all the same: who speaks of it has to wait for a replica. After 3 s nothing is answered at all.
    const unheard = /Fewer than 1 replicas have the write|0 replicas follow/;
    await Promise.all(
      [storage, other].flatMap((one) => [
        expect(one.get('idempotency', 'lost')).rejects.toThrow(unheard),
        expect(one.write([insert('lost', 'idempotency')])).rejects.toThrow(unheard),
      ]),
    );
    thaw();
    await expect
      .poll(() => other.get('idempotency', 'lost').catch(String), { timeout: 60_000 })
      .toMatchObject({ id: 'lost' });
    expect(await storage.write([insert('lost', 'idempotency')])).toMatchObject({ failure: 'exists' });
  });

  test('the first write of a new connection waits for a replica, also with a signal', async () => {
    const storage = await open('replicas=1', { timeoutMs: DEADLINE_MS });
    await storage.write([insert('before')]);
    await waitFor('the replica has all', async () => {
      const info = String(await tellRedis(primary.port, ['INFO', 'replication']));
      return /,offset=(\d+),/.exec(info)?.[1] === /^master_repl_offset:(\d+)/m.exec(info)?.[1];
    });
    freeze();
    const connected = new Promise<void>((resolve) => {
      storage.observe?.(({ type }) => type === 'server_uncertain' && resolve());
    });
    await tellRedis(primary.port, ['CLIENT', 'KILL', 'TYPE', 'normal']);
    await connected;
    const { signal } = new AbortController();
    // Nothing was sent on this connection: a `WAIT` before the write would speak of no write at all.
    const outcome = await storage.write([insert('after')], signal).then(() => 'acknowledged', String);
    expect(outcome).toMatch(/Fewer than 1 replicas have the write|0 replicas follow/);
  });

  test('a primary whose replica is silent for more than 3 s answers nothing, also no reads', async () => {
    const storage = await open('replicas=1', { timeoutMs: DEADLINE_MS });
    await storage.write([insert('p')]);
    const thaw = freeze();
    await expect
      .poll(() => storage.get('passports', 'p').then(() => 'answered', String), { timeout: 60_000 })
      .toContain('0 replicas follow the Redis server, and 1 must');
    thaw();
    await expect
      .poll(() => storage.get('passports', 'p').catch(() => undefined), { timeout: 60_000 })
      .toBeDefined();
  });

  test('without replicas nothing waits', async () => {
    const storage = await open('replicas=0', { timeoutMs: DEADLINE_MS });
    freeze();
    expect(await storage.write([insert('p', 'idempotency')])).toMatchObject({ written: true });
    expect(await storage.get('idempotency', 'p')).toBeDefined();
  });

  test('more replicas than are connected: the start names both numbers', async () => {
    await expect(open('replicas=2', { timeoutMs: DEADLINE_MS })).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/1 replicas follow .* 2 must/),
    });
  });

  test('a user without WAIT: the start names the remedy', async () => {
    const remedy = {
      code: 'invalid_configuration',
      message: expect.stringContaining('replicas=0'),
    };
    await tellRedis(primary.port, 'ACL SETUSER quiet on >secret ~* &* +@all -wait'.split(' '));
    const url = primary.url.replace('//', '//quiet:secret@');
    await expect(redisStorage({ url: `${url}?replicas=1` })).rejects.toMatchObject(remedy);
    await (await redisStorage({ timeoutMs: PATIENT_MS, url, namespace: newNamespace() })).close();
  });

  test('a server without WAIT and without replicas: the start names WAIT, not the replicas', async () => {
    const refusal = {
      code: 'invalid_configuration',
      message: expect.stringMatching(/^Redis refuses WAIT .* add replicas=0 to the URL\.$/),
    };
    const include = join(newFolder(), 'without-wait.conf');
    writeFileSync(include, 'rename-command WAIT ""\n');
    const unknown = await startPrivateRedis({ include });
    await expect(redisStorage({ url: `${unknown.url}?replicas=1` })).rejects.toMatchObject(refusal);
    await (await redisStorage({ timeoutMs: PATIENT_MS, url: unknown.url })).close();
    const denied = await startPrivateRedis();
    await denied.client.sendCommand('ACL SETUSER quiet on >secret ~* &* +@all -wait'.split(' '));
    const url = denied.url.replace('//', '//quiet:secret@');
    await expect(redisStorage({ url: `${url}?replicas=1` })).rejects.toMatchObject(refusal);
  });

  test('a store that is refused is not told as one with too few replicas', { timeout: 30_000 }, async () => {
    const namespace = newNamespace();
    const lone = await startPrivateRedis();
    const opening = redisStorage({ url: `${lone.url}?replicas=1`, namespace, timeoutMs: 20_000 });
    const outcome = opening.catch((error: unknown) => error);
    await lone.client.sendCommand(['SET', `{${namespace}}:list:shared_texts`, 'x']);
    const late = await startRedis({ options: { ...lag, replicaof: `127.0.0.1 ${lone.port}` } });
    onTestFinished(late.remove);
    expect(await outcome).toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('but not their identity'),
    });
  });

  describe('health', () => {
    const detailOf = async (query: string, rest: object = {}) => {
      const { durability, detail } = await (await open(query, rest)).check();
      return `${durability}: ${detail}`;
    };

    test('replicas that are waited for are no flaw; the disks of replicas are not seen', async () => {
      expect(await detailOf('replicas=0')).toMatch(/^unproved: Replicas \(1\) follow later/);
      expect(await detailOf('replicas=1')).toMatch(/^durable: .*replicas cannot be read/);
      const second = await startRedis({ options: { ...lag, replicaof: `127.0.0.1 ${primary.port}` } });
      onTestFinished(second.remove);
      await followed(primary, 2);
      expect(await detailOf('replicas=1')).toMatch(/^unproved: A write waits for 1 of 2 replicas/);
      expect(await detailOf('replicas=2')).toMatch(/^durable:/);
    });

    test('what the operator states holds, except against a flaw that the server shows', async () => {
      const stated = { durability: 'stated' };
      const unread = await startPrivateRedis();
      await unread.client.sendCommand('ACL SETUSER quiet on >secret ~* &* +@all -config'.split(' '));
      const unreadUrl = unread.url.replace('//', '//quiet:secret@');
      const read = async (url: string) => {
        const storage = await redisStorage({ timeoutMs: PATIENT_MS, url, durability: 'stated' });
        const health = await storage.check();
        const refusal = storage.journal.strictRefusal;
        await storage.close();
        return [health, refusal];
      };
      expect(await read(unreadUrl)).toEqual([
        { durability: 'durable', detail: 'Stated by the operator, not read from the server.' },
        undefined,
      ]);
      expect(await detailOf('replicas=0', stated)).toMatch(/^durable: Stated/);
      for (const flaw of [
        { appendonly: 'no' },
        { appendfsync: 'everysec' },
        { appendfsync: 'no' },
        { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' },
      ]) {
        const { url } = await startPrivateRedis(flaw);
        expect(await read(url)).toEqual([
          { durability: 'unproved', detail: expect.any(String) },
          expect.any(String),
        ]);
      }
      const other = redisStorage({ url: unread.url, durability: 'sure' as 'stated' });
      await expect(other).rejects.toMatchObject({ code: 'invalid_configuration' });
    });
  });

  describe('a node enters an incarnation', () => {
    const IDENTITY = 'one';
    /** A guard that has reached a write counter on the incarnation `before`. */
    const openGuard = async (number = () => 1, replicas = 1) => {
      const namespace = newNamespace();
      const key = identityKey(namespace);
      const send: Send = (words) => tellRedis(primary.port, words as string[]);
      const connection = { send, number, replicas, emit: () => {} };
      await send(['SET', writeCounterKey(namespace, IDENTITY), '5']);
      const guard = createGuard({ connection, key, identity: IDENTITY });
      await guard.enter('before', send);
      // A `WAIT` needs a write of its own connection, and `tellRedis` has one for each command.
      await guard.sure.write(
        async () => ({ position: 5, hasWritten: true, answer: null }),
        () => 1_000,
      );
      const enter = (by = send) => guard.enter('after', by);
      return { send, enter, incarnation: guard.incarnation };
    };

    test('which another look of it has entered at the same time', async () => {
      const { send, enter, incarnation } = await openGuard();
      const first = enter();
      const late: Send = async (words) => {
        const answer = await send(words);
        await first;
        return answer;
      };
      await Promise.all([first, enter(late)]);
      expect(incarnation()).toBe('after');
    });

    test('only on a server that stores its list: one that has become a replica does not', async () => {
      const { send, enter, incarnation } = await openGuard(() => 1, 0);
      await send(['REPLICAOF', '127.0.0.1', '1']);
      onTestFinished(async () => {
        await send(['REPLICAOF', 'NO', 'ONE']);
        await followed(primary, 1);
      });
      await expect(enter()).rejects.toThrow('READONLY');
      expect(incarnation()).toBe('before');
    });

    test('only if its `WAIT` was on the connection of its write', async () => {
      let isReplaced = false;
      let connections = 0;
      const { enter, incarnation } = await openGuard(() => {
        if (isReplaced) connections += 1;
        return connections;
      });
      isReplaced = true;
      await expect(enter()).rejects.toThrow('The connection to Redis was replaced.');
      expect(incarnation()).toBe('before');
      isReplaced = false;
      await enter();
      expect(incarnation()).toBe('after');
    });
  });
}
