import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSqlite } from '../../adapters/storage/sql/sqlite/connection.ts';
import { openSqliteStorage } from '../../adapters/storage/sql/sqlite/open.ts';
import { newFolder } from './folder.ts';
import { libraries } from './sqlite-database.ts';

const AT = '2026-11-20T12:00:00.000Z';
const HOUR = 3_600_000;

const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

describe.each(libraries)('a file of %s', (library) => {
  const newFile = () => ({ file: join(newFolder(), 'a.db'), library });

  test('that is new believes the first clock', async () => {
    const storage = await openSqliteStorage(newFile());
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
