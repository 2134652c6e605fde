import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { asOrdinaryUser, contentOf, newFolder } from './folder.ts';
import { libraries, refusalOf, withDatabase } from './sqlite-database.ts';

describe.each(libraries)('%s', (library) => {
  const open = (file: string): Promise<StorageAdapter> => sqliteStorage({ file, library, busyTimeoutMs: 0 });
  const refusal = (file: string): ReturnType<typeof refusalOf> => refusalOf(() => open(file));

  test('a new database and all that stands beside it are for their owner alone', async () => {
    const folder = newFolder();
    const storage = await open(join(folder, 'a.db'));
    const files = readdirSync(folder);
    const modes = files.map((name) => statSync(join(folder, name)).mode & 0o777);
    await storage.close();
    expect(files).toContain('a.db');
    expect(modes).toEqual(files.map(() => 0o600));
  });

  describe('a file that is no database', () => {
    const make: Readonly<Record<string, (file: string) => unknown>> = {
      text: (file) => writeFileSync(file, 'no database at all, '.repeat(400)),
      'two bytes': (file) => writeFileSync(file, 'hi'),
      'a folder': (file) => mkdirSync(file),
      'a database that was cut short': async (file) => {
        await (await open(file)).close();
        for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
        truncateSync(file, 5_000);
      },
      'tables without a version': async (file) => {
        await (await open(file)).close();
        await withDatabase(library, file, (db) => db.run('delete from ais_meta'));
      },
      'a version that is no number': async (file) => {
        await (await open(file)).close();
        await withDatabase(library, file, (db) => db.run(`update ais_meta set value = 'one'`));
      },
      'tables of another program': (file) =>
        withDatabase(library, file, (db) => db.run('create table ais_accounts (a)')),
    };

    test.each(Object.entries(make))('is refused and not changed: %s', async (_what, build) => {
      const folder = newFolder();
      const file = join(folder, 'a.db');
      await build(file);
      const before = contentOf(folder);
      const { code, message } = await refusal(file);
      expect(code).toBe('invalid_configuration');
      expect(message).toContain(file);
      expect(contentOf(folder)).toEqual(before);
    });

    test('is refused: a device', async () => {
      expect(await refusal('/dev/null')).toMatchObject({ code: 'invalid_configuration' });
    });

    test.each(['a\0.db', 'a.db\n', 'a\n.db'])('is refused: the path %j', async (name) => {
      const folder = newFolder();
      expect(await refusal(join(folder, name))).toMatchObject({ code: 'invalid_configuration' });
      expect(readdirSync(folder)).toEqual([]);
    });

    test.each([
      ['missing', 'a.db'],
      ['file', 'a.db'],
      ['missing', 'deeper', 'a.db'],
    ])('nothing is made below what is no folder: %s/%s', async (...path) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'file'), '');
      const before = contentOf(folder);
      expect((await refusal(join(folder, ...path))).code).toBe('invalid_configuration');
      expect(contentOf(folder)).toEqual(before);
    });
  });

  describe('permissions', () => {
    test.each([0o444, 0o222, 0o000])('a file with mode %o is refused', async (mode) => {
      const folder = newFolder();
      const file = join(folder, 'a.db');
      await (await open(file)).close();
      chmodSync(folder, 0o777);
      chmodSync(file, mode);
      const before = contentOf(folder);
      expect((await asOrdinaryUser(() => refusal(file))).code).toBe('invalid_configuration');
      expect(contentOf(folder)).toEqual(before);
    });

    test.each(['a.db', 'new.db'])('a folder that cannot be written is refused: %s', async (name) => {
      const folder = newFolder();
      await (await open(join(folder, 'a.db'))).close();
      chmodSync(join(folder, 'a.db'), 0o666);
      chmodSync(folder, 0o555);
      const before = contentOf(folder);
      expect((await asOrdinaryUser(() => refusal(join(folder, name)))).code).toBe('invalid_configuration');
      expect(contentOf(folder)).toEqual(before);
    });
  });
});
