import { MAX_PURGE_SIZE } from '../../ports/limits.ts';
import { assert, assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import { EVERY_CALL } from './every-call.ts';
import { add, fixtures, holds, insert, instant, lacks, NOW, purgeAll, written } from './fixtures.ts';
import { opened } from './journal/fixtures.ts';

const durabilities: readonly string[] = ['durable', 'volatile', 'unproved'];

export const lifecycle: readonly Claim[] = [
  [
    'it has a short name',
    async (storage) => assert(/^[a-z][a-z0-9-]{0,31}$/.test(storage.name), `the name ${storage.name}`),
  ],
  [
    'check answers the durability, and what is missing when it is not durable',
    async (storage) => {
      const { durability, detail } = await storage.check();
      assert(durabilities.includes(durability), `the durability ${durability}`);
      assert(
        (durability === 'durable') === (detail === undefined),
        'a detail belongs to what is not durable',
      );
    },
  ],
  [
    'where strict would promise too much, the journal says why in a sentence',
    async ({ journal: { strictRefusal } }) =>
      assert(strictRefusal === undefined || /^[A-Z].{9,}\.$/.test(strictRefusal), `it says ${strictRefusal}`),
  ],
  [
    'purge removes the sessions that ended before the instant, and says how many',
    async (storage) => {
      const session = (id: string, seconds: number) =>
        fixtures.sessions(id, { expires_at: instant(seconds) });
      const kept = [session('at', 10), session('after', 11)];
      const gone = [session('long before', -1_000), session('before', 9.999)];
      for (const record of [...kept, ...gone]) await written(storage, insert('sessions', record));
      assertEqual(await storage.purge('sessions', instant(10)), 2, 'the number removed');
      for (const record of kept) await holds(storage, 'sessions', record);
      for (const record of gone) await lacks(storage, 'sessions', record.id);
      const listed = await storage.list('sessions', { where: { account_id: 'acc_a' }, limit: 10 });
      assertEqual(listed.length, 2, 'the number listed');
      assertEqual(await storage.purge('sessions', instant(10)), 0, 'the number removed by the next');
    },
  ],
  [
    'purge removes counters that ended, and none without an end',
    async (storage) => {
      await written(storage, add('ended', 1, { expires_at: instant(5) }), add('endless', 2));
      await written(storage, add('running', 3, { expires_at: instant(10) }));
      assertEqual(await storage.purge('counters', instant(10)), 1, 'the number removed');
      assertEqual(await storage.count('ended', NOW), 0, 'the ended one');
      assertEqual(await storage.count('endless', NOW), 2, 'the endless one');
      assertEqual(await storage.count('running', NOW), 3, 'the running one');
    },
  ],
  [
    'purge of one collection leaves the others',
    async (storage) => {
      const passport = fixtures.passports('p', { expires_at: instant(-10) });
      const key = fixtures.keys('k', { expires_at: instant(-10) });
      const session = fixtures.sessions('s', { expires_at: instant(-10) });
      await written(storage, insert('passports', passport), insert('keys', key), insert('sessions', session));
      await written(storage, add('n', 1, { expires_at: instant(-10), at: instant(-20) }));
      assertEqual(await storage.purge('counters', NOW), 1, 'the number of counters');
      await holds(storage, 'sessions', session);
      assertEqual(await storage.purge('sessions', NOW), 1, 'the number of sessions');
      await holds(storage, 'passports', passport);
      await holds(storage, 'keys', key);
    },
  ],
  ...(['sessions', 'counters'] as const).map(
    (collection): Claim => [
      `purge removes at most ${MAX_PURGE_SIZE} ${collection} at a time`,
      async (storage) => {
        for (let from = 0; from < 1_005; from += 201) {
          const numbers = Array.from({ length: 201 }, (_, at) => `n${from + at}`);
          const changes = numbers.map((id) =>
            collection === 'counters'
              ? add(id, 1, { expires_at: instant(1) })
              : insert('sessions', fixtures.sessions(id, { expires_at: instant(1) })),
          );
          await written(storage, ...changes);
        }
        assertEqual(await purgeAll(storage, collection, instant(2)), 1_005, 'the number of them all');
      },
    ],
  ),
  [
    'an id that was purged can be stored again',
    async (storage) => {
      await written(storage, insert('sessions', fixtures.sessions('s', { expires_at: instant(-10) })));
      await storage.purge('sessions', NOW);
      const again = fixtures.sessions('s', { account_id: 'acc_b' });
      await written(storage, insert('sessions', again));
      await holds(storage, 'sessions', again);
    },
  ],
  ...Object.entries(EVERY_CALL).map(
    ([name, call]): Claim => [
      `after close ${name} rejects`,
      async (storage) => {
        await written(storage, insert('accounts', fixtures.accounts('id')), add('n', 1));
        await opened(storage);
        await storage.close();
        await assertRejects(call(storage), name);
      },
    ],
  ),
  [
    'closing twice is fine, also at the same time and unused',
    async (storage) => {
      await Promise.all([storage.close(), storage.close()]);
      await storage.close();
    },
  ],
  [
    'what was asked before close is answered or rejects, and is never half done',
    async (storage) => {
      const writing = storage.write([add('n', 1), insert('accounts', fixtures.accounts('id'))]);
      const closing = storage.close();
      const outcome = await writing.then(
        (result) => result.written,
        () => false,
      );
      assert(typeof outcome === 'boolean', 'the write is settled');
      await closing;
    },
  ],
];
