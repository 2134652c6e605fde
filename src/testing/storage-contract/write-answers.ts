import type { Change } from '../../ports/storage.ts';
import { assert, assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, fixtures, holds, insert, instant, lacks, NOW, replace, written } from './fixtures.ts';

const soon = instant(60);
const later = instant(120);
const mine = fixtures.accounts('mine');

export const writeAnswers: readonly Claim[] = [
  [
    'a write answers the sum after each addition, in the order of the additions',
    async (storage) => {
      await written(storage, add('b', 40));
      const changes = [
        add('b', 2),
        insert('accounts', mine),
        add('a', -3),
        add('b', -12, { max: 30 }),
        add('c', 0),
        replace('accounts', fixtures.accounts(mine.id, { version: 2 }), 1),
        add('b', 0, { max: 30 }),
      ];
      assertEqual(await storage.write(changes), { written: true, sums: [42, -3, 30, 0, 30] }, 'the write');
    },
  ],
  [
    'a sum after the end of a counter is that of the counter that begins there',
    async (storage) => {
      await written(storage, add('n', 5, { expires_at: soon }));
      const changes = [add('n', 0, { at: instant(59.999) }), add('n', 0, { at: soon })];
      assertEqual(await storage.write(changes), { written: true, sums: [5, 0] }, 'the sums');
      const again = [add('n', 4, { at: soon, expires_at: later })];
      assertEqual(await storage.write(again), { written: true, sums: [4] }, 'the sum after the end');
    },
  ],
  [
    'sums are exact up to 2^53 - 1',
    async (storage) => {
      const first = [add('n', Number.MAX_SAFE_INTEGER - 1), add('m', -Number.MAX_SAFE_INTEGER)];
      const sums = [Number.MAX_SAFE_INTEGER - 1, -Number.MAX_SAFE_INTEGER];
      assertEqual(await storage.write(first), { written: true, sums }, 'the first write');
      const second = { written: true, sums: [Number.MAX_SAFE_INTEGER] };
      assertEqual(await storage.write([add('n', 1)]), second, 'the second write');
    },
  ],
  [
    'a write that fails answers all steps that failed, and what each addition had to add to',
    async (storage) => {
      await written(storage, add('a', 5), add('b', 7), insert('accounts', mine));
      const changes: readonly Change[] = [
        add('b', 1, { max: 8 }),
        add('a', 1, { max: 5 }),
        insert('accounts', mine),
        insert('domains', fixtures.domains('new.example.com')),
        add('b', 1, { max: 8 }),
        add('a', 0, { max: 4 }),
        add('c', 3),
        replace('accounts', fixtures.accounts('missing', { version: 2 }), 1),
      ];
      const failed = [
        { step: 1, failure: 'limit' },
        { step: 2, failure: 'exists' },
        { step: 4, failure: 'limit' },
        { step: 5, failure: 'limit' },
        { step: 7, failure: 'stale' },
      ];
      const expected = { written: false, step: 1, failure: 'limit', failed, found: [7, 5, 8, 5, 0] };
      assertEqual(await storage.write(changes), expected, 'the write');
      await lacks(storage, 'domains', 'new.example.com');
      await holds(storage, 'accounts', mine);
      const counters = await Promise.all(['a', 'b', 'c'].map((name) => storage.count(name, NOW)));
      assertEqual(counters, [5, 7, 0], 'the counters');
    },
  ],
  [
    'a sum beyond the safe integers behind a step that failed is one more that failed',
    async (storage) => {
      await written(storage, add('n', Number.MAX_SAFE_INTEGER));
      const failed = [
        { step: 0, failure: 'limit' },
        { step: 1, failure: 'limit' },
      ];
      const found = [0, Number.MAX_SAFE_INTEGER];
      const result = await storage.write([add('m', 2, { max: 1 }), add('n', 1)]);
      assertEqual(result, { written: false, step: 0, failure: 'limit', failed, found }, 'the write');
    },
  ],
  [
    'a sum beyond the safe integers that exceeds max fails with limit',
    async (storage) => {
      const most = Number.MAX_SAFE_INTEGER;
      await written(storage, add('n', most));
      const result = await storage.write([add('n', most, { max: most })]);
      const failed = [{ step: 0, failure: 'limit' }];
      const expected = { written: false, step: 0, failure: 'limit', failed, found: [most] };
      assertEqual(result, expected, 'the write');
    },
  ],
  [
    'an addition of 0 is held against max and changes nothing',
    async (storage) => {
      await written(storage, add('n', 5, { max: 5 }), add('n', 0, { max: 5 }), add('new', 0, { max: 0 }));
      const result = await storage.write([add('n', 0, { max: 4 }), add('new', 0, { max: -1 })]);
      assertEqual(result.written, false, 'the write');
      await written(storage, add('new', 0, { expires_at: soon }));
      assertEqual(await storage.purge('counters', later), 0, 'the number of counters that ended');
    },
  ],
  [
    'what an addition that fails has found leaves no place for it, under concurrency as well',
    async (storage) => {
      const sums: number[] = [];
      const adding = Array.from({ length: 60 }, async (_, at) => {
        const by = 1 + (at % 3);
        const result = await storage.write([add('n', by, { max: 50 }), add('all', by)]);
        if (result.written) {
          const [sum = 0, all = 0] = result.sums;
          sums.push(sum);
          assertEqual(sum, all, 'two sums of one write');
          return by;
        }
        const [found = 0, all = 0] = result.found;
        assertEqual(found, all, 'what two additions of one write have found');
        assert(found + by > 50, `an addition of ${by} to ${found} was refused`);
        return 0;
      });
      const total = (await Promise.all(adding)).reduce((sum, by) => sum + by, 0);
      assertEqual(await storage.count('n', NOW), total, 'the counter');
      assertEqual(Math.max(...sums), total, 'the last sum');
      assertEqual(new Set(sums).size, sums.length, 'the number of different sums');
    },
  ],
];
