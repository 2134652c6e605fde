import { Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../adapters/storage/sql/dialects.ts';
import { allMigrations, applyMigration, type Migration } from '../../adapters/storage/sql/migrations.ts';
import type { SqlTables } from '../../adapters/storage/sql/rows.ts';
import type { Change, StorageAdapter } from '../../src/ports/index.ts';
import { breakingRelease, nextRelease } from './migration-fixtures.ts';
import { refusalOf } from './sqlite-database.ts';
import { subjects } from './subjects.ts';

const AT = '2026-11-20T12:00:00.000Z';

function insertDomain(id: string): Change {
  const record = { id, account_id: 'a', version: 1, created_at: AT, changed_at: null, changed_by: null };
  return { op: 'insert', collection: 'domains', record };
}

/** Writes and reads one record after the other until it is told to stop; the number of records. */
function keepBusy(storage: StorageAdapter): { readonly stop: () => Promise<number> } {
  let stopped = false;
  const work = async (): Promise<number> => {
    for (let done = 0; ; done += 1) {
      if (stopped) return done;
      const id = `${done}.example`;
      expect(await storage.write([insertDomain(id)])).toMatchObject({ written: true });
      expect(await storage.get('domains', id)).toMatchObject({ id });
      expect(await storage.get('domains', 'missing')).toBeUndefined();
      // A driver without a thread of its own would give no other call a turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const working = work();
  return {
    stop: () => {
      stopped = true;
      return working;
    },
  };
}

for (const [name, make] of await subjects()) {
  describe(name, () => {
    test('a running node goes on while a newer one adds to the tables, and starts again beside it', async () => {
      const { open } = await make();
      const running = await open();
      const { stop } = keepBusy(running);
      const newer = await open(nextRelease);
      await newer.write([insertDomain('newer')]);
      expect(await running.get('domains', 'newer')).toEqual(await newer.get('domains', 'newer'));
      const again = await open();
      const written = await stop();
      expect(written).toBeGreaterThan(0);
      for (const storage of [running, newer, again]) {
        expect((await storage.check()).durability).not.toBe('volatile');
        const found = await storage.list('domains', { where: { account_id: 'a' }, limit: 1_000 });
        expect(found).toHaveLength(Math.min(written + 1, 1_000));
      }
      expect(await again.write([insertDomain('again')])).toMatchObject({ written: true });
      await Promise.all([running.close(), newer.close(), again.close()]);
    });

    test('a running node fails its check when a newer one broke with it, and does not start again', async () => {
      const { open } = await make();
      const running = await open();
      await (await open(breakingRelease)).close();
      const refused = {
        code: 'invalid_configuration',
        message: expect.stringContaining('passport export'),
      };
      await expect(running.check()).rejects.toMatchObject(refused);
      expect(await refusalOf(() => open())).toMatchObject(refused);
      await running.close();
    });

    test('what was broken once stays so, whatever is added later', async () => {
      const { open } = await make();
      const added = nextRelease.slice(allMigrations.length);
      await (await open([...breakingRelease, ...added])).close();
      expect((await refusalOf(() => open())).code).toBe('invalid_configuration');
      await (await open(breakingRelease)).close();
    });
  });
}

/** What leaves everything as it was for those who know nothing of it. */
const ADDS = [
  /^create table \w+ /,
  /^create index \w+ on /,
  /^alter table \w+ add column "?\w+"? (?:text|integer|bigint|blob|bytea)(?: collate "C")?(?: not null default \S+| default \S+)?$/,
  /^insert into "?ais_meta"? /,
];

/** The statements of a migration that says it only adds and that do something else. */
async function otherStatements(migrations: readonly Migration[]): Promise<readonly string[]> {
  const said: string[] = [];
  const others: string[] = [];
  const kysely = new Kysely<SqlTables>({
    dialect: new SqliteDialect({ database: new Libsql(':memory:') }),
    log: ({ query }) => {
      said.push(query.sql.trim());
    },
  });
  for (const [index, { additive }] of migrations.entries()) {
    said.length = 0;
    await applyMigration(kysely, dialects.sqlite, index, migrations);
    expect(said).not.toEqual([]);
    if (additive) others.push(...said.filter((text) => !ADDS.some((adds) => adds.test(text))));
  }
  await kysely.destroy();
  return others;
}

test('every migration that says it only adds does nothing else', async () => {
  expect(await otherStatements(allMigrations)).toEqual([]);
  expect(await otherStatements(nextRelease)).toEqual([]);
  const drop = 'drop table ais_erasures';
  const run: Migration['run'] = async (kysely) => void (await sql.raw(drop).execute(kysely));
  expect(await otherStatements([...allMigrations, { additive: true, run }])).toEqual([drop]);
});

test('every migration after the first only adds', () => {
  // Breaking with the release before takes every node down at once: then this line says so.
  expect(allMigrations.map(({ additive }) => additive)).toEqual(allMigrations.map((_, index) => index > 0));
});
