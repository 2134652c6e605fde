import { describe, expect, test } from 'vitest';
import { allMigrations } from '../../adapters/storage/sql/migrations.ts';
import { calls, insertDomain } from './calls.ts';
import { refusalOf } from './sqlite-database.ts';
import { subjects } from './subjects.ts';

/** What may have become of a database while it was open, and how it is found again. */
const losses: Readonly<Record<string, { readonly lose: string; readonly find: string }>> = {
  'was swapped for another': {
    lose: `update ais_meta set value = 'x' || value where name = 'marker'`,
    find: `update ais_meta set value = substr(value, 2) where name = 'marker'`,
  },
  'was emptied': {
    lose: `create table kept as select * from ais_meta; delete from ais_meta where name = 'marker'`,
    find: `insert into ais_meta select * from kept where name = 'marker'`,
  },
};

for (const [name, make] of await subjects()) {
  describe(name, () => {
    test.each(Object.entries(losses))('a database that %s is noticed', async (_what, { lose, find }) => {
      const { open, run } = await make();
      const storage = await open();
      await storage.write([insertDomain('before.example')]);
      await run(lose);
      for (const [what, call] of Object.entries(calls)) {
        await expect(call(storage), what).rejects.toThrow('not the one that was opened');
      }
      await run(find);
      for (const [what, call] of Object.entries(calls))
        await expect(call(storage), what).resolves.not.toThrow();
      expect(await storage.get('domains', 'before.example')).toBeDefined();
      await storage.close();
    });

    test('nothing of a write is stored where the identity differs', async () => {
      const { open, run } = await make();
      const storage = await open();
      await run(`update ais_meta set value = 'other' where name = 'marker'`);
      await expect(storage.write([insertDomain('lost.example')])).rejects.toThrow('not the one');
      const other = await open();
      expect(await other.get('domains', 'lost.example')).toBeUndefined();
      await Promise.all([storage.close(), other.close()]);
    });

    test('tables of this release without an identity are refused', async () => {
      const { open, run } = await make();
      await (await open()).close();
      await run(`delete from ais_meta where name = 'marker'`);
      const { code, message } = await refusalOf(() => open());
      expect(code).toBe('invalid_configuration');
      expect(message).toContain('has lost its content');
    });

    test('the identity is made once, by the first to open the store', async () => {
      const { open } = await make();
      const one = await open(allMigrations);
      const two = await open();
      for (const storage of [one, two]) expect(await storage.get('domains', 'none')).toBeUndefined();
      await Promise.all([one.close(), two.close()]);
    });
  });
}
