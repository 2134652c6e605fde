/**
 * A merge of many sums is added to the rollups piece by piece: no reader sees it half done, and it comes to its end.
 */
import * as fc from 'fast-check';
import { Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { describe, expect, test } from 'vitest';
import type { SqlDialect } from '../../adapters/storage/sql/dialect.ts';
import { dialects } from '../../adapters/storage/sql/dialects.ts';
import { readIdentity } from '../../adapters/storage/sql/identity.ts';
import { migrate } from '../../adapters/storage/sql/migrations.ts';
import type { SqlTables } from '../../adapters/storage/sql/rows.ts';
import { createSqlStorage } from '../../adapters/storage/sql/sql-storage.ts';
import type { StorageAdapter, Sums } from '../../src/ports/index.ts';
import { instant, NOW } from '../../src/testing/storage-contract/fixtures.ts';
import { delta, flush, merge, opened } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { inOrder, sumsOf } from '../../src/testing/storage-contract/journal/sums-fixtures.ts';
import { nightly, sized } from '../support/runs.ts';
import { agrees } from './journal-agreement.ts';
import { history } from './journal-histories.ts';
import { subjects } from './subjects.ts';

/** A database in memory whose transactions add so few deltas that nearly every merge is in pieces. */
async function openInPieces(
  addedDeltas: number,
): Promise<{ storage: StorageAdapter; left: () => Promise<number> }> {
  const kysely = new Kysely<SqlTables>({ dialect: new SqliteDialect({ database: new Libsql(':memory:') }) });
  const dialect: SqlDialect = { ...dialects.sqlite, addedDeltas };
  await migrate(kysely, dialect);
  const identity = await readIdentity(kysely, dialect);
  const storage = createSqlStorage({ kysely, dialect, identity, release: () => kysely.destroy() });
  const left = async (): Promise<number> =>
    (await sql`select id from ais_journal_deltas`.execute(kysely)).rows.length;
  return { storage, left };
}

test('whatever is called, it answers as plain lists do while merges are added in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 3 }), async (calls, pieces) => {
      const { storage } = await openInPieces(pieces);
      await agrees(storage, calls);
      await storage.close();
    }),
    { numRuns: nightly(2_000, sized(300, 60)) },
  );
}, 600_000);

test('sums are the same after each piece that is added', async () => {
  const { storage, left } = await openInPieces(7);
  await opened(storage);
  await storage.journal.file(flush(1, []));
  const rollups = Array.from({ length: 100 }, (_, at) =>
    delta(`k${at % 20}`, at + 1, { minute: instant(60 * (at % 3)), agent_id: at % 2 === 0 ? '' : 'a' }),
  );
  await storage.journal.merge(merge(0, 1, { rollups }));
  const seen = new Set<number>();
  for (let pieces = await left(); pieces > 0; pieces = await left()) {
    seen.add(pieces);
    for (const [agent_id, odd] of [
      ['', 0],
      ['a', 1],
    ] as const) {
      const { parts } = await sumsOf(storage, { agent_id });
      const expected = Array.from({ length: 20 }, (_, key) => ({
        start: null,
        kind: 'verdict',
        key: `k${key}`,
        count: [0, 20, 40, 60, 80].reduce((sum, from) => sum + from + key + 1, 0),
      })).filter((_, key) => key % 2 === odd);
      expect(parts.map(inOrder)).toEqual([inOrder(expected)]);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen.size).toBeGreaterThan(5);
  await storage.close();
});

const MANY = Array.from({ length: 20_000 }, (_, at) => delta(`k${at % 9}`, 1, { agent_id: `a${at}` }));

for (const [name, make] of await subjects()) {
  describe(name, () => {
    test('a merge that its process did not bring to its end is counted, and another process does', async () => {
      const { open } = await make();
      const first = await open();
      await opened(first);
      await first.journal.file(flush(1, []));
      expect(await first.journal.merge(merge(0, 1, { rollups: MANY }))).toBe(true);
      await first.close();

      const [second, third] = [await open(), await open()];
      const count = async (storage: StorageAdapter): Promise<readonly number[]> => {
        const all: readonly Sums[] = await Promise.all(
          ['a0', 'a9999', 'a19999'].map((agent_id) => sumsOf(storage, { agent_id })),
        );
        return all.map(({ parts }) => parts[0]?.[0]?.count ?? 0);
      };
      expect(await count(second)).toEqual([1, 1, 1]);
      // Both go on with it at once, and each piece is added by one of them.
      await Promise.all(
        [second, third].map((storage) => storage.purge('rollups', '2000-01-01T00:00:00.000Z')),
      );
      expect(await count(third)).toEqual([1, 1, 1]);
      await Promise.all([second.close(), third.close()]);
    });

    test('nothing is left to add once rollups were purged, and every rollup is there', async () => {
      const { open, run } = await make();
      const storage = await open();
      await opened(storage);
      await storage.journal.file(flush(1, []));
      await storage.journal.merge(merge(0, 1, { at: NOW, rollups: MANY }));
      await storage.purge('rollups', '2000-01-01T00:00:00.000Z');
      await storage.close();
      // Each statement fails where its condition does not hold.
      await run(
        `insert into ais_meta (name, value) select 'marker', 'x' where exists (select 1 from ais_journal_deltas)`,
      );
      await run(
        `insert into ais_meta (name, value) select 'marker', 'x' where (select count(*) from ais_rollups) <> 60000`,
      );
    });
  });
}
