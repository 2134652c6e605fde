/** All that a store holds, read past every adapter: a text for each row of a table, and each element of a key. */
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { hasBuiltInSqlite, loadSqlite } from '../../../adapters/storage/sql/sqlite/connection.ts';
import { connectClient } from '../../storage/redis-server.ts';

/** The rows and elements of the store at this URL. Bytes are shown as characters of Latin-1, with their texts as they are. */
export async function dumpOf(url: string): Promise<readonly string[]> {
  if (url.startsWith('sqlite:')) return dumpSqlite(url.slice(7));
  return url.startsWith('redis:') ? dumpRedis(url) : dumpPostgres(url);
}

/** The bytes of the file at this URL of SQLite after `VACUUM` and a checkpoint, as characters of Latin-1. */
export async function bytesOf(url: string): Promise<string> {
  const file = url.slice('sqlite:'.length);
  const connection = (await loadSqlite(hasBuiltInSqlite() ? 'node:sqlite' : 'libsql'))(file);
  try {
    connection.all('vacuum');
    connection.all('pragma wal_checkpoint(truncate)');
  } finally {
    connection.close();
  }
  const parts = [file, `${file}-wal`].map((path) => readFile(path, 'latin1').catch(() => ''));
  return (await Promise.all(parts)).join('');
}

async function dumpSqlite(file: string): Promise<readonly string[]> {
  const connection = (await loadSqlite(hasBuiltInSqlite() ? 'node:sqlite' : 'libsql'))(file);
  try {
    const tables = connection.all("select name from sqlite_master where type = 'table'");
    return tables.flatMap(({ name }) =>
      connection.all(`select * from "${name}"`).map((row) => `${name} ${shown(row)}`),
    );
  } finally {
    connection.close();
  }
}

async function dumpPostgres(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const all: string[] = [];
    for (const { name } of found.rows) {
      const { rows } = await client.query(`select * from "${name}"`);
      all.push(...rows.map((row) => `${name} ${shown(row)}`));
    }
    return all;
  } finally {
    await client.end();
  }
}

async function dumpRedis(url: string): Promise<readonly string[]> {
  const client = await connectClient(url);
  try {
    const keys = (await client.sendCommand(['KEYS', '*'])) as readonly string[];
    const all: string[] = [];
    for (const key of keys) {
      const type = String(await client.sendCommand(['TYPE', key]));
      // A key may have ended since it was listed.
      if (type === 'none') continue;
      const read = READ[type];
      if (read === undefined) throw new Error(`There is a key of the type ${type}.`);
      const elements = await client.sendCommand(read(key));
      const inPairs = type === 'hash' || type === 'zset';
      const list = Array.isArray(elements) ? elements.map(String) : [String(elements)];
      if (list.length === 0) all.push(key);
      for (let at = 0; at < list.length; at += inPairs ? 2 : 1)
        all.push(`${key} ${list[at]} ${inPairs ? list[at + 1] : ''}`);
    }
    return all;
  } finally {
    client.destroy();
  }
}

const READ: Readonly<Record<string, (key: string) => string[]>> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
};

function shown(row: object): string {
  return JSON.stringify(row, function (this: Record<string, unknown>, name, value: unknown) {
    // A Buffer has become an object of numbers by the time it is handed on as the value.
    const stored = this[name];
    return stored instanceof Uint8Array ? Buffer.from(stored).toString('latin1') : value;
  });
}
