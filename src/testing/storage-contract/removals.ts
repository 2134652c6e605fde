import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import {
  add,
  claim,
  fixtures,
  holds,
  insert,
  lacks,
  NOW,
  readAll,
  refused,
  remove,
  replace,
  written,
} from './fixtures.ts';

const mine = fixtures.domains('mine.example');

export const removals: readonly Claim[] = [
  [
    'a remove deletes the record, and lists follow',
    async (storage) => {
      const other = fixtures.domains('other.example');
      await written(storage, insert('domains', mine), insert('domains', other));
      assertEqual(
        (await readAll(storage, 'domains', { account_id: 'acc_a' }, 1)).length,
        2,
        'the list before',
      );
      await written(storage, remove('domains', mine.id, 1));
      await lacks(storage, 'domains', mine.id);
      await holds(storage, 'domains', other);
      assertEqual(
        await readAll(storage, 'domains', { account_id: 'acc_a' }, 10),
        [other.id],
        'the list after',
      );
    },
  ],
  [
    'a remove of a version that is not stored, or of a missing id, fails with stale',
    async (storage) => {
      await written(storage, insert('domains', mine));
      for (const version of [0, 2, Number.MAX_SAFE_INTEGER]) {
        await refused(storage, [remove('domains', mine.id, version)], 0, 'stale');
      }
      await refused(storage, [remove('domains', 'missing', 1)], 0, 'stale');
      await refused(storage, [remove('keys', mine.id, 1)], 0, 'stale');
      await holds(storage, 'domains', mine);
    },
  ],
  [
    'what was removed can be inserted and claimed again, by any account',
    async (storage) => {
      const theirs = fixtures.domains(mine.id, { account_id: 'acc_b' });
      await written(storage, claim('domains', mine), remove('domains', mine.id, 1), claim('domains', theirs));
      await holds(storage, 'domains', theirs);
      await written(storage, remove('domains', mine.id, 1), insert('domains', mine));
      await holds(storage, 'domains', mine);
    },
  ],
  [
    'a step sees a remove before it',
    async (storage) => {
      await written(storage, insert('domains', mine));
      const next = fixtures.domains(mine.id, { version: 2 });
      await refused(storage, [remove('domains', mine.id, 1), remove('domains', mine.id, 1)], 1, 'stale');
      await refused(storage, [remove('domains', mine.id, 1), replace('domains', next, 1)], 1, 'stale');
      await holds(storage, 'domains', mine);
      await written(storage, replace('domains', next, 1), remove('domains', mine.id, 2));
      await lacks(storage, 'domains', mine.id);
    },
  ],
  [
    'a remove is taken back when a later step fails, and a failed one takes back the others',
    async (storage) => {
      const passport = fixtures.passports('p', { currency: 'EUR' });
      await written(storage, insert('passports', passport), add('full', 5));
      const full = add('full', 1, { max: 5 });
      await refused(storage, [remove('passports', 'p', 1), add('used', 1), full], 2, 'limit');
      await refused(storage, [add('used', 1), remove('passports', 'p', 7)], 1, 'stale');
      await holds(storage, 'passports', passport);
      assertEqual(await readAll(storage, 'passports', { account_id: 'acc_a' }, 10), ['p'], 'the list');
      assertEqual(await storage.count('used', NOW), 0, 'the counter');
    },
  ],
  [
    'of many concurrent removes and replaces of a version one wins',
    async (storage) => {
      await written(storage, insert('domains', mine));
      const next = fixtures.domains(mine.id, { version: 2 });
      const rivals = Array.from({ length: 20 }, (_, at) =>
        storage.write([at % 2 === 0 ? remove('domains', mine.id, 1) : replace('domains', next, 1)]),
      );
      const winners = (await Promise.all(rivals)).flatMap(({ written }, at) => (written ? [at] : []));
      assertEqual(winners.length, 1, 'the number of winners');
      if ((winners[0] ?? 0) % 2 === 0) await lacks(storage, 'domains', mine.id);
      else await holds(storage, 'domains', next);
    },
  ],
];
