import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { Change, StorageAdapter } from '../../src/ports/index.ts';
import { fixtures, insert } from '../../src/testing/storage-contract/fixtures.ts';
import { newFolder } from './folder.ts';
import { isAnything, listenTo } from './heard.ts';
import { libraries, withDatabase } from './sqlite-database.ts';

function insertAccount(id: string): Change {
  return insert('accounts', fixtures.accounts(id, { account_id: id }));
}

describe.each(libraries)('%s', (library) => {
  const open = (file: string): Promise<StorageAdapter> =>
    sqliteStorage({ file, library, busyTimeoutMs: 30_000 });

  test('a write by another storage of the same file sends a notice without its name', async () => {
    const file = join(newFolder(), 'a.db');
    const [one, two] = [await open(file), await open(file)];
    const heard = listenTo(one);
    await one.write([insertAccount('own')]);
    await two.write([insertAccount('foreign')]);
    await heard.one(isAnything);
    expect(heard.notices).toEqual([{ collection: 'accounts', id: 'own', version: 1 }, undefined]);
    await Promise.all([one.close(), two.close()]);
  });

  test('so is a statement of any other program', async () => {
    const file = join(newFolder(), 'a.db');
    const storage = await open(file);
    const heard = listenTo(storage);
    await withDatabase(library, file, (db) => db.run('delete from ais_accounts'));
    await storage.write([insertAccount('a')]);
    await withDatabase(library, file, (db) => db.run('delete from ais_accounts'));
    await heard.one(isAnything);
    await storage.close();
  });

  test('who has unsubscribed, or closed, hears nothing of others', async () => {
    const file = join(newFolder(), 'a.db');
    const [one, two, three] = [await open(file), await open(file), await open(file)];
    const [left, closed, stayed] = [listenTo(one), listenTo(two), listenTo(three)];
    left.unsubscribe();
    await two.close();
    await withDatabase(library, file, (db) => db.run(`insert into ais_meta values ('a', 'b')`));
    await stayed.one(isAnything);
    // A round of polling later.
    const from = stayed.notices.length;
    await withDatabase(library, file, (db) => db.run(`insert into ais_meta values ('c', 'd')`));
    await stayed.one(isAnything, from);
    expect([left.notices, closed.notices]).toEqual([[], []]);
    expect(() => two.subscribe?.(() => {})).toThrow('closed');
    await Promise.all([one.close(), three.close()]);
  });
});
