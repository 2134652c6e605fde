import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { allMigrations, type Migration } from '../../adapters/storage/sql/migrations.ts';
import { loadSqlite } from '../../adapters/storage/sql/sqlite/connection.ts';
import { openSqliteStorage } from '../../adapters/storage/sql/sqlite/open.ts';
import { blocksTable, rollupsTable, tables, writersTable } from '../../adapters/storage/sql/tables.ts';
import type { Change, StorageAdapter, StoredRecord } from '../../src/ports/index.ts';
import { block, bytesOf, flush } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { contentOf, newFolder } from './folder.ts';
import { breakingRelease, failing, failingRelease, nextRelease } from './migration-fixtures.ts';
import { libraries, refusalOf, withDatabase } from './sqlite-database.ts';

const AT = '2026-11-20T12:00:00.000Z';

function domain(id: string): StoredRecord {
  return { id, account_id: 'acc_a', version: 1, created_at: AT, changed_at: null, changed_by: null };
}

function insertDomain(id: string): Change {
  return { op: 'insert', collection: 'domains', record: domain(id) };
}

describe.each(libraries)('%s', (library) => {
  const open = (file: string, busyTimeoutMs = 0): Promise<StorageAdapter> =>
    sqliteStorage({ file, library, busyTimeoutMs });

  /** The database of a release that is one version ahead and broke with this one. */
  async function makeNewer(file: string): Promise<void> {
    const storage = await openSqliteStorage({ file, library }, breakingRelease);
    await storage.write([insertDomain('future')]);
    await storage.close();
  }

  test('a read does not wait until what is being written is stored', async () => {
    const storage = await open(join(newFolder(), 'a.db'));
    await storage.write([insertDomain('a.example')]);
    const order: string[] = [];
    const blocks = Array.from({ length: 250 }, (_, index) =>
      block(1, { account_id: `acc_${index}`, data: bytesOf('many', 9_000) }),
    );
    await storage.journal.open(block(1).writer, AT);
    const filed = storage.journal.file(flush(1, blocks)).then(() => order.push('filed'));
    const found = await storage.get('domains', 'a.example').finally(() => order.push('read'));
    await filed;
    expect(found).toEqual(domain('a.example'));
    expect(order).toEqual(['read', 'filed']);
    await storage.close();
  });

  describe('a new file', () => {
    test('holds the columns of every table definition', async () => {
      const file = join(newFolder(), 'a.db');
      await (await open(file)).close();
      for (const { name, columns } of [...Object.values(tables), writersTable, rollupsTable]) {
        const found = await withDatabase(library, file, (db) => db.all(`pragma table_info(${name})`));
        const expected = Object.entries(columns).map(([column, kind]) => ({
          column,
          type: /^(integer|boolean)/.test(kind) ? 'INTEGER' : 'TEXT',
          required: /^(text|integer|boolean|json)$/.test(kind),
        }));
        const actual = found.map((row) => ({
          column: row['name'],
          type: String(row['type']).toUpperCase(),
          required: Number(row['notnull']) === 1,
        }));
        const byName = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
        expect(actual.sort(byName)).toEqual(expected.sort(byName));
      }
      const blocks = await withDatabase(library, file, (db) =>
        db.all(`pragma table_info(${blocksTable.name})`),
      );
      const all = [...blocksTable.header, ...blocksTable.bytes];
      expect(blocks.map((row) => row['name'])).toEqual(all);
    });

    test('has a write-ahead log and says that it is durable', async () => {
      const file = join(newFolder(), `we?ird #1 %41 'é😀.db`);
      const storage = await open(file);
      expect(await storage.check()).toEqual({ durability: 'durable' });
      await storage.close();
      expect(await withDatabase(library, file, (db) => db.all('pragma journal_mode'))).toMatchObject([
        { journal_mode: 'wal' },
      ]);
    });

    test('keeps what was written when it is opened again', async () => {
      const file = join(newFolder(), 'a.db');
      const first = await open(file);
      await first.write([insertDomain('a.example'), { op: 'add', counter: 'n', by: 3, at: AT }]);
      await first.close();
      const second = await open(file);
      expect(await second.get('domains', 'a.example')).toEqual(domain('a.example'));
      expect(await second.count('n', AT)).toBe(3);
      await second.close();
    });

    test('is whole in the one file after close', async () => {
      const folder = newFolder();
      const storage = await open(join(folder, 'a.db'));
      await storage.write([insertDomain('a.example')]);
      await storage.close();
      copyFileSync(join(folder, 'a.db'), join(folder, 'copy.db'));
      const copy = await open(join(folder, 'copy.db'));
      expect(await copy.get('domains', 'a.example')).toEqual(domain('a.example'));
      await copy.close();
    });
  });

  describe('a database of a newer release', () => {
    test('is refused without a change of any byte', async () => {
      const folder = newFolder();
      const file = join(folder, 'a.db');
      await makeNewer(file);
      const before = contentOf(folder);
      const { code, message } = await refusalOf(() => open(file));
      expect(code).toBe('invalid_configuration');
      expect(message).toContain(`${file}`);
      expect(message).toContain(`schema version ${allMigrations.length + 1}`);
      expect(contentOf(folder)).toEqual(before);
    });

    test('is refused as it is when its process was killed', async () => {
      const folder = newFolder();
      const file = join(folder, 'a.db');
      await makeNewer(file);
      const running = (await loadSqlite(library))(file);
      running.run(`insert into ais_break (id) values ('in the log')`);
      const crashed = join(folder, 'crashed');
      mkdirSync(crashed);
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, join(crashed, `a.db${end}`));
      running.close();
      const before = contentOf(crashed);
      expect(Object.keys(before)).toEqual(['a.db', 'a.db-wal']);
      expect((await refusalOf(() => open(join(crashed, 'a.db')))).code).toBe('invalid_configuration');
      expect(contentOf(crashed)).toEqual(before);
    });

    test('that was upgraded under a running storage fails its check', async () => {
      const file = join(newFolder(), 'a.db');
      const storage = await open(file, 250);
      await makeNewer(file);
      await expect(storage.check()).rejects.toMatchObject({ code: 'invalid_configuration' });
      await storage.close();
    });
  });

  test('a file that names no version is refused without a change of any byte', async () => {
    const folder = newFolder();
    const file = join(folder, 'a.db');
    const running = (await loadSqlite(library))(file);
    running.all('pragma journal_mode = wal');
    running.run('create table ais_meta (name text not null primary key, value text not null)');
    running.run(`insert into ais_meta values ('tables_version', '9'), ('oldest_usable', '9')`);
    // Copies: a library may end its connection to a file, which writes it, later than it is told to.
    const copy = (name: string, ends: readonly string[]): string => {
      mkdirSync(join(folder, name));
      for (const end of ends) copyFileSync(`${file}${end}`, join(folder, name, `a.db${end}`));
      return join(folder, name, 'a.db');
    };
    const crashed = copy('crashed', ['', '-wal']);
    running.all('pragma wal_checkpoint(truncate)');
    const ended = copy('ended', ['']);
    running.close();
    for (const path of [ended, crashed]) {
      const before = contentOf(dirname(path));
      expect((await refusalOf(() => open(path))).message).toContain('names no version');
      expect(contentOf(dirname(path))).toEqual(before);
    }
  });

  describe('migrations', () => {
    const openWith = (file: string, migrations: readonly Migration[]): Promise<StorageAdapter> =>
      openSqliteStorage({ file, library }, migrations);

    test('a failed first one leaves no file', async () => {
      const folder = newFolder();
      await expect(openWith(join(folder, 'a.db'), [failing])).rejects.toMatchObject({
        code: 'invalid_configuration',
        message: expect.stringContaining('the disk is full'),
      });
      expect(contentOf(folder)).toEqual({});
    });

    test('a failed later one leaves the version before, with its records', async () => {
      const file = join(newFolder(), 'a.db');
      const storage = await open(file);
      await storage.write([insertDomain('a.example')]);
      await storage.close();
      await expect(openWith(file, failingRelease)).rejects.toThrow('the disk is full');
      const half = await withDatabase(library, file, (db) =>
        db.all(`select * from sqlite_master where name = 'ais_half'`),
      );
      expect(half).toEqual([]);
      const again = await open(file);
      expect(await again.get('domains', 'a.example')).toEqual(domain('a.example'));
      await again.close();
    });

    test('each runs once, and earlier ones stay when a later one fails', async () => {
      const file = join(newFolder(), 'a.db');
      await (await open(file)).close();
      await expect(openWith(file, [...nextRelease, failing])).rejects.toThrow('the disk is full');
      await (await openWith(file, nextRelease)).close();
      await (await openWith(file, nextRelease)).close();
      const version = await withDatabase(library, file, (db) =>
        db.all(`select value from ais_meta where name = 'version'`),
      );
      expect(version).toMatchObject([{ value: `${nextRelease.length}` }]);
    });
  });

  describe('two connections', () => {
    test('see each other at once, and one of them wins', async () => {
      const file = join(newFolder(), 'a.db');
      const [one, two] = [await open(file, 250), await open(file, 250)];
      const results = await Promise.all(
        [one, two].map((storage) => storage.write([insertDomain('a.example')])),
      );
      expect(results.filter(({ written }) => written)).toHaveLength(1);
      const adding = [one, two, one, two].flatMap((storage) =>
        Array.from({ length: 10 }, () =>
          storage.write([{ op: 'add', counter: 'n', by: 1, max: 25, at: AT }]),
        ),
      );
      expect((await Promise.all(adding)).filter(({ written }) => written)).toHaveLength(25);
      expect(await two.count('n', AT)).toBe(25);
      await Promise.all([one.close(), two.close()]);
    });

    test('a writer that finds the lock taken rejects, readers go on, and nothing stays stuck', async () => {
      const file = join(newFolder(), 'a.db');
      const storage = await open(file);
      await storage.write([insertDomain('before')]);
      const other = (await loadSqlite(library))(file);
      other.run('begin immediate');
      await expect(storage.write([insertDomain('blocked')])).rejects.toThrow('locked');
      expect(await storage.get('domains', 'before')).toEqual(domain('before'));
      expect(await storage.get('domains', 'blocked')).toBeUndefined();
      other.run('commit');
      other.close();
      expect(await storage.write([insertDomain('blocked')])).toMatchObject({ written: true });
      await storage.close();
    });

    test('writers that wait behind one another for a taken lock give up together', async () => {
      const file = join(newFolder(), 'a.db');
      const storage = await open(file, 250);
      const other = (await loadSqlite(library))(file);
      other.run('begin immediate');
      const started = performance.now();
      const writing = Array.from({ length: 40 }, () => storage.write([insertDomain('blocked')]));
      const outcomes = await Promise.allSettled(writing);
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(40);
      // One after the other they would need ten seconds.
      expect(performance.now() - started).toBeLessThan(9_000);
      other.run('rollback');
      other.close();
      expect(await storage.write([insertDomain('blocked')])).toMatchObject({ written: true });
      await storage.close();
    });
  });

  test('check rejects when the tables are gone', async () => {
    const file = join(newFolder(), 'a.db');
    const storage = await open(file);
    await withDatabase(library, file, (db) => db.run('drop table ais_meta'));
    await expect(storage.check()).rejects.toThrow('lost its tables');
    await storage.close();
  });

  test.each([-1, 0.5, 60_001, Number.NaN])('busyTimeoutMs %s is refused', async (busyTimeoutMs) => {
    const opening = sqliteStorage({ file: ':memory:', library, busyTimeoutMs });
    await expect(opening).rejects.toMatchObject({ code: 'invalid_configuration' });
  });
});
