import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { postgresStorage, sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { Change, StorageAdapter } from '../../src/ports/index.ts';
import { fixtures, insert } from '../../src/testing/storage-contract/fixtures.ts';
import { startProxy } from '../support/tcp-proxy.mjs';
import { type Heard, isAbout, isAnything, listenTo } from './heard.ts';
import { administer, hasPostgres, openSchema, schemaOf } from './postgres-database.ts';

function insertAccount(id: string, version = 1): Change {
  return insert('accounts', fixtures.accounts(id, { account_id: id, version }));
}

/** A subscriber that hears of other nodes from now on. */
async function listening(storage: StorageAdapter): Promise<Heard> {
  const heard = listenTo(storage);
  await heard.one(isAnything);
  return heard;
}

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());

  /** How many connections of that name there are, and their end. */
  const terminate = async (name: string): Promise<number> => {
    const text = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1';
    return (await server.query(text, [name])).rowCount ?? 0;
  };

  const connections = async (name: string, query = '%'): Promise<number> => {
    const text = 'select 1 from pg_stat_activity where application_name = $1 and query like $2';
    return (await server.query(text, [name, query])).rowCount ?? 0;
  };

  test('the other nodes get a notice of a write by its name, and the own node gets one', async () => {
    const url = await server.newSchema();
    const [one, two] = [await openSchema(url), await openSchema(url)];
    const [own, foreign] = [await listening(one), await listening(two)];
    await one.write([insertAccount('é😀"\\', 7)]);
    await two.write([insertAccount('last')]);
    await foreign.one(isAbout('é😀"\\'));
    await own.one(isAbout('last'));
    const told = { collection: 'accounts', id: 'é😀"\\', version: 7 };
    const last = { collection: 'accounts', id: 'last', version: 1 };
    expect(own.notices).toEqual([undefined, told, last]);
    expect(foreign.notices.filter((notice) => notice?.version === 7)).toEqual([told]);
    await Promise.all([one.close(), two.close()]);
  });

  test('two schemas of one database do not mix', async () => {
    const [here, there] = [await server.newSchema(), await server.newSchema()];
    const [one, neighbour, two] = [await openSchema(here), await openSchema(there), await openSchema(here)];
    const heard = await listening(one);
    await neighbour.write([insertAccount('there')]);
    await neighbour.close();
    await two.write([insertAccount('here')]);
    await heard.one(isAbout('here'));
    expect(heard.notices.some(isAbout('there'))).toBe(false);
    await Promise.all([one.close(), two.close()]);
  });

  test('many writes of one moment are all told', async () => {
    const url = await server.newSchema();
    const [one, two] = [await openSchema(url), await openSchema(url)];
    const heard = await listening(two);
    const ids = Array.from({ length: 300 }, (_, at) => `acc_${at}`);
    await Promise.all(ids.map((id) => one.write([insertAccount(id)])));
    for (const id of ids) await heard.one(isAbout(id));
    await Promise.all([one.close(), two.close()]);
  });

  test('an id that is too long for a notice becomes a notice without a name', async () => {
    const url = await server.newSchema();
    const [one, two] = [await openSchema(url), await openSchema(url)];
    const heard = await listening(two);
    const from = heard.notices.length;
    // Too long for a notice, and so alike that it fits into the index.
    await one.write([insertAccount('x'.repeat(20_000))]);
    await heard.one(isAnything, from);
    await Promise.all([one.close(), two.close()]);
  });

  test('a write just before close still sends its notice', async () => {
    const url = await server.newSchema();
    const [one, two] = [await openSchema(url), await openSchema(url)];
    const heard = await listening(two);
    await one.write([insertAccount('a')]);
    await one.close();
    await heard.one(isAbout('a'));
    await two.close();
  });

  test('a connection that was cut is replaced, with a notice without a name for what was missed', async () => {
    const url = await server.newSchema();
    const name = `cut ${schemaOf(url)}`.slice(0, 60);
    const one = await openSchema(url);
    const two = await openSchema(`${url}&application_name=${encodeURIComponent(name)}`);
    const heard = await listening(two);
    for (let round = 0; round < 3; round += 1) {
      const from = heard.notices.length;
      expect(await terminate(name)).toBeGreaterThan(0);
      await heard.one(isAnything, from);
      await one.write([insertAccount(`after ${round}`)]);
      await heard.one(isAbout(`after ${round}`));
    }
    await Promise.all([one.close(), two.close()]);
    await expect.poll(() => connections(name)).toBe(0);
  });

  test('a connection that is cut while its storage closes causes no error', async () => {
    const url = new URL(await server.newSchema());
    const proxy = await startProxy(Number(url.port));
    const name = `closing ${schemaOf(url.href)}`.slice(0, 60);
    url.searchParams.set('application_name', name);
    url.host = `127.0.0.1:${proxy.port}`;
    const storage = await openSchema(url.href);
    // What the server says of the end arrives when the storage has closed.
    proxy.delay(300);
    expect(await terminate(name)).toBeGreaterThan(0);
    await storage.close();
    // An error without a listener would fail the run.
    await setTimeout(600);
    await proxy.close();
  });

  test('the last to unsubscribe ends the connection that listens', async () => {
    const url = await server.newSchema();
    const name = `left ${schemaOf(url)}`.slice(0, 60);
    const storage = await openSchema(`${url}&application_name=${encodeURIComponent(name)}`);
    const [one, two] = [await listening(storage), listenTo(storage)];
    const listeners = () => connections(name, 'listen %');
    expect(await listeners()).toBe(1);
    one.unsubscribe();
    expect(await listeners()).toBe(1);
    two.unsubscribe();
    await expect.poll(listeners).toBe(0);
    await storage.close();
  });

  test('listens on a pool of the application, and returns its connection clean', async () => {
    const url = await server.newSchema();
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const one = await openSchema(url);
    const two = await postgresStorage({ pool, timeoutMs: 30_000 });
    const heard = await listening(two);
    await one.write([insertAccount('a')]);
    await heard.one(isAbout('a'));
    await Promise.all([two.close(), one.close()]);
    expect((await pool.query('select * from pg_listening_channels()')).rows).toEqual([]);
    await pool.end();
  });

  test('a pool of one connection is left to the calls, which tell others all the same', async () => {
    const url = await server.newSchema();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const [one, two] = [await postgresStorage({ pool, timeoutMs: 30_000 }), await openSchema(url)];
    const [own, other] = [listenTo(one), await listening(two)];
    await one.write([insertAccount('a')]);
    expect(own.notices).toEqual([{ collection: 'accounts', id: 'a', version: 1 }]);
    await other.one(isAbout('a'));
    await Promise.all([one.close(), two.close()]);
    await pool.end();
  });

  test('a Kysely of the application sends notices, and receives the notices of its own writes', async () => {
    const url = await server.newSchema();
    const pool = new pg.Pool({ connectionString: url });
    const kysely = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) });
    const [one, two] = [await sqlStorage({ kysely, dialect: 'postgres' }), await openSchema(url)];
    const [own, other] = [listenTo(one), await listening(two)];
    await one.write([insertAccount('a')]);
    expect(own.notices).toEqual([{ collection: 'accounts', id: 'a', version: 1 }]);
    await other.one(isAbout('a'));
    await Promise.all([one.close(), two.close()]);
    await kysely.destroy();
  });

  test('a new connection to another database is not used, and nothing is heard of it', async () => {
    const url = await server.newSchema();
    const name = `swap ${schemaOf(url)}`.slice(0, 60);
    const storage = await openSchema(`${url}&application_name=${encodeURIComponent(name)}`);
    const heard = await listening(storage);
    await storage.write([insertAccount('a')]);
    await server.query(`update ${schemaOf(url)}.ais_meta set value = 'other' where name = 'marker'`);
    expect(await terminate(name)).toBeGreaterThan(0);
    await expect
      .poll(() => storage.get('accounts', 'a').catch(String))
      .toContain('not the one that was opened');
    const other = await openSchema(url);
    await other.write([insertAccount('elsewhere')]);
    await other.close();
    // As long as a listener may take to come back.
    await setTimeout(600);
    expect(heard.notices).toEqual([undefined, { collection: 'accounts', id: 'a', version: 1 }]);
    await storage.close();
  });
}
