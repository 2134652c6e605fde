import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService, type IdentityService } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { fixtures, insert } from '../../src/testing/storage-contract/fixtures.ts';
import { sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.mjs';
import { hasPostgresProgram, type PrivateServer, startPostgres } from '../support/private-servers.mjs';
import { GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';
import { startProxy } from '../support/tcp-proxy.mjs';
import { insertDomain } from './calls.ts';
import { isAbout, isAnything, listenTo } from './heard.ts';

const AGENT = { domain: 'example.com', agent_name: 'shopper', allowed_actions: ['read'] };
const INTENT = { agent_id: 'did:web:example.com:agents:shopper', action: 'read' };
/** A second, as the service promises, and what a busy machine may add. */
const SEEN_MS = 1_000 + 4_000;

if (!hasPgBouncer() || !hasPostgresProgram()) {
  sayMissing('There is no pgbouncer, or no initdb: nothing about PgBouncer was proved. Install both.');
} else {
  let server: PrivateServer;
  let databases = 0;

  beforeAll(async () => {
    server = await startPostgres({ options: { fsync: 'off', log_statement: 'all' } });
  });
  afterAll(() => server?.remove());

  /** The answer past PgBouncer, or through another one. */
  async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** The URL of a new database of the server, as `url` leads there. */
  async function newDatabase({ url }: PrivateServer): Promise<string> {
    databases += 1;
    const name = `agents_${databases}`;
    await query(server.url, `create database ${name}`);
    return url.replace(/postgres$/, name);
  }

  /** The same database, past PgBouncer. */
  function direct(url: string): string {
    return Object.assign(new URL(url), { port: server.port }).href;
  }

  function logOf({ folder }: PrivateServer): string {
    return readFileSync(join(folder, 'log'), 'utf8');
  }

  function open(url: string): Promise<StorageAdapter> {
    return postgresStorage({ url, timeoutMs: PATIENT_MS });
  }

  async function openService(url: string): Promise<IdentityService> {
    const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: await open(url) });
    onTestFinished(() => service.close());
    return service;
  }

  describe.each(['session', 'transaction'] as const)('PgBouncer in %s mode', (mode) => {
    let bouncer: PrivateServer;
    let small: PrivateServer;

    beforeAll(async () => {
      bouncer = await startPgBouncer({ target: server.port, mode, options: { default_pool_size: '40' } });
      // One connection to the server: what is said in it for one client would be there for the next.
      small = await startPgBouncer({ target: server.port, mode, options: { default_pool_size: '1' } });
    });
    afterAll(() => Promise.all([bouncer?.remove(), small?.remove()]));

    test('two nodes serve: what one has revoked, the other denies within a second', async () => {
      const { folder, remove } = openFolder();
      const url = await newDatabase(bouncer);
      const env = { ...GIVEN, AGENT_IDENTITY_STORAGE: url };
      const nodes: Serving[] = [];
      onTestFinished(async () => {
        for (const node of nodes) await node.stop('SIGKILL');
        remove();
      });
      for (let node = 0; node < 2; node += 1) nodes.push(await startServe({ cwd: folder, env }));
      const [one, two] = nodes.map(({ origin }) => origin);
      const post = async (origin = '', path: string, body: object, headers: object): Promise<unknown> => {
        const answer = await fetch(`${origin}/api${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        return answer.json();
      };
      const login = { email: 'admin@localhost', password: GIVEN.AGENT_IDENTITY_PASSWORD };
      const { access_token } = (await post(one, '/auth/login', login, {})) as { access_token: string };
      const bearer = { authorization: `Bearer ${access_token}` };
      const { key } = (await post(one, '/keys', { name: 'till' }, bearer)) as { key: string };
      await post(one, '/passports', { ...AGENT, monetary_limit_per_txn: 1 }, bearer);
      const ask = async (): Promise<unknown> =>
        ((await post(two, '/verify', INTENT, { 'x-api-key': key })) as { verdict: unknown }).verdict;
      expect(await ask()).toBe('ALLOW');
      await post(one, '/revoke', { agent_id: INTENT.agent_id }, bearer);
      const revoked = performance.now();
      while ((await ask()) !== 'DENY') expect(performance.now() - revoked).toBeLessThan(SEEN_MS);
    });

    test('a node gets one notice of each change of others, through PgBouncer and past it', async () => {
      const url = await newDatabase(bouncer);
      const [node, other, past] = [await open(url), await open(url), await open(direct(url))];
      const heard = listenTo(node);
      await heard.one(isAnything);
      const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: past });
      const { agent_id } = await service.passports.create({ ...AGENT, monetary_limit_per_txn: 1 });
      await heard.one(isAbout(agent_id));
      // What was heard is looked at again with what comes after it.
      for (const id of ['acc_1', 'acc_2', 'acc_3']) {
        await other.write([insert('accounts', fixtures.accounts(id))]);
        await heard.one(isAbout(id));
      }
      expect(heard.notices.filter(isAbout(agent_id))).toHaveLength(1);
      expect(heard.notices.filter(isAbout('acc_1'))).toHaveLength(1);
      await Promise.all([node.close(), other.close(), service.close()]);
    });

    test('where no node polls no notice is kept', async () => {
      const url = direct(await newDatabase(bouncer));
      const service = await openService(url);
      await service.passports.create({ ...AGENT, monetary_limit_per_txn: 1 });
      await service.close();
      expect(await query(url, "select name from ais_meta where name like 'change %'")).toEqual([]);
    });

    test('a statement that waits for a lock is given up by the server, and no other client keeps the limit', async () => {
      const url = await newDatabase(small);
      const past = direct(url);
      // The second of two waits for the one connection longer than its deadline: each on its own.
      const storage = await postgresStorage({ url, timeoutMs: 2_000, maxConnections: 1 });
      const blocker = new pg.Client({ connectionString: past });
      await blocker.connect();
      await blocker.query('begin; lock table ais_domains in access exclusive mode');
      const list = (): Promise<unknown> => storage.list('domains', { where: {}, limit: 1 });
      const from = logOf(server).length;
      // On a busy machine, our own deadline can come before the answer of the server: the log says what it did.
      await expect(list()).rejects.toThrow(/PostgreSQL/);
      await expect(storage.write([insertDomain('a.example')])).rejects.toThrow(/PostgreSQL/);
      const givenUp = (): number => logOf(server).slice(from).split('due to statement timeout').length - 1;
      await expect.poll(givenUp, { timeout: PATIENT_MS }).toBe(2);
      await blocker.end();
      await storage.close();
      const next = await open(url);
      expect(await next.write([insertDomain('a.example')])).toMatchObject({ written: true });
      await next.close();
      expect(await query(url, 'show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
      const idle = await query(url, 'show idle_in_transaction_session_timeout');
      expect(idle).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
    });

    test('no statement gets a name, which another client could hold', async () => {
      const url = await newDatabase(small);
      for (let node = 0; node < 2; node += 1) {
        const storage = await postgresStorage({ url, timeoutMs: PATIENT_MS, maxConnections: 1 });
        await storage.write([insertDomain(`${node}.example`)]);
        expect(await storage.get('domains', `${node}.example`)).toBeDefined();
        await storage.close();
      }
      const names = await query(url, 'select name from pg_prepared_statements');
      expect(names).toEqual([]);
    });

    test('a write whose signal is aborted is not sent in a transaction of its own either', async () => {
      const storage = await open(await newDatabase(small));
      const aborted = AbortSignal.abort(new Error('another server'));
      await expect(storage.write([insertDomain('a.example')], aborted)).rejects.toThrow('another server');
      expect(await storage.get('domains', 'a.example')).toBeUndefined();
      await storage.close();
    });

    test('a stale standby behind it is asked nothing, and neither is a database that only reads', async () => {
      const primary = await startPostgres({ options: { fsync: 'off' } });
      const link = await startProxy(primary.port);
      const address = await startProxy(primary.port);
      const standby = await startPostgres({
        options: { fsync: 'off' },
        of: `postgres://root@127.0.0.1:${link.port}/postgres`,
      });
      const pooler = await startPgBouncer({
        target: address.port,
        mode,
        options: { server_login_retry: '0.1' },
      });
      const storage = await postgresStorage({ url: pooler.url, timeoutMs: 2_000 });
      try {
        await storage.write([insertDomain('a.example')]);
        const at = await query(primary.url, 'select pg_current_wal_lsn() as at');
        const has = `select pg_last_wal_replay_lsn() >= '${at[0]?.['at']}' as has`;
        await expect.poll(() => query(standby.url, has), { timeout: PATIENT_MS }).toEqual([{ has: true }]);
        await link.refuse();
        address.switchTo(standby.port);
        const calls = [
          () => storage.get('domains', 'a.example'),
          () => storage.list('domains', { where: {}, limit: 1 }),
          () => storage.write([insertDomain('b.example')]),
          () => storage.check(),
        ];
        for (let round = 0; round < 5; round += 1) {
          for (const call of calls) await expect(call()).rejects.toThrow();
        }
        address.switchTo(primary.port);
        const back = (): Promise<unknown> =>
          Promise.all([storage.check(), storage.get('domains', 'a.example')]).catch(String);
        await expect.poll(back, { timeout: PATIENT_MS }).toMatchObject([{}, { id: 'a.example' }]);
        await query(primary.url, 'alter database postgres set default_transaction_read_only = on');
        address.cut();
        await expect
          .poll(() => storage.check().catch(String), { timeout: PATIENT_MS })
          .toContain('read-only');
      } finally {
        await storage.close();
        await Promise.all([pooler.remove(), standby.remove(), address.close(), link.close()]);
        await primary.remove();
      }
    });
  });

  test('past PgBouncer statements are named by their text, alike in every process', async () => {
    const url = direct(await newDatabase(server));
    const calls: readonly ((storage: StorageAdapter) => Promise<unknown>)[] = [
      (storage) => storage.get('domains', 'a.example'),
      (storage) => storage.get('sessions', 'ses_1'),
    ];
    const namesOf = async (order: typeof calls): Promise<readonly string[]> => {
      const from = logOf(server).length;
      const storage = await open(url);
      for (const call of order) await call(storage);
      await storage.close();
      const log = logOf(server).slice(from);
      return [...log.matchAll(/execute (\S+): (?=select .*?"ais_(?:domains|sessions)")/g)].map(
        ([, name]) => `${name}`,
      );
    };
    const names = await namesOf(calls);
    expect(new Set(names).size).toBeGreaterThan(1);
    expect(names.filter((name) => !/^ais_[0-9a-f]{32}$/.test(name))).toEqual([]);
    expect([...(await namesOf(calls.toReversed()))].sort()).toEqual([...names].sort());
  });
}
