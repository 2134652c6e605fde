import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import type { Change, ChangeNotice, StorageAdapter } from '../../src/ports/index.ts';
import { EVERY_CALL } from '../../src/testing/storage-contract/every-call.ts';
import { insert, startProxy } from './redis-fixtures.ts';
import { hasRedis, newNamespace, type PrivateRedis, startPrivateRedis } from './redis-server.ts';

const AT = '2026-11-20T12:00:00.000Z';
const DEADLINE_MS = 500;
/** What a busy machine may add to a deadline. */
const MARGIN_MS = 10_000;
/** What is promised once the server is back, and what a busy machine may add. */
const RECOVERY_MS = 2_000 + 2_000;

/** Makes every call, several at once; none may succeed, none may take longer than its deadline. */
async function expectAllToReject(storage: StorageAdapter): Promise<void> {
  const outcomes = await Promise.all(
    Object.entries(EVERY_CALL).map(async ([name, call]) => {
      const started = performance.now();
      const outcome = await call(storage).then(
        () => 'answered',
        (error: unknown) => (error instanceof Error ? 'rejected' : 'rejected with no error'),
      );
      return { name, outcome, late: performance.now() - started > DEADLINE_MS + MARGIN_MS };
    }),
  );
  expect(outcomes.filter(({ outcome, late }) => late || outcome !== 'rejected')).toEqual([]);
}

/** Asks until there is an answer, and gives back how long that took. */
async function recover(storage: StorageAdapter): Promise<number> {
  const started = performance.now();
  for (;;) {
    const found = await storage.get('passports', 'p').catch(() => undefined);
    const taken = performance.now() - started;
    if (found !== undefined) return taken;
    if (taken > 10_000) throw new Error('It does not recover.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function openOn({ url }: PrivateRedis, rest: object = {}): Promise<StorageAdapter> {
  const storage = await redisStorage({ url, timeoutMs: DEADLINE_MS, namespace: newNamespace(), ...rest });
  await storage.write([insert('p')]);
  return storage;
}

if (await hasRedis()) {
  describe('a server that fails', () => {
    test('killed: every call rejects in time, and answers again soon after the restart', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      for (let round = 0; round < 3; round += 1) {
        await server.kill();
        await expectAllToReject(storage);
        await server.restart();
        expect(await recover(storage)).toBeLessThan(RECOVERY_MS);
      }
      await storage.close();
    });

    test('frozen: every call rejects in time, again and again, and answers once it goes on', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      server.freeze();
      for (let round = 0; round < 4; round += 1) await expectAllToReject(storage);
      server.thaw();
      expect(await recover(storage)).toBeLessThan(RECOVERY_MS);
      await storage.close();
    });

    test('frozen, then replaced: it finds the new server', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      server.freeze();
      await expectAllToReject(storage);
      await server.kill();
      await server.restart();
      expect(await recover(storage)).toBeLessThan(RECOVERY_MS);
      await storage.close();
    });

    test('a connection that swallows everything is replaced', async () => {
      const server = await startPrivateRedis();
      const proxy = await startProxy(server.url);
      const storage = await openOn({ ...server, url: proxy.url });
      proxy.swallow(true);
      await expectAllToReject(storage);
      await expectAllToReject(storage);
      proxy.swallow(false);
      expect(await recover(storage)).toBeLessThan(RECOVERY_MS);
      await storage.close();
    });

    test('full: what needs room rejects and leaves nothing, a change is whole, reads answer', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      await server.client.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
      const { record } = insert('p', 'passports', 'acc_b') as Extract<Change, { op: 'insert' }>;
      const change = {
        op: 'replace',
        collection: 'passports',
        record: { ...record, version: 2 },
        version: 1,
      } as const;
      await expect(storage.write([insert('q'), change])).rejects.toThrow('OOM');
      expect(await storage.get('passports', 'q')).toBeUndefined();
      expect(await storage.get('passports', 'p')).toMatchObject({ account_id: 'acc_a', version: 1 });

      const changed = await storage.write([change]).then(
        () => true,
        () => false,
      );
      for (const [account_id, here] of [
        ['acc_a', !changed],
        ['acc_b', changed],
      ] as const) {
        const where = { account_id, status: 'active' };
        expect(await storage.list('passports', { where, limit: 9 })).toHaveLength(here ? 1 : 0);
        expect(await storage.countPassports?.(account_id, AT)).toMatchObject({ active: here ? 1 : 0 });
      }
      await server.client.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
      expect(await storage.write([insert('q')])).toMatchObject({ written: true });
      await storage.close();
    });

    test('made a replica: writes and check reject', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      await server.client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
      await expect(storage.write([insert('q')])).rejects.toThrow();
      await expect(storage.check()).rejects.toThrow();
      const opening = redisStorage({ url: server.url, namespace: newNamespace() });
      await expect(opening).rejects.toMatchObject({ code: 'storage_unavailable' });
      await server.client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      expect(await recover(storage)).toBeLessThan(RECOVERY_MS);
      await storage.close();
    });

    test('made a replica while this machine slept: what was looked at before counts no more', async () => {
      const now = Date.now;
      let asleepMs = 0;
      const spied = vi.spyOn(Date, 'now').mockImplementation(() => now() + asleepMs);
      onTestFinished(() => spied.mockRestore());
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      await storage.check();
      await server.client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
      // `performance.now()` stood still meanwhile.
      asleepMs = 3_600_000;
      await expect(storage.get('passports', 'p')).rejects.toThrow();
      await storage.close();
    });

    test('calls without a connection reject at once, however many', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      await server.kill();
      await storage.get('passports', 'p').catch(() => undefined);
      const started = performance.now();
      const many = Array.from({ length: 2_000 }, () => storage.get('passports', 'p'));
      const outcomes = await Promise.allSettled(many);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
      expect(performance.now() - started).toBeLessThan(DEADLINE_MS + MARGIN_MS);
      await storage.close();
    });

    test('it can be closed while the server is frozen, and while it is gone', async () => {
      for (const fail of ['freeze', 'kill'] as const) {
        const server = await startPrivateRedis();
        const storage = await openOn(server);
        await server[fail]();
        const asked = storage.get('passports', 'p').then(
          () => 'answered',
          () => 'rejected',
        );
        await storage.close();
        expect(await asked).toBe('rejected');
        await expect(storage.get('passports', 'p')).rejects.toThrow('closed');
      }
    });
  });

  describe('a store that is not the one that was opened', () => {
    test('flushed: every call rejects and says so, and it stays so', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      await server.client.sendCommand(['FLUSHALL']);
      for (const [name, call] of Object.entries(EVERY_CALL)) {
        await expect(call(storage), name).rejects.toThrow('Redis has lost what this storage keeps');
      }
      expect(await server.client.sendCommand(['DBSIZE'])).toBe(0);
      await storage.close();
    });

    test('swapped: another server with the same namespace is refused', async () => {
      const [one, other] = [await startPrivateRedis(), await startPrivateRedis()];
      const proxy = await startProxy(one.url);
      const namespace = newNamespace();
      const storage = await openOn({ ...one, url: proxy.url }, { namespace });
      const elsewhere = await openOn(other, { namespace });
      proxy.leadTo(other.url);
      await expect
        .poll(() => storage.get('passports', 'p').then(String, String))
        .toContain('Redis has lost what this storage keeps');
      await expect(storage.write([insert('q')])).rejects.toThrow('Redis has lost');
      expect(await elsewhere.get('passports', 'q')).toBeUndefined();
      await Promise.all([storage.close(), elsewhere.close()]);
    });

    test('records without their identity are not an empty store', async () => {
      const server = await startPrivateRedis();
      const namespace = newNamespace();
      await (await openOn(server, { namespace })).close();
      await server.client.sendCommand(['DEL', `{${namespace}}:marker`]);
      await expect(redisStorage({ url: server.url, namespace })).rejects.toMatchObject({
        code: 'invalid_configuration',
        message: expect.stringContaining('not their identity'),
      });
      expect(await server.client.sendCommand(['EXISTS', `{${namespace}}:marker`])).toBe(0);
    });
  });

  describe('the channel of changes', () => {
    test('it survives a restart: the listener gets a notice that some may be missing, and then the next', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      const heard: (ChangeNotice | undefined)[] = [];
      storage.subscribe?.((notice) => heard.push(notice));
      await expect.poll(() => heard).toEqual([undefined]);
      await server.kill();
      await server.restart();
      await expect.poll(() => heard).toEqual([undefined, undefined]);
      await recover(storage);
      await storage.write([insert('later')]);
      await expect.poll(() => heard.at(-1)).toEqual({ collection: 'passports', id: 'later', version: 1 });
      await storage.close();
    });

    test('a connection of it that is killed is replaced, and fails no call', async () => {
      const server = await startPrivateRedis();
      const storage = await openOn(server);
      const heard: (ChangeNotice | undefined)[] = [];
      storage.subscribe?.((notice) => heard.push(notice));
      for (let round = 1; round <= 3; round += 1) {
        await expect.poll(() => heard.filter((notice) => notice === undefined).length).toBe(round);
        await server.client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
        expect(await storage.write([insert(`q${round}`, 'keys')])).toMatchObject({ written: true });
      }
      await storage.close();
    });

    test('a user without the right to publish can still write', async () => {
      const server = await startPrivateRedis();
      await server.client.sendCommand('ACL SETUSER quiet on >secret ~* +@all resetchannels'.split(' '));
      const storage = await openOn({ ...server, url: server.url.replace('//', '//quiet:secret@') });
      storage.subscribe?.(() => {});
      expect(await storage.write([insert('q')])).toMatchObject({ written: true });
      expect(await storage.get('passports', 'q')).toBeDefined();
      await storage.close();
    });
  });
}
