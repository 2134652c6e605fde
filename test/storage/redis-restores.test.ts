import { describe, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { createIdentityService, type IdentityService } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import {
  block,
  files,
  flush,
  lists,
  merge,
  opened,
  writerId,
} from '../../src/testing/storage-contract/journal/fixtures.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startProxy, type Proxy as TcpProxy } from '../support/tcp-proxy.mjs';
import { insertDomain } from './calls.ts';
import { type Heard, isAbout, isAnything, listenTo } from './heard.ts';
import { insert } from './redis-fixtures.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from './redis-server.ts';

/** What is promised once the primary is back (issue 14), and what a busy machine may add. */
const BACK_MS = 1_000 + 2_000;
const OLDER = 'Redis is older than this node has seen it';

/** A store whose older copy is the file that SAVE leaves. */
const SNAPSHOTS = { appendonly: 'no' };

/** A replica waits for no other before it is given the data. */
const PROMPT = { 'repl-diskless-sync-delay': '0' };

interface Node {
  readonly service: IdentityService;
  readonly storage: StorageAdapter;
  /** What it hears of other nodes. */
  readonly heard: Heard;
  /** What a verify of an agent comes to. */
  ask(agent_id: string): Promise<string>;
}

const urlOf = ({ port }: { readonly port: number }): string => `redis://127.0.0.1:${port}`;

async function startAddress(server: { readonly port: number }): Promise<TcpProxy> {
  const proxy = await startProxy(server.port);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function openNode(address: { readonly port: number }): Promise<Node> {
  const storage = await redisStorage({ url: urlOf(address), timeoutMs: 2_000 });
  const heard = listenTo(storage);
  await heard.one(isAnything);
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage });
  onTestFinished(() => service.close());
  const ask = (agent_id: string): Promise<string> =>
    service.verify({ agent_id, action: 'read' }).then(
      ({ verdict }) => verdict,
      ({ code }) => String(code),
    );
  return { service, storage, heard, ask };
}

async function createAgent({ service }: Node, agent_name: string): Promise<string> {
  const may = { domain: 'example.com', allowed_actions: ['read'], monetary_limit_per_txn: 1 };
  return (await service.passports.create({ ...may, agent_name })).agent_id;
}

async function writeMany({ storage }: Node, name: string): Promise<void> {
  for (let at = 0; at < 40; at += 1) await storage.write([insertDomain(`${name}-${at}`)]);
}

async function expectRefusal(nodes: readonly Node[], revoked: string, reason: string): Promise<void> {
  for (const { ask, service, storage } of nodes) {
    const end = performance.now() + 100;
    while (performance.now() < end) {
      expect(await ask(revoked)).toBe('storage_unavailable');
      await expect(service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
    }
    const refuses = (): Promise<string> => storage.check().then(String, String);
    await expect.poll(refuses, { timeout: PATIENT_MS }).toContain(reason);
    for (const write of [storage.write([insert('p')]), storage.get('passports', revoked)]) {
      await expect(write).rejects.toThrow();
    }
  }
}

/** How many milliseconds it takes until a write and `health` work, and the verdict is that one. */
async function untilBack({ service, storage, ask }: Node, agent: string, verdict: string): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < PATIENT_MS) {
    try {
      await storage.write([insertDomain(`back-${Math.random()}`)]);
      await service.health();
      if ((await ask(agent)) === verdict) break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return performance.now() - started;
}

/** A replica that has all, behind an address of its own to the primary. */
async function startReplica(primary: PrivateRedis): Promise<{ replica: PrivateRedis; link: TcpProxy }> {
  const [replica, link] = [await startPrivateRedis(), await startAddress(primary)];
  await replica.client.sendCommand(['REPLICAOF', '127.0.0.1', `${link.port}`]);
  const state = async (): Promise<string> =>
    String(await replica.client.sendCommand(['INFO', 'replication']));
  await expect.poll(state, { timeout: PATIENT_MS }).toContain('master_link_status:up');
  return { replica, link };
}

if (await hasRedis()) {
  describe('a store that went back', () => {
    test('an older snapshot under running nodes is refused, however far it goes on', async () => {
      const server = await startPrivateRedis(SNAPSHOTS);
      const address = await startAddress(server);
      const [node, listener] = [await openNode(address), await openNode(address)];
      const revoked = await createAgent(node, 'a');
      await server.client.sendCommand(['SAVE']);
      await node.service.revoke({ agent_id: revoked });
      await listener.heard.one((notice) => notice?.id === revoked && notice.version === 2);
      await address.refuse();
      await server.kill();
      await server.restart();
      // A node that starts now knows of nothing that is missing.
      const fresh = await openNode(server);
      await writeMany(fresh, 'first');
      expect(await fresh.ask(revoked)).toBe('ALLOW');
      await address.pass();
      await expectRefusal([node, listener], revoked, OLDER);
      // The record of the verdict is stored: what is written after the snapshot is lost with the restart.
      await fresh.service.verifications.list();
      await server.client.sendCommand(['SAVE']);
      await server.restart();
      await expect
        .poll(() => fresh.storage.check().catch(() => undefined), { timeout: PATIENT_MS })
        .toBeDefined();
      await writeMany(fresh, 'second');
      await expectRefusal([node, listener], revoked, OLDER);
    });

    test('a writer that an older snapshot does not know is refused, and what it had filed is not there', async () => {
      const server = await startPrivateRedis(SNAPSHOTS);
      const before = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
      const [known, lost] = ['known', 'lost'].map(writerId) as [string, string];
      await opened(before, known);
      await server.client.sendCommand(['SAVE']);
      await opened(before, lost);
      const given = block(1, { writer: lost });
      await files(before, flush(1, [given], { writer: lost }));
      await server.kill();
      await server.restart();
      await expect.poll(() => before.check().then(String, String), { timeout: PATIENT_MS }).toContain(OLDER);
      await expect(before.journal.file(flush(2, [], { writer: lost }))).rejects.toThrow(OLDER);
      await before.close();
      const after = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
      await files(after, flush(2, [block(2, { writer: lost })], { writer: lost }), 'unknown_writer');
      await lists(after, {}, []);
      expect(await after.journal.merge(merge(1, 2, { writer: lost }))).toBe(false);
      await files(after, flush(1, [block(1, { writer: known })], { writer: known }));
      expect(await after.journal.writers()).toMatchObject([{ id: known, flushed: 1, merged: 0 }]);
      await after.close();
    });

    test('a restart that loses nothing changes nothing', async () => {
      const server = await startPrivateRedis();
      const node = await openNode(server);
      const [revoked, other] = [await createAgent(node, 'a'), await createAgent(node, 'b')];
      await node.service.revoke({ agent_id: revoked });
      for (let round = 0; round < 3; round += 1) {
        await server.kill();
        await server.restart();
        expect(await untilBack(node, other, 'ALLOW')).toBeLessThan(BACK_MS);
        expect(await node.ask(revoked)).toBe('DENY');
      }
    });

    test('an older copy that is put back key by key in the same server is refused, however far it goes on', async () => {
      const server = await startPrivateRedis();
      const [node, listener] = [await openNode(server), await openNode(server)];
      const revoked = await createAgent(node, 'a');
      await listener.heard.one(isAbout(revoked));
      const copy = `redis.call('SELECT', 1) redis.call('FLUSHDB') redis.call('SELECT', 0)
        for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', 1) end`;
      await server.client.sendCommand(['EVAL', copy, '0']);
      await node.service.revoke({ agent_id: revoked });
      await listener.heard.one((notice) => notice?.id === revoked && notice.version === 2);
      await server.client.sendCommand(['SWAPDB', '0', '1']);
      await expectRefusal([node, listener], revoked, OLDER);
      await writeMany(await openNode(server), 'on');
      await expectRefusal([node, listener], revoked, OLDER);
    });
  });

  describe('a server that is not the primary any more', () => {
    test('a lagging replica behind the address is asked nothing, and the primary works again at once', async () => {
      const primary = await startPrivateRedis(PROMPT);
      const address = await startAddress(primary);
      const node = await openNode(address);
      const [revoked, other] = [await createAgent(node, 'a'), await createAgent(node, 'b')];
      const { replica, link } = await startReplica(primary);
      await link.refuse();
      await node.service.revoke({ agent_id: revoked });
      await node.heard.one((notice) => notice?.id === revoked && notice.version === 2);
      const heard = node.heard.notices.length;
      address.switchTo(replica.port);
      await expectRefusal([node], revoked, 'replica');
      expect(node.heard.notices.length).toBe(heard);
      address.switchTo(primary.port);
      expect(await untilBack(node, other, 'ALLOW')).toBeLessThan(BACK_MS);
      expect(await node.ask(revoked)).toBe('DENY');
      await expect.poll(() => node.heard.notices.slice(heard)).toContain(undefined);
    });

    test('a replica that takes over without an acknowledged revoke is refused, one that has it is not', async () => {
      const primary = await startPrivateRedis(PROMPT);
      const address = await startAddress(primary);
      const node = await openNode(address);
      const [revoked, other] = [await createAgent(node, 'a'), await createAgent(node, 'b')];
      const [stale, whole] = [await startReplica(primary), await startReplica(primary)];
      await stale.link.refuse();
      await node.service.revoke({ agent_id: revoked });
      await primary.client.sendCommand(['WAIT', '1', `${PATIENT_MS}`]);
      await primary.kill();
      for (const { replica } of [stale, whole]) await replica.client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      address.switchTo(stale.replica.port);
      await expectRefusal([node], revoked, OLDER);
      address.switchTo(whole.replica.port);
      expect(await untilBack(node, other, 'ALLOW')).toBeLessThan(BACK_MS);
      expect(await node.ask(revoked)).toBe('DENY');
    });

    test('a primary that is demoted while its connections live on answers nothing any more', async () => {
      const server = await startPrivateRedis();
      const node = await openNode(server);
      await node.storage.write([insert('p')]);
      const ask = (): Promise<unknown> => node.storage.get('passports', 'p').then(() => 'found', String);
      for (let round = 0; round < 2; round += 1) {
        await expect.poll(ask, { timeout: PATIENT_MS }).toBe('found');
        await server.client.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
        await expect.poll(ask, { timeout: PATIENT_MS, interval: 10 }).not.toBe('found');
        const end = performance.now() + 400;
        while (performance.now() < end) expect(await ask()).not.toBe('found');
        await server.client.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      }
      await expect.poll(ask, { timeout: PATIENT_MS }).toBe('found');
    });
  });

  test('notices from another store are no notices, also in another database of the same server', async () => {
    const server = await startPrivateRedis();
    const node = await openNode(server);
    const other = await redisStorage({ timeoutMs: PATIENT_MS, url: `${server.url}/1` });
    await other.write([insert('elsewhere')]);
    for (let at = 0; at < 20; at += 1) await other.write([insertDomain(`other-${at}`)]);
    await other.close();
    const second = await openNode(server);
    await second.storage.write([insert('here')]);
    await node.heard.one(isAbout('here'));
    expect(node.heard.notices.some(isAbout('elsewhere'))).toBe(false);
    expect(await node.storage.get('passports', 'here')).toBeDefined();
  });
}
