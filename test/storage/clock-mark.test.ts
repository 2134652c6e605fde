import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allMigrations } from '../../adapters/storage/sql/migrations.ts';
import { loadSqlite } from '../../adapters/storage/sql/sqlite/connection.ts';
import { openSqliteStorage } from '../../adapters/storage/sql/sqlite/open.ts';
import { newFolder } from './folder.ts';
import { libraries, withDatabase } from './sqlite-database.ts';

const AT = '2026-11-20T12:00:00.000Z';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEFORE_MARKS = 3;

const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

describe.each(libraries)('a file of %s', (library) => {
  const newFile = () => ({ file: join(newFolder(), 'a.db'), library });

  test('of the release before has the time of its newest record, so that a clock far ahead makes none old', async () => {
    const options = newFile();
    const older = await openSqliteStorage(options, allMigrations.slice(0, BEFORE_MARKS));
    await older.close();
    const rows = [0, HOUR, 2 * HOUR].map(
      (ms) =>
        `('dec_0000000000${String(ms).padStart(8, '0')}', 'acc_a', '${later(ms)}', 'ALLOW', '[]', 'did:web:a', 'a', null, null, null, 1, 'live', null, 0, '')`,
    );
    await withDatabase(library, options.file, (db) =>
      db.all(`insert into ais_verdicts values ${rows.join(',')}`),
    );
    const storage = await openSqliteStorage(options);
    const ahead = later(100 * DAY);
    expect(await storage.purge('verdicts', later(10 * DAY), ahead)).toBe(0);
    expect(await storage.time(ahead)).toEqual({ at: later(2 * HOUR), isMark: true });
    // Those of an hour are a block.
    expect(await storage.purge('verdicts', later(HOUR + 1), later(DAY))).toBe(2);
    await storage.close();
  });

  test('of the release before that holds nothing believes the first clock', async () => {
    const options = newFile();
    await (await openSqliteStorage(options, allMigrations.slice(0, BEFORE_MARKS))).close();
    const storage = await openSqliteStorage(options);
    expect(await storage.time(AT)).toEqual({ at: AT, isMark: true });
    await storage.close();
  });

  test('keeps its time when it is opened again, and while another process holds its lock', async () => {
    const options = { ...newFile(), busyTimeoutMs: 0 };
    const first = await openSqliteStorage(options);
    await first.time(AT);
    // Less than an hour is not worth a write.
    expect((await first.time(later(HOUR - 1))).at).toBe(AT);
    expect((await first.time(later(HOUR))).at).toBe(later(HOUR));
    await first.close();
    const storage = await openSqliteStorage(options);
    const other = (await loadSqlite(library))(options.file);
    other.run('begin immediate');
    const locked = await storage.time(later(3 * HOUR));
    other.run('rollback');
    other.close();
    expect(locked.at).toBe(later(HOUR));
    expect((await storage.time(later(3 * HOUR))).at).toBe(later(3 * HOUR));
    await storage.close();
  });
});
