/** Tables are made from their definitions, at once or in steps, and those of no known version stay as they are. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../adapters/storage/sql/dialects.ts';
import { allMigrations, type Migration, migrationsOf } from '../../adapters/storage/sql/migrations.ts';
import { firstParts, makePart } from '../../adapters/storage/sql/parts.ts';
import type { StoredRecord } from '../../src/ports/index.ts';
import { refusalOf } from './sqlite-database.ts';
import { subjects } from './subjects.ts';

const AT = '2026-11-20T12:00:00.000Z';

/** A column, a table and an index of this release, as if later versions had added them. */
const STEPS: readonly Migration[] = [
  { additive: true, adds: ['ais_domains.token', 'ais_events_by_expiry'] },
  { additive: true, adds: ['ais_erasures', 'ais_erasures_by_age'] },
];
const inSteps = migrationsOf(STEPS);

const DOMAIN: StoredRecord = {
  ...{ id: 'a.example', account_id: 'acc_a', version: 1, created_at: AT, changed_at: null, changed_by: null },
};

for (const [name, make] of await subjects()) {
  describe(name, () => {
    test('a database of the first version gets what later ones add, and keeps its records', async () => {
      const { open, run } = await make();
      await (await open(inSteps.slice(0, 1))).close();
      await expect(run('select token from ais_domains')).rejects.toThrow(/token/);
      await expect(run('select id from ais_erasures')).rejects.toThrow(/ais_erasures/);
      const columns = 'id, account_id, version, created_at';
      await run(`insert into ais_domains (${columns}) values ('a.example', 'acc_a', 1, '${AT}')`);
      const storage = await open(inSteps);
      expect(await storage.get('domains', 'a.example')).toEqual(DOMAIN);
      const proven = { ...DOMAIN, version: 2, token: 'abc' };
      const replaced = { op: 'replace', collection: 'domains', record: proven, version: 1 } as const;
      expect(await storage.write([replaced])).toMatchObject({ written: true });
      expect(await storage.get('domains', 'a.example')).toEqual(proven);
      expect(await storage.list('erasures', { where: {}, limit: 1 })).toEqual([]);
      await storage.close();
    });

    test.each([1, 8, 20])('version %i of before the first release is refused as it is', async (version) => {
      const { open, run } = await make();
      await run('create table ais_meta (name text not null primary key, value text not null)');
      await run('create table ais_domains (id text not null primary key)');
      await run(`insert into ais_meta values ('schema_version', '${version}'), ('oldest_usable', '1')`);
      for (const migrations of [allMigrations, migrationsOf(Array(version).fill({ additive: true }))]) {
        const { code, message } = await refusalOf(() => open(migrations));
        expect(code).toBe('invalid_configuration');
        expect(message).toContain('An older development version');
        expect(message).toContain('Nothing in it was changed');
      }
      await expect(run('select id from ais_accounts')).rejects.toThrow(/ais_accounts/);
    });
  });
}

test('a migration that names no part of the schema fails', () => {
  for (const part of ['ais_none', 'ais_domains.none', 'ais_domains_by_none', 'constructor']) {
    expect(() => makePart(dialects.sqlite, part, new Set())).toThrow(`${part} is no part of the schema.`);
  }
});

test('the first version stays as it is', () => {
  // Another digest: a table, column or index is new or has changed. Databases of the first version would never get it:
  // name it in a migration of `allMigrations`.
  const later = new Set(allMigrations.flatMap(({ adds = [] }) => adds));
  const statements = Object.values(dialects).map((dialect) => firstParts(dialect, later));
  const digest = createHash('sha256').update(JSON.stringify(statements)).digest('hex');
  expect(digest).toBe('a69a577c694d97a167091835cf8b238b2209453edd8da8544f503edb6a7ed132');
});
