import type { Change, StorageAdapter } from '../../ports/storage.ts';
import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, claim, fixtures, holds, insert, NOW, readAll, replace, written } from './fixtures.ts';

const RIVALS = 40;

export const concurrency: readonly Claim[] = [
  [
    'one of many concurrent inserts of an id wins',
    async (storage) => {
      const winners = await race(storage, (rival) => [
        insert('accounts', fixtures.accounts('id', { email: `${rival}@example.com` })),
      ]);
      assertEqual(winners.length, 1, 'the number of winners');
      await holds(storage, 'accounts', fixtures.accounts('id', { email: `${winners[0]}@example.com` }));
    },
  ],
  [
    'one of many concurrent replaces of a version wins',
    async (storage) => {
      await written(storage, insert('accounts', fixtures.accounts('id')));
      const next = (rival: number) => fixtures.accounts('id', { version: 2, email: `${rival}@example.com` });
      const winners = await race(storage, (rival) => [replace('accounts', next(rival), 1)]);
      assertEqual(winners.length, 1, 'the number of winners');
      await holds(storage, 'accounts', next(winners[0] ?? -1));
    },
  ],
  [
    'one account of many wins a concurrent claim',
    async (storage) => {
      const by = (rival: number) => fixtures.domains('id', { account_id: `acc_${rival % 4}` });
      const winners = await race(storage, (rival) => [claim('domains', by(rival))]);
      const accounts = new Set(winners.map((rival) => rival % 4));
      assertEqual(accounts.size, 1, 'the number of winning accounts');
      assertEqual(winners.length, RIVALS / 4, 'the number of its claims');
      await holds(storage, 'domains', by(winners[0] ?? -1));
    },
  ],
  [
    'concurrent writes of several steps take turns',
    async (storage) => {
      const winners = await race(storage, (rival) => [
        add('places', 1, { max: 10 }),
        insert('passports', fixtures.passports(`p${rival}`)),
        add('places', 0, { max: 10 }),
      ]);
      assertEqual(winners.length, 10, 'the number of writes');
      assertEqual(await storage.count('places', NOW), 10, 'the counter');
      const ids = await readAll(storage, 'passports', { account_id: 'acc_a' }, 1_000);
      assertEqual([...ids].sort(), winners.map((rival) => `p${rival}`).sort(), 'the records');
    },
  ],
  [
    'no reader sees half a write',
    async (storage) => {
      await written(storage, insert('accounts', fixtures.accounts('id', { token_version: 0 })));
      const write = async (version: number): Promise<void> => {
        const record = fixtures.accounts('id', { version: version + 1, token_version: version });
        await written(storage, add('n', 1), replace('accounts', record, version), add('n', 1));
      };
      for (let version = 1; version <= 20; version += 1) {
        const writing = write(version);
        const [before, record, after] = await Promise.all([
          storage.count('n', NOW),
          storage.get('accounts', 'id'),
          storage.count('n', NOW),
        ]);
        await writing;
        assertEqual([before % 2, after % 2], [0, 0], 'the halves of a write that were seen');
        assertEqual(record !== undefined, true, 'the record is there');
      }
    },
  ],
];

/** Starts all writes before any has an answer. Returns the indexes of the writes that were stored. */
async function race(
  storage: StorageAdapter,
  changes: (rival: number) => readonly Change[],
): Promise<readonly number[]> {
  const rivals = Array.from({ length: RIVALS }, (_, rival) => rival);
  const results = await Promise.all(rivals.map((rival) => storage.write(changes(rival))));
  return rivals.filter((rival) => results[rival]?.written);
}
