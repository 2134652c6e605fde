import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStorage, sqlStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService, type IdentityService } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { hasPostgresProgram, type PrivateServer, startPostgres } from '../support/private-servers.mjs';
import { promotePostgres } from '../support/promote-postgres.mjs';
import { startProxy, type Proxy as TcpProxy } from '../support/tcp-proxy.mjs';
import { insertDomain } from './calls.ts';
import { type Heard, isAnything, listenTo } from './heard.ts';

/** A process that dies leaves to the system what it has written: only a machine needs the fsync. */
const FAST = { fsync: 'off' };
/** What is promised once the primary is back (issue 14), and what a busy machine may add. */
const BACK_MS = 1_000 + 2_000;

interface Node {
  readonly service: IdentityService;
  readonly storage: StorageAdapter;
  /** What it hears of other nodes. */
  readonly heard: Heard;
  /** What a verify of an agent comes to. */
  ask(agent_id: string): Promise<string>;
}

function urlOf({ port }: { readonly port: number }): string {
  return `postgres://root@127.0.0.1:${port}/postgres`;
}

function ignore(): void {}

async function openNode(url: string): Promise<Node> {
  const storage = await postgresStorage({ url, timeoutMs: 2_000 });
  const heard = listenTo(storage);
  await heard.one(isAnything);
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage });
  const ask = (agent_id: string): Promise<string> =>
    service.verify({ agent_id, action: 'read' }).then(
      ({ verdict }) => verdict,
      ({ code }) => String(code),
    );
  return { service, storage, heard, ask };
}

async function createAgents({ service }: Node, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, at) => `agent-${at}`);
  const may = { domain: 'example.com', allowed_actions: ['read'], monetary_limit_per_txn: 1 };
  const passports = await Promise.all(
    names.map((agent_name) => service.passports.create({ ...may, agent_name })),
  );
  return passports.map(({ agent_id }) => agent_id);
}

async function query({ url }: PrivateServer, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Until the standby has all that the primary has now. */
async function catchUp(primary: PrivateServer, standby: PrivateServer): Promise<void> {
  const [row] = await query(primary, 'select pg_current_wal_lsn() as at');
  const has = `select pg_last_wal_replay_lsn() >= '${row?.['at']}' as has`;
  await expect.poll(() => query(standby, has), { timeout: PATIENT_MS }).toEqual([{ has: true }]);
}

/** How many milliseconds it takes until a write, a verdict and `health` all work. */
async function untilBack({ service, storage, ask }: Node, agent_id: string): Promise<number> {
  const started = performance.now();
  for (let tries = 0; performance.now() - started < PATIENT_MS; tries += 1) {
    try {
      await storage.write([insertDomain(`back-${tries}.example`)]);
      await service.health();
      if ((await ask(agent_id)) === 'ALLOW') break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return performance.now() - started;
}

if (!hasPostgresProgram()) {
  sayMissing('There is no initdb: nothing about a standby was proved. Install postgresql.');
} else {
  describe('a server that is not the primary any more', () => {
    let primary: PrivateServer;
    let standby: PrivateServer;
    let link: TcpProxy;
    let address: TcpProxy;
    let node: Node;
    let listener: Node;
    let agents: readonly string[];
    const agent = (at: number): string => agents[at] ?? '';

    beforeAll(async () => {
      primary = await startPostgres({ options: FAST });
      link = await startProxy(primary.port);
      address = await startProxy(primary.port);
      node = await openNode(urlOf(address));
      listener = await openNode(urlOf(address));
      agents = await createAgents(node, 8);
      standby = await startPostgres({ options: FAST, of: urlOf(link) });
    });

    afterAll(async () => {
      await Promise.all([node?.service.close(), listener?.service.close()]);
      await Promise.all([address?.close(), link?.close()]);
      await Promise.all([standby?.remove(), primary?.remove()]);
    });

    test('sessions that may only read are ended: every write works as soon as one may', async () => {
      // The first takes effect in sessions that are there; the second in new ones, which keep it.
      const ways = ['alter system', 'alter role root'];
      for (const way of ways) {
        const write = (at: number): Promise<unknown> =>
          node.storage.write([insertDomain(`${way}-${at}`.replace(' ', '-'))]).catch(() => 'refused');
        await query(primary, `${way} set default_transaction_read_only = on`);
        await query(primary, 'select pg_reload_conf()');
        await query(
          primary,
          "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'agent%'",
        );
        const writes = (from: number): Promise<readonly unknown[]> =>
          Promise.all(Array.from({ length: 20 }, (_, at) => write(from + at)));
        await expect.poll(() => writes(0)).toEqual(Array(20).fill('refused'));
        await expect(node.service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
        await query(primary, `${way} reset default_transaction_read_only`);
        await query(primary, 'select pg_reload_conf()');
        await expect
          .poll(() => query(primary, 'show default_transaction_read_only'))
          .toEqual([{ default_transaction_read_only: 'off' }]);
        expect(await writes(20)).toMatchObject(Array(20).fill({ written: true }));
        expect(await untilBack(node, agent(0))).toBeLessThan(BACK_MS);
      }
    });

    test('a lagging hot standby behind the address is asked nothing, and the primary works again at once', async () => {
      const pool = new pg.Pool({ connectionString: urlOf(address), max: 2 });
      // The driver of Kysely has no listener for a connection that it has taken out of the pool.
      pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
      const kysely = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) });
      const hosts = [
        await sqlStorage({ kysely, dialect: 'postgres' }),
        await postgresStorage({ pool, timeoutMs: 2_000 }),
      ];
      await catchUp(primary, standby);
      await link.refuse();
      await node.service.revoke({ agent_id: agent(1) });
      const heard = node.heard.notices.length;

      address.switchTo(standby.port);
      const end = performance.now() + 300;
      while (performance.now() < end) {
        expect(await node.ask(agent(1))).toBe('storage_unavailable');
        await expect(node.service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
        for (const host of hosts) await expect(host.get('passports', agent(1))).rejects.toThrow();
      }
      expect(node.heard.notices.length).toBe(heard);
      address.switchTo(primary.port);
      expect(await untilBack(node, agent(0))).toBeLessThan(BACK_MS);
      expect(await node.ask(agent(1))).toBe('DENY');
      for (const host of hosts) {
        const ask = (): Promise<unknown> => host.get('passports', agent(1)).catch(String);
        await expect.poll(ask, { timeout: PATIENT_MS }).toMatchObject({ status: 'revoked' });
        await host.close();
      }
      await pool.end();
    });

    test('a standby that takes over without an acknowledged revoke is refused, however far it goes on', async () => {
      await link.pass();
      await catchUp(primary, standby);
      await link.refuse();
      const [, , revoked = '', ...others] = agents;
      await node.service.revoke({ agent_id: revoked });
      await listener.heard.one((notice) => notice?.id === revoked && notice.version === 2);
      await address.refuse();
      await primary.kill();
      await promotePostgres(standby.url);

      // A node that starts now knows of nothing that is missing: its transactions take the ids of those lost.
      const fresh = await openNode(standby.url);
      const write = async (name: string): Promise<void> => {
        for (let at = 0; at < 40; at += 1) await fresh.storage.write([insertDomain(`${name}-${at}`)]);
      };
      await write('first');
      expect(await fresh.ask(revoked)).toBe('ALLOW');
      address.switchTo(standby.port);
      await address.pass();
      const expectRefusal = async (): Promise<void> => {
        for (const { ask, service, storage } of [node, listener]) {
          const end = performance.now() + 100;
          while (performance.now() < end) {
            expect(await ask(revoked)).toBe('storage_unavailable');
            await expect(service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
          }
          await expect(storage.check()).rejects.toThrow('older than this node has seen it');
        }
      };
      await expectRefusal();
      await write('second');
      await standby.restart();
      await expect.poll(() => fresh.storage.check().catch(ignore), { timeout: PATIENT_MS }).toBeDefined();
      await write('third');
      await expectRefusal();
      await fresh.service.close();

      // What was refused is no reason to refuse the server that has it all.
      await primary.restart();
      address.switchTo(primary.port);
      for (const { ask, storage } of [node, listener]) {
        await expect.poll(() => storage.check().catch(ignore), { timeout: PATIENT_MS }).toBeDefined();
        await expect.poll(() => ask(others[0] ?? ''), { timeout: PATIENT_MS }).toBe('ALLOW');
        expect(await ask(revoked)).toBe('DENY');
      }
    });
  });
}
