import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { identifyFile, watchPresence } from '../../adapters/storage/sql/sqlite/connection.ts';
import { calls, insertDomain } from './calls.ts';
import { newFolder } from './folder.ts';
import { libraries } from './sqlite-database.ts';

/** What may become of a file that is open. */
const losses: Readonly<Record<string, (file: string) => void>> = {
  removed: (file) => rmSync(file),
  replaced: (file) => {
    copyFileSync(file, `${file}.other`);
    renameSync(`${file}.other`, file);
  },
};

describe.each(libraries)('%s', (library) => {
  test.each(Object.entries(losses))('a file that was %s is noticed, and also its return', async (_, lose) => {
    const file = join(newFolder(), 'a.db');
    const storage = await sqliteStorage({ file, library });
    await storage.write([insertDomain('before.example')]);
    linkSync(file, `${file}.kept`);
    lose(file);
    for (const [what, call] of Object.entries(calls)) {
      await expect(call(storage), what).rejects.toThrow('was removed or replaced');
    }
    renameSync(`${file}.kept`, file);
    for (const [what, call] of Object.entries(calls))
      await expect(call(storage), what).resolves.not.toThrow();
    expect(await storage.get('domains', 'before.example')).toBeDefined();
    await storage.close();
  });

  test('nothing of a write goes into a file that was removed', async () => {
    const file = join(newFolder(), 'a.db');
    const storage = await sqliteStorage({ file, library });
    linkSync(file, `${file}.kept`);
    rmSync(file);
    await expect(storage.write([insertDomain('lost.example')])).rejects.toThrow('was removed');
    renameSync(`${file}.kept`, file);
    expect(await storage.get('domains', 'lost.example')).toBeUndefined();
    await storage.close();
  });
});

test('a look is enough for as long as it is said to be', () => {
  const file = join(newFolder(), 'a');
  copyFileSync(import.meta.filename, file);
  const assertPresent = watchPresence(file, identifyFile(file));
  rmSync(file);
  expect(() => assertPresent(60_000)).not.toThrow();
  expect(() => assertPresent()).toThrow('was removed');
});

test('a look from before this machine slept is not enough', () => {
  const now = Date.now;
  let asleepMs = 0;
  const spied = vi.spyOn(Date, 'now').mockImplementation(() => now() + asleepMs);
  onTestFinished(() => spied.mockRestore());
  const file = join(newFolder(), 'a');
  copyFileSync(import.meta.filename, file);
  const assertPresent = watchPresence(file, identifyFile(file));
  rmSync(file);
  expect(() => assertPresent(60_000)).not.toThrow();
  // `performance.now()` stood still meanwhile.
  asleepMs = 3_600_000;
  expect(() => assertPresent(60_000)).toThrow('was removed');
});
