/** Stores of which a test changes the past, as those would who have the store and not the code. */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { redisStorage } from '../../../adapters/storage/redis/index.ts';
import { sqliteStorage } from '../../../adapters/storage/sql/index.ts';
import type { BlockHeader, StorageAdapter, StoredRecord } from '../../../src/ports/index.ts';
import { newFolder } from '../../storage/folder.ts';
import { libraries, withDatabase } from '../../storage/sqlite-database.ts';
import { startRedis } from '../../support/private-servers.mjs';
import { tellRedis } from '../../support/redis-words.mjs';

type Collection = 'log_heads' | 'log_entries' | 'log_tiles';

/** A store, with a way to change it that is not ours. */
export interface Tampered {
  open(): Promise<StorageAdapter>;
  /** Sets a field of a record. */
  set(collection: Collection, record: StoredRecord, field: string, value: string): Promise<void>;
  remove(collection: Collection, record: StoredRecord): Promise<void>;
  /** Changes the last byte of a block. */
  bend(block: BlockHeader): Promise<void>;
  /** Removes a block. */
  drop(block: BlockHeader): Promise<void>;
  /** Exchanges the contents of two blocks. */
  exchange(one: BlockHeader, two: BlockHeader): Promise<void>;
  /** Copies the closed store; returns what puts the copy in its place. */
  copy(): Promise<() => Promise<void>>;
}

const TABLES = { log_heads: 'ais_log_heads', log_entries: 'ais_log_entries', log_tiles: 'ais_log_tiles' };

/** Another byte than the last one, whatever that is. */
const OTHER_BYTE = "case substr(data, -1) when x'ff' then x'00' else x'ff' end";

/** A file of SQLite, changed by SQL. */
export async function onSqlite(): Promise<Tampered> {
  const folder = newFolder();
  const file = join(folder, 'a.db');
  const [library] = libraries;
  const sql = async (text: string, ...values: readonly string[]) => {
    await withDatabase(library ?? 'libsql', file, (connection) => connection.run(text, values));
  };
  return {
    open: () => sqliteStorage({ file }),
    set: (collection, { id }, field, value) =>
      sql(`update ${TABLES[collection]} set "${field}" = ? where id = ?`, value, id),
    remove: (collection, { id }) => sql(`delete from ${TABLES[collection]} where id = ?`, id),
    bend: ({ writer, seq, account_id }) =>
      sql(
        `update ais_journal_blocks set data = cast(substr(data, 1, length(data) - 1) || ${OTHER_BYTE} as blob) where writer = ? and seq = ${seq} and account_id = ?`,
        ...[writer, account_id],
      ),
    drop: ({ writer, seq, account_id }) =>
      sql(
        `delete from ais_journal_blocks where writer = ? and seq = ${seq} and account_id = ?`,
        ...[writer, account_id],
      ),
    async exchange(one, two) {
      const contents = ({ seq }: BlockHeader) =>
        `select data, filter from ais_journal_blocks where writer = ? and seq = ${seq} and account_id = ?`;
      const names = [one, two].flatMap(({ writer, account_id }) => [writer, account_id]);
      await sql(`create table contents as ${contents(one)} union all ${contents(two)}`, ...names);
      for (const [row, { writer, seq, account_id }] of [two, one].entries()) {
        await sql(
          `update ais_journal_blocks set (data, filter) = (select data, filter from contents where rowid = ${row + 1}) where writer = ? and seq = ${seq} and account_id = ?`,
          ...[writer, account_id],
        );
      }
      await sql('drop table contents');
    },
    async copy() {
      const parts = ['', '-wal'].filter((part) => existsSync(`${file}${part}`));
      for (const part of parts) copyFileSync(`${file}${part}`, `${file}.old${part}`);
      return async () => {
        for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
        for (const part of parts) copyFileSync(`${file}.old${part}`, `${file}${part}`);
      };
    },
  };
}

const BEND = `
  local last = redis.call('GETRANGE', KEYS[1], -1, -1)
  redis.call('SETRANGE', KEYS[1], redis.call('STRLEN', KEYS[1]) - 1, last == '!' and '?' or '!')
`;

/** Exchanges what follows the heads of two blocks. */
const EXCHANGE = `
  local one, two = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
  local function head(value) return string.match(value, '^[^\\n]+\\n') end
  local function rest(value) return string.sub(value, #head(value) + 1) end
  redis.call('SET', KEYS[1], head(one) .. rest(two))
  redis.call('SET', KEYS[2], head(two) .. rest(one))
`;

/** A Redis, changed by commands. */
export async function onRedis(): Promise<Tampered> {
  const { url, port, remove } = await startRedis();
  onTestFinished(() => remove());
  const tell = (...words: readonly string[]) => tellRedis(port, words);
  const keysOf = async (pattern: string) => (await tell('KEYS', pattern)) as readonly string[];
  const keyOf = async (collection: Collection, { id }: StoredRecord) =>
    (await keysOf(`*${collection}:${id}`))[0] ?? '';
  const keyOfBlock = async ({ writer, account_id }: BlockHeader) =>
    (await keysOf(`*jb:${writer}.*:${account_id}`))[0] ?? '';
  return {
    open: () => redisStorage({ url }),
    async set(collection, record, field, value) {
      const key = await keyOf(collection, record);
      const [head = '', json = '{}'] = String(await tell('GET', key)).split('\n');
      await tell('SET', key, `${head}\n${JSON.stringify({ ...JSON.parse(json), [field]: value })}`);
    },
    async remove(collection, record) {
      // As who removes a record would: from the lists as well.
      for (const list of await keysOf('*list:log_*')) {
        for (const member of (await tell('ZRANGE', list, '0', '-1')) as readonly string[])
          if (member.endsWith(` ${record.id}`)) await tell('ZREM', list, member);
      }
      await tell('DEL', await keyOf(collection, record));
    },
    async bend(block) {
      await tell('EVAL', BEND, '1', await keyOfBlock(block));
    },
    async drop(block) {
      // As who removes a block would: from the lists as well.
      const key = await keyOfBlock(block);
      const [head = ''] = String(await tell('GET', key)).split('\n');
      const name = key.slice(key.indexOf('jb:') + 3);
      const seq = name.slice(name.indexOf('.') + 1, name.indexOf(':'));
      const members = [head, `${seq} ${block.account_id}`, `${head.slice(0, 11)}${name}`];
      for (const lists of ['blocks:*', 'unmerged:*', 'filed:*', 'age']) {
        for (const list of await keysOf(`*journal:${lists}`)) await tell('ZREM', list, ...members);
      }
      await tell('DEL', key);
    },
    async exchange(one, two) {
      await tell('EVAL', EXCHANGE, '2', await keyOfBlock(one), await keyOfBlock(two));
    },
    async copy() {
      for (const key of await keysOf('*')) await tell('COPY', key, key, 'DB', '1');
      return async () => {
        await tell('SWAPDB', '0', '1');
      };
    },
  };
}
