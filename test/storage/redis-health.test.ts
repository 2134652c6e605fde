import { describe, expect, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { hasRedis, startPrivateRedis } from './redis-server.ts';
import { refusalOf } from './sqlite-database.ts';

if (await hasRedis()) {
  describe('what it says of the server', () => {
    test.each([
      [{}, undefined],
      [{ maxmemory: '99mb', 'maxmemory-policy': 'volatile-lru' }, undefined],
      [{ appendfsync: 'everysec' }, 'appendfsync is everysec'],
      [{ appendonly: 'no' }, 'appendonly is off'],
      [
        { maxmemory: '99mb', 'maxmemory-policy': 'allkeys-lru' },
        'maxmemory-policy is allkeys-lru, not noeviction',
      ],
    ])('a durable one with %j: what is missing is %s', async (settings, missing) => {
      const server = await startPrivateRedis(settings);
      const required = redisStorage({ url: server.url, durability: 'required' });
      if (missing !== undefined) {
        const message = expect.stringContaining(missing);
        await expect(required).rejects.toMatchObject({ code: 'invalid_configuration', message });
      } else {
        await (await required).close();
      }
      const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
      const health = await storage.check();
      expect(health.durability).toBe(missing === undefined ? 'durable' : 'unproved');
      const refusal =
        missing === undefined ? undefined : `Redis may lose acknowledged writes. ${health.detail}`;
      expect(storage.journal.strictRefusal).toBe(refusal);
      if (missing !== undefined) expect(health.detail).toContain(missing);
      await storage.close();
    });

    test('a change of the settings is seen by the next check, and so is a CONFIG that is forbidden', async () => {
      const server = await startPrivateRedis();
      await server.client.sendCommand('ACL SETUSER guest on >secret ~* &* +@all -config'.split(' '));
      const guest = server.url.replace('//', '//guest:secret@');
      const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
      expect(await storage.check()).toEqual({ durability: 'durable' });
      await server.client.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random']);
      expect(await storage.check()).toEqual({ durability: 'durable' });
      await server.client.sendCommand(['CONFIG', 'SET', 'maxmemory', '99mb']);
      expect((await storage.check()).detail).toContain('allkeys-random');
      await storage.close();
      const blind = await redisStorage({ timeoutMs: PATIENT_MS, url: guest });
      const health = await blind.check();
      expect(health.durability).toBe('unproved');
      expect(health.detail).toContain('CONFIG GET is not allowed');
      await expect(redisStorage({ url: guest, durability: 'required' })).rejects.toMatchObject({
        code: 'invalid_configuration',
      });
      await blind.close();
    });

    test('a replica that may take over is named', async () => {
      const server = await startPrivateRedis();
      const replica = await startPrivateRedis();
      await replica.client.sendCommand(['REPLICAOF', '127.0.0.1', `${server.port}`]);
      const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
      await expect.poll(async () => (await storage.check()).detail).toContain('Replicas (1)');
      await expect(redisStorage({ url: replica.url })).rejects.toMatchObject({ code: 'storage_unavailable' });
      await storage.close();
    });

    test('a wrong password is a wrong configuration, and is not named', async () => {
      const server = await startPrivateRedis({ requirepass: 'secret' });
      for (const url of [server.url, server.url.replace('//', '//:hunter2@')]) {
        const { code, message } = await refusalOf(() => redisStorage({ url }));
        expect(code).toBe('invalid_configuration');
        expect(message).not.toContain('hunter2');
      }
    });
  });
}
