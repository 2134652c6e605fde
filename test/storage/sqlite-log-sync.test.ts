import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { loadSqlite } from '../../adapters/storage/sql/sqlite/connection.ts';
import { sqliteKyselyDialect } from '../../adapters/storage/sql/sqlite/kysely-dialect.ts';
import { createLogSync } from '../../adapters/storage/sql/sqlite/log-sync.ts';
import { newFolder } from './folder.ts';

/** A database whose log takes as long to reach the disk as the test says. */
async function openSynced() {
  const open = await loadSqlite();
  const waiting: (() => void)[] = [];
  const sync = () => new Promise<void>((resolve) => waiting.push(resolve));
  const dialect = sqliteKyselyDialect(
    open(join(newFolder(), 'log.db')),
    () => 0,
    () => ({ sync, close: async () => {} }),
  );
  const kysely = new Kysely<Record<string, Record<string, unknown>>>({ dialect });
  onTestFinished(() => kysely.destroy());
  const run = (text: string) => sql.raw(text).execute(kysely);
  const made = run('create table t (a)');
  await expect.poll(() => waiting.length).toBe(1);
  waiting.pop()?.();
  await made;
  return { kysely, run, waiting };
}

test('a write is answered when the log is on the disk, and a read waits for nothing', async () => {
  const { run, waiting } = await openSynced();
  let isAnswered = false;
  const written = run('insert into t values (1)').then(() => {
    isAnswered = true;
  });
  await expect.poll(() => waiting.length).toBe(1);
  expect(isAnswered).toBe(false);
  waiting.pop()?.();
  await written;
  expect((await run('select a from t')).rows).toEqual([{ a: 1 }]);
  expect(waiting).toEqual([]);
});

test('a transaction waits once, with its commit; one that wrote nothing or was rolled back does not', async () => {
  const { kysely, waiting } = await openSynced();
  await kysely.connection().execute(async (connection) => {
    const run = (text: string) => sql.raw(text).execute(connection);
    for (const text of ['begin', 'select 1', 'commit', 'begin', 'insert into t values (1)', 'rollback'])
      await run(text);
    for (const text of ['begin immediate', 'insert into t values (1)', 'insert into t values (2)'])
      await run(text);
    expect(waiting).toEqual([]);
    const committed = run('commit');
    await expect.poll(() => waiting.length).toBe(1);
    waiting.pop()?.();
    await committed;
  });
});

test('after a log that did not reach the disk nothing is acknowledged', async () => {
  const folder = newFolder();
  // What is no file cannot be synced.
  symlinkSync('/dev/null', join(folder, 'a.db-wal'));
  const log = createLogSync(join(folder, 'a.db'), { afterCommit: async () => {}, close: async () => {} });
  onTestFinished(() => log.close());
  for (let time = 0; time < 2; time += 1) await expect(log.sync()).rejects.toThrow('did not reach the disk');
});

test('a storage over a file syncs its log, and says that it is durable', async () => {
  const file = join(newFolder(), 'a.db');
  const storage = await sqliteStorage({ file });
  onTestFinished(() => storage.close());
  expect(await storage.check()).toEqual({ durability: 'durable' });
});
