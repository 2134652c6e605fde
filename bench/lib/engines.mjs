/** The storages that can be measured on this machine, each with the raw client of the same server or file. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { postgresStorage, sqliteStorage } from 'agent-identity-service/storage/sql';

const { PG_URL = 'postgres://root@127.0.0.1:5432/test', REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;
const TABLE = 'ais_passports';
const RAW_TABLES = [
  'create table raw (id text primary key, body text not null)',
  'create table raw_counters (id text primary key, value bigint not null)',
];
const ADD =
  'insert into raw_counters (id, value) values ($1, 1) on conflict (id) do update set value = raw_counters.value + 1';

/**
 * The storages, and how to open each. `open` opens the storage again over the same records.
 *
 * `rawGet`, `rawInsert` and `rawAdd` (1 to a counter) use its client directly. `bytes` is the stored size. `remove`
 * removes everything that was created. `address` is the address by which `agent-identity serve` opens PostgreSQL, so
 * that several processes share it.
 */
export const ENGINES = { memory, sqlite, postgres, redis };

async function memory() {
  const records = new Map();
  const storage = memoryStorage();
  return {
    open: async () => ({ ...storage, close: async () => {} }),
    rawGet: async (id) => records.get(id),
    rawInsert: async (record) => records.set(record.id, record),
    rawAdd: async (id) => records.set(id, (records.get(id) ?? 0) + 1),
    remove: async () => {},
  };
}

async function sqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'ais-bench-'));
  const file = join(folder, 'agents.db');
  await (await sqliteStorage({ file })).close();
  const database = openSqlite(file);
  for (const table of RAW_TABLES) database.exec(table);
  const select = database.prepare(`select * from ${TABLE} where id = ?`);
  const insert = database.prepare('insert into raw (id, body) values (?, ?)');
  const add = database.prepare(ADD.replace('$1', '?'));
  return {
    open: () => sqliteStorage({ file }),
    rawGet: async (id) => select.get(id),
    rawInsert: async (record) => insert.run(record.id, JSON.stringify(record)),
    rawAdd: async (id) => add.run(id),
    async bytes() {
      const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async remove() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens SQLite with the same settings as the adapter, so that a write waits for the disk as often. */
function openSqlite(file) {
  const builtIn = process.getBuiltinModule?.('node:sqlite');
  const Database = builtIn?.DatabaseSync ?? createRequire(import.meta.url)('libsql');
  const database = new Database(file);
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'busy_timeout = 250']) {
    database.exec(`pragma ${pragma}`);
  }
  return database;
}

async function postgres() {
  const { default: pg } = await import('pg');
  const schema = `ais_bench_${randomBytes(8).toString('hex')}`;
  const url = new URL(PG_URL);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const pool = new pg.Pool({ connectionString: url.href, max: 10, connectionTimeoutMillis: 3_000 });
  await pool.query(`create schema ${schema}`);
  await (await postgresStorage({ url: url.href })).close();
  for (const table of RAW_TABLES) await pool.query(table);
  const get = { name: 'get', text: `select * from ${TABLE} where id = $1` };
  const put = { name: 'put', text: 'insert into raw (id, body) values ($1, $2)' };
  const add = { name: 'add', text: ADD };
  return {
    address: url.href,
    open: () => postgresStorage({ url: url.href, timeoutMs: 10_000 }),
    rawGet: async (id) => (await pool.query({ ...get, values: [id] })).rows[0],
    rawInsert: (record) => pool.query({ ...put, values: [record.id, JSON.stringify(record)] }),
    rawAdd: (id) => pool.query({ ...add, values: [id] }),
    async bytes() {
      const text = `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
        where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'r'`;
      return Number((await pool.query(text)).rows[0].bytes);
    },
    async remove() {
      await pool.query(`drop schema ${schema} cascade`);
      await pool.end();
    },
  };
}

async function redis() {
  // The entry point may be missing: it is younger than this file.
  const entryPoint = 'agent-identity-service/storage/redis';
  const { redisStorage } = await import(entryPoint);
  const { createClient } = createRequire(createRequire(import.meta.url).resolve('@keyv/redis'))(
    '@redis/client',
  );
  const namespace = `bench-${randomBytes(8).toString('hex')}`;
  const client = createClient({
    url: REDIS_URL,
    socket: { reconnectStrategy: false, connectTimeout: 3_000 },
  });
  client.on('error', () => {});
  await client.connect();
  return {
    open: () => redisStorage({ url: REDIS_URL, namespace, timeoutMs: 10_000 }),
    rawGet: async (id) => JSON.parse(await client.get(`{${namespace}}:raw:${id}`)),
    rawInsert: (record) =>
      client.set(`{${namespace}}:raw:${record.id}`, JSON.stringify(record), { NX: true }),
    rawAdd: (id) => client.incr(`{${namespace}}:raw:${id}`),
    bytes: async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]),
    async remove() {
      for await (const keys of client.scanIterator({ MATCH: `{${namespace}}*`, COUNT: 1_000 })) {
        // Where there are other keys a page of the scan may hold none of ours.
        if (keys.length > 0) await client.unlink(keys);
      }
      await client.quit();
    },
  };
}
