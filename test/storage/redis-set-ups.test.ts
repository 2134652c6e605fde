import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import KeyvRedis from '@keyv/redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { root } from '../readme/run.ts';
import { makeCertificate } from '../support/certificate.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { freePort, type PrivateServer, startRedis } from '../support/private-servers.mjs';
import { GIVEN, openFolder, startServe } from '../support/process.ts';
import { startSentinel } from '../support/redis-sentinel.mjs';
import { claimsToTry } from '../support/runs.ts';
import { type Client, connectClient, hasRedis, startPrivateRedis } from './redis-server.ts';

const PASSWORD = 'r8-Kx2.vQ5_mT9';

/** How `serve` ends that cannot use the storage. */
async function refusal(url: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const env = { ...GIVEN, AGENT_IDENTITY_STORAGE: url };
  const { code, stderr } = await run(['serve', '--port', '0'], { cwd: folder, env });
  return { code, stderr };
}

if (await hasRedis()) {
  test('refuses a node of Redis Cluster and a Sentinel behind a store of the application', async () => {
    const node = await startPrivateRedis({ 'cluster-enabled': 'yes' });
    const watched = await startPrivateRedis();
    const sentinel = await startSentinel(watched.port);
    onTestFinished(sentinel.remove);
    for (const { url } of [node, sentinel]) {
      const store = new KeyvRedis(url);
      await expect(redisStorage({ store })).rejects.toMatchObject({
        code: 'invalid_configuration',
        message: expect.stringContaining('give a url in place of the store'),
      });
      await store.disconnect();
    }
  });

  test('a Sentinel without its parameter ends the command with the remedy', async () => {
    const watched = await startPrivateRedis();
    const sentinel = await startSentinel(watched.port);
    onTestFinished(sentinel.remove);
    expect(await refusal(sentinel.url)).toEqual({ code: 2, stderr: expect.stringContaining('?sentinel=') });
  });

  test('a server with its own certificate authority is used only with that authority given', async () => {
    const { folder, remove } = openFolder();
    onTestFinished(remove);
    const { ca, cert, key } = makeCertificate(folder, ['IP:127.0.0.1']);
    const port = await freePort();
    await startPrivateRedis({
      'tls-port': `${port}`,
      'tls-cert-file': cert,
      'tls-key-file': key,
      'tls-ca-cert-file': ca,
      'tls-auth-clients': 'no',
    });
    const url = `rediss://127.0.0.1:${port}`;
    const env = { ...GIVEN, AGENT_IDENTITY_STORAGE: url };
    const serving = await startServe({ cwd: folder, env: { ...env, NODE_EXTRA_CA_CERTS: ca } });
    expect((await fetch(`${serving.origin}/api/health/ready`)).status).toBe(200);
    await serving.stop();

    const { code, stderr } = await refusal(url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agent-identity: Redis cannot be used: [A-Z_]*(?:VERIFY|SELF_SIGNED)[A-Z_]*\n$/);

    const store = new KeyvRedis({ url, socket: { tls: true, ca: readFileSync(ca) } });
    const storage = await redisStorage({ timeoutMs: PATIENT_MS, store });
    expect(await storage.check()).toMatchObject({ durability: 'durable' });
    await storage.close();
    await store.disconnect();
  });

  describe('with the ACL of the documentation', () => {
    let server: PrivateServer;
    let admin: Client;
    let url: string;

    beforeAll(async () => {
      const readme = readFileSync(join(root, 'adapters/storage/README.md'), 'utf8');
      const user = /^user (agents .*)$/m.exec(readme)?.[1]?.replace('PASSWORD', PASSWORD) ?? '';
      server = await startRedis({ options: { appendfsync: 'no' } });
      admin = await connectClient(server.url);
      await admin.sendCommand(['ACL', 'SETUSER', ...user.split(' ')]);
      url = server.url.replace('//', `//agents:${PASSWORD}@`);
    });

    afterAll(async () => {
      admin?.destroy();
      await server?.remove();
    });

    const open = async () => {
      await admin.sendCommand(['FLUSHALL']);
      return redisStorage({ url, timeoutMs: 30_000 });
    };
    const claims = claimsToTry(storageContract(open), 8, 'the ACL');
    for (const claim of claims) test(claim.name, claim.run);

    test('nothing was refused by it', async () => {
      expect(await admin.sendCommand(['ACL', 'LOG'])).toEqual([]);
      const storage = await open();
      expect(await storage.check()).toEqual({
        durability: 'unproved',
        detail: expect.stringContaining('appendfsync is no'),
      });
      await storage.close();
    });

    test('a namespace that it does not name is refused at the start', async () => {
      const other = redisStorage({ url, namespace: 'other' });
      await expect(other).rejects.toMatchObject({ code: 'invalid_configuration' });
    });
  });
}
