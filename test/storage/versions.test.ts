/** Tables are made from their definitions, at once or in steps, and those of no known version stay as they are. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../adapters/storage/sql/dialects.ts';
import { migrationsOf } from '../../adapters/storage/sql/migrations.ts';
import { statementsOf } from '../../adapters/storage/sql/schema.ts';
import { collections, type StoredRecord } from '../../src/ports/index.ts';
import { refusalOf } from './sqlite-database.ts';
import { subjects } from './subjects.ts';

const AT = '2026-11-20T12:00:00.000Z';

/** A column, a table and an index of this release, as if later versions had added them. */
const inSteps = migrationsOf({
  ...collections,
  domains: { ...collections.domains, since: { token: 2 } },
  events: { ...collections.events, since: { by_expires_at: 2 } },
  erasures: { ...collections.erasures, since: { id: 3 } },
});

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

    test('a database that names no version is refused as it is', async () => {
      const { open, run } = await make();
      await run('create table ais_meta (name text not null primary key, value text not null)');
      await run('create table ais_domains (id text not null primary key)');
      await run(`insert into ais_meta values ('tables_version', '1'), ('oldest_usable', '1')`);
      const { code, message } = await refusalOf(() => open());
      expect(code).toBe('invalid_configuration');
      expect(message).toContain('names no version');
      await expect(run('select id from ais_accounts')).rejects.toThrow(/ais_accounts/);
    });
  });
}

test.each(['none', 'by_none', 'constructor'])(
  'throws if a version names %s, which is no part of the schema',
  (part) => {
    const domains = { ...collections.domains, since: { [part]: 2 } };
    expect(() => statementsOf(dialects.sqlite, 2, { domains })).toThrow(
      `ais_domains.${part} is no part of the schema.`,
    );
  },
);

test('throws if an added column is not optional', () => {
  const events = { ...collections.events, since: { type: 2 } };
  expect(() => statementsOf(dialects.sqlite, 2, { events })).toThrow(
    'ais_events.type is added, and must be optional.',
  );
});

test('the first version stays as it is', () => {
  // Another digest: a table, column or index is new or has changed. Databases of the first version would never get it:
  // name its version in `since` of the collection.
  const statements = Object.values(dialects).map((dialect) => statementsOf(dialect, 1));
  const digest = createHash('sha256').update(JSON.stringify(statements)).digest('hex');
  expect(digest).toBe('ded99f97b9e619c559e9096ed916e24cfa9ec88329c726cec58fe9f709402e41');
});
