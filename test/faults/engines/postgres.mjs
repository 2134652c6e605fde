/** A private PostgreSQL behind the proxy, with all that can be done to it. */
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { postgresStorage } from '../../../dist/storage/sql.js';
import { startPostgres } from '../../support/private-servers.mjs';
import { promotePostgres } from '../../support/promote-postgres.mjs';
import { startProxy } from '../../support/tcp-proxy.mjs';
import { networkFaults } from '../network-faults.mjs';
import { closeAll, openSmallDisk, run } from '../resources.mjs';

const DATABASE = 'faults';
const SMALL_DISK_MIB = 64;
const DEADLOCK = '40P01';

/** The engine: where a node finds it, how a service in this process opens it, and what happens to it. */
export async function openPostgres() {
  const resources = [];
  try {
    const disk = openSmallDisk(SMALL_DISK_MIB);
    resources.push(() => disk.remove());
    const server = await startPostgres();
    resources.push(() => server.remove());
    await createDatabase(server, disk);
    const proxy = await startProxy(server.port);
    resources.push(() => proxy.close());
    const storage = urlOf(proxy.port);
    return {
      name: 'postgres',
      storage,
      isShared: true,
      openStorage: () => postgresStorage({ url: storage }),
      faults: networkFaults({
        proxy,
        server,
        own: {
          full: full(disk),
          readOnly: readOnly(server),
          flushed: flushed(server),
          wrongDatabase: wrongDatabase(server, proxy, resources),
          failedOver: failedOver(server, { proxy, disk, resources }),
        },
      }),
      close: () => closeAll(resources),
    };
  } catch (error) {
    await closeAll(resources);
    throw error;
  }
}

function urlOf(port, database = DATABASE) {
  return `postgres://root@127.0.0.1:${port}/${database}`;
}

/** On the small disk where there is one: then the data can fill it while the log of the server has room. */
async function createDatabase({ port, url }, disk) {
  const database = new URL(url).pathname.slice(1);
  if (disk.impossible === undefined) {
    disk.giveTo('postgres');
    await query(port, `create tablespace small location '${disk.folder}'`, database);
  }
  const where = disk.impossible === undefined ? 'tablespace small' : '';
  await query(port, `create database ${DATABASE} ${where}`, database);
}

function full(disk) {
  return {
    impossible: disk.impossible,
    apply: async () => disk.fill(),
    undo: async () => disk.clear(),
  };
}

function readOnly(server) {
  const set = async (value) => {
    await query(server.port, `alter system set default_transaction_read_only = ${value}`);
    await query(server.port, 'select pg_reload_conf()');
    // Each backend reads its settings before its next command; a new one shows that the server has read them.
    await until(async () => {
      const [row] = await query(server.port, 'show default_transaction_read_only');
      return row.default_transaction_read_only === value;
    });
  };
  return { apply: () => set('on'), undo: () => set('off') };
}

/** All rows of all tables are gone, and come back from a copy: nothing of this is an outage to the driver. */
function flushed(server) {
  const forEachTable = async (statement, before = '') => {
    const tables = await query(server.port, "select tablename from pg_tables where schemaname = 'public'");
    const names = tables.map(({ tablename }) => tablename);
    const locks = `lock table ${names.map((name) => `public.${name}`).join()} in access exclusive mode`;
    await query(server.port, [locks, before, ...names.map(statement)].join(';'));
  };
  return {
    apply: () =>
      untilNoDeadlock(() =>
        forEachTable(
          (name) => `create table copy.${name} as table public.${name}; truncate public.${name}`,
          'drop schema if exists copy cascade; create schema copy',
        ),
      ),
    undo: () =>
      untilNoDeadlock(() =>
        forEachTable(
          (name) => `truncate public.${name}; insert into public.${name} select * from copy.${name}`,
        ),
      ),
  };
}

/** Other writers take their locks in another order. */
async function untilNoDeadlock(act) {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (error.code !== DEADLOCK) throw error;
    }
  }
}

function wrongDatabase(server, proxy, resources) {
  let other;
  return {
    async prepare() {
      other = await startPostgres();
      resources.push(() => other.remove());
      await query(other.port, `create database ${DATABASE}`, 'postgres');
      await (await postgresStorage({ url: urlOf(other.port) })).close();
    },
    apply: async () => proxy.switchTo(other.port),
    async undo() {
      proxy.switchTo(server.port);
      await other.remove();
    },
  };
}

/** A standby that has every acknowledged write takes over at the same address. */
function failedOver(server, { proxy, disk, resources }) {
  let standby;
  return {
    async prepare() {
      standby = await startPostgres();
      resources.push(() => standby.remove());
      await standby.stop();
      const data = join(standby.folder, 'data');
      rmSync(data, { recursive: true });
      const from = [
        '--dbname',
        urlOf(server.port, 'postgres'),
        '--checkpoint',
        'fast',
        '--write-recovery-conf',
      ];
      asOwner('pg_basebackup', [...from, '--pgdata', data, ...mapping(standby, disk)]);
      await standby.restart();
      await query(server.port, "alter system set synchronous_standby_names = '*'");
      await query(server.port, 'select pg_reload_conf()');
      await until(async () => {
        const [row] = await query(server.port, 'select sync_state from pg_stat_replication');
        return row?.sync_state === 'sync';
      });
    },
    apply: () => server.kill(),
    async undo() {
      await promotePostgres(standby.url);
      proxy.switchTo(standby.port);
    },
  };
}

/** The tables lie beside the data of the standby: on one machine two servers cannot have the same folder. */
function mapping(standby, disk) {
  if (disk.impossible !== undefined) return [];
  return ['--tablespace-mapping', `${disk.folder}=${join(standby.folder, 'tables')}`];
}

/** PostgreSQL refuses to work as root on what belongs to another. */
function asOwner(program, args) {
  const owner =
    userInfo().uid === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const [first, ...rest] = [...owner, program, ...args];
  run(first, rest);
}

async function query(port, text, database = DATABASE) {
  const client = new pg.Client({ connectionString: urlOf(port, database), connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function until(holds) {
  const end = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('PostgreSQL did not do what it was told.');
    await pause(20);
  }
}
