import { assertEqual, assertRejects } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, fixtures, insert, instant, lacks, NOW, refused, written } from './fixtures.ts';

const soon = instant(60);
const later = instant(120);

export const counters: readonly Claim[] = [
  [
    'a counter that was never added to is 0',
    async (storage) => assertEqual(await storage.count('n', NOW), 0, 'the counter'),
  ],
  [
    'a counter is the sum of what was added, also of negative numbers',
    async (storage) => {
      for (const by of [5, -2, 0, 4, -10]) await written(storage, add('n', by));
      assertEqual(await storage.count('n', NOW), -3, 'the counter');
    },
  ],
  [
    'a sum equal to max is done, one above it fails with limit and changes nothing',
    async (storage) => {
      await written(storage, add('n', 3, { max: 5 }), add('n', 2, { max: 5 }));
      await refused(storage, [add('n', 1, { max: 5 })], 0, 'limit');
      assertEqual(await storage.count('n', NOW), 5, 'the counter');
      await written(storage, add('n', -1), add('n', 1, { max: 5 }));
      assertEqual(await storage.count('n', NOW), 5, 'the counter after one place was given back');
    },
  ],
  [
    'the first addition is held against max as well, and leaves nothing when it fails',
    async (storage) => {
      await refused(storage, [add('n', 6, { max: 5, expires_at: soon })], 0, 'limit');
      await refused(storage, [add('zero', 1, { max: 0 })], 0, 'limit');
      assertEqual(await storage.count('n', NOW), 0, 'the counter');
      assertEqual(await storage.purge('counters', later), 0, 'the number of counters left behind');
    },
  ],
  [
    'max counts the sum, not the addition',
    async (storage) => {
      await written(storage, add('n', -5), add('n', 6, { max: 1 }));
      assertEqual(await storage.count('n', NOW), 1, 'the counter');
    },
  ],
  [
    'counters are exact under concurrency',
    async (storage) => {
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => storage.write([add('n', at % 2 === 0 ? 3 : -1)])),
      );
      assertEqual(await storage.count('n', NOW), 100, 'the counter');
    },
  ],
  [
    'exactly as many concurrent additions are done as max allows',
    async (storage) => {
      const writes = Array.from({ length: 100 }, () => storage.write([add('n', 1, { max: 37 })]));
      const results = await Promise.all(writes);
      assertEqual(results.filter(({ written }) => written).length, 37, 'the number of additions');
      assertEqual(await storage.count('n', NOW), 37, 'the counter');
    },
  ],
  [
    'a counter without an end never ends',
    async (storage) => {
      await written(storage, add('n', 1), add('n', 1, { expires_at: soon, at: later }));
      assertEqual(await storage.count('n', '9999-12-31T23:59:59.999Z'), 2, 'the counter');
    },
  ],
  [
    'a counter counts before its end and is 0 from it on',
    async (storage) => {
      await written(storage, add('n', 2, { expires_at: soon }));
      assertEqual(await storage.count('n', instant(59.999)), 2, 'just before');
      assertEqual(await storage.count('n', soon), 0, 'at the end');
      assertEqual(await storage.count('n', later), 0, 'after it');
    },
  ],
  [
    'an addition before the end keeps the end',
    async (storage) => {
      await written(storage, add('n', 2, { expires_at: soon }));
      await written(storage, add('n', 1, { expires_at: later, at: instant(59.999) }));
      assertEqual(await storage.count('n', instant(59.999)), 3, 'just before');
      assertEqual(await storage.count('n', soon), 0, 'at the end');
    },
  ],
  [
    'an addition that renews a counter takes the later of both ends',
    async (storage) => {
      await written(storage, add('n', 2, { expires_at: soon }));
      await written(storage, add('n', 1, { expires_at: later, at: instant(59.999), renew: true }));
      assertEqual(await storage.count('n', soon), 3, 'at the earlier end');
      assertEqual(await storage.count('n', later), 0, 'at the later end');
      await written(storage, add('m', 2, { expires_at: later, renew: true }));
      await written(storage, add('m', 1, { expires_at: soon, renew: true }));
      assertEqual(await storage.count('m', instant(119.999)), 3, 'before an end that was later');
      assertEqual(await storage.count('m', later), 0, 'at the end that was later');
    },
  ],
  [
    'an addition that renews starts an ended counter again, and without an end never ends',
    async (storage) => {
      await written(storage, add('n', 5, { expires_at: soon }));
      await written(storage, add('n', 1, { expires_at: later, at: soon, renew: true }));
      assertEqual(await storage.count('n', instant(119.999)), 1, 'before the new end');
      assertEqual(await storage.count('n', later), 0, 'at the new end');
      const never = '9999-12-31T23:59:59.999Z';
      await written(storage, add('m', 1, { expires_at: soon }), add('m', 1, { renew: true }));
      assertEqual(await storage.count('m', never), 2, 'renewed without an end');
      await written(storage, add('o', 1), add('o', 1, { expires_at: soon, renew: true }));
      assertEqual(await storage.count('o', never), 2, 'renewed with an end, of one that never ends');
    },
  ],
  [
    'an addition that renews and does not fit changes no end',
    async (storage) => {
      await written(storage, add('n', 2, { expires_at: soon }));
      await refused(storage, [add('n', 1, { max: 2, expires_at: later, renew: true })], 0, 'limit');
      assertEqual(await storage.count('n', soon), 0, 'at the end');
    },
  ],
  [
    'a counter of negative numbers is compared with a negative max',
    async (storage) => {
      await refused(storage, [add('n', 0, { max: -1 })], 0, 'limit');
      await written(storage, add('n', -1, { expires_at: soon, renew: true }));
      await written(storage, add('n', 0, { max: -1 }));
      await refused(storage, [add('n', 0, { max: -1, at: soon })], 0, 'limit');
    },
  ],
  [
    'of two writes that check each other after a gate, one is done',
    async (storage) => {
      for (let round = 0; round < 20; round += 1) {
        const steps = (own: string, other: string) => [
          add(`gate:a:${round}`, 1),
          add(`gate:b:${round}`, 1),
          add(`mark:${other}:${round}`, 0, { max: 0 }),
          add(`mark:${own}:${round}`, 1),
        ];
        const results = await Promise.all([storage.write(steps('a', 'b')), storage.write(steps('b', 'a'))]);
        assertEqual(results.filter(({ written }) => written).length, 1, 'the number of writes');
      }
    },
  ],
  [
    'an addition at the end starts again at 0 with the new end',
    async (storage) => {
      await written(storage, add('n', 5, { max: 5, expires_at: soon }));
      await written(storage, add('n', 4, { max: 5, expires_at: later, at: soon }));
      assertEqual(await storage.count('n', instant(119.999)), 4, 'before the new end');
      assertEqual(await storage.count('n', later), 0, 'at the new end');
    },
  ],
  [
    'an addition after the end, without a new one, never ends',
    async (storage) => {
      await written(storage, add('n', 5, { expires_at: soon }), add('n', 1, { at: later }));
      assertEqual(await storage.count('n', '9999-12-31T23:59:59.999Z'), 1, 'the counter');
    },
  ],
  [
    'an addition that fails does not start an ended counter again',
    async (storage) => {
      await written(storage, add('n', 5, { expires_at: soon }));
      await refused(storage, [add('n', 6, { max: 5, expires_at: later, at: soon })], 0, 'limit');
      assertEqual(await storage.count('n', NOW), 5, 'the counter before its end');
    },
  ],
  [
    'counters reach 2^53 - 1 exactly and reject beyond it, with nothing changed',
    async (storage) => {
      await written(storage, add('n', Number.MAX_SAFE_INTEGER - 1), add('n', 1));
      const steps = [insert('accounts', fixtures.accounts('id')), add('n', 1)];
      await assertRejects(storage.write(steps), 'an addition beyond it');
      assertEqual(await storage.count('n', NOW), Number.MAX_SAFE_INTEGER, 'the counter');
      await lacks(storage, 'accounts', 'id');
    },
  ],
  [
    'counters do not touch each other, nor records of the same id',
    async (storage) => {
      await written(storage, add('a', 1), add('b', 2), insert('accounts', fixtures.accounts('a')));
      assertEqual([await storage.count('a', NOW), await storage.count('b', NOW)], [1, 2], 'the counters');
    },
  ],
];
