import { MAX_PURGE_SIZE } from '../../ports/limits.ts';
import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { add, forget, instant, NOW, refused, written } from './fixtures.ts';

const soon = instant(60);
const later = instant(120);

export const forgetting: readonly Claim[] = [
  [
    'a counter that is forgotten is 0 and leaves nothing to purge, and the others stay',
    async (storage) => {
      await written(storage, add('a', 1), add('b', 2, { expires_at: soon }), add('c', 3));
      await written(storage, forget('a'), forget('b'), forget('missing'));
      const values = await Promise.all(['a', 'b', 'c'].map((name) => storage.count(name, NOW)));
      assertEqual(values, [0, 0, 3], 'the counters');
      assertEqual(await storage.purge('counters', later), 0, 'the number of counters left behind');
      await written(storage, add('a', 4, { max: 4 }));
      assertEqual(await storage.count('a', NOW), 4, 'one that begins again');
    },
  ],
  [
    'a counter is forgotten between the other steps of a write, or not at all',
    async (storage) => {
      await written(storage, add('a', 5), add('b', 1, { expires_at: soon }));
      await refused(storage, [forget('a'), forget('b'), add('a', 3, { max: 2 })], 2, 'limit');
      const values = () => Promise.all(['a', 'b'].map((name) => storage.count(name, NOW)));
      assertEqual(await values(), [5, 1], 'the counters after a write that failed');
      await written(storage, add('a', 1), forget('a'), add('a', 3, { max: 3 }), add('b', 1), forget('b'));
      assertEqual(await values(), [3, 0], 'the counters');
      assertEqual(await storage.purge('counters', later), 0, 'the number of counters left behind');
    },
  ],
  [
    `a write forgets ${MAX_PURGE_SIZE} counters`,
    async (storage) => {
      const names = Array.from({ length: MAX_PURGE_SIZE }, (_, at) => `n${at}`);
      await written(storage, ...names.map((name) => add(name, 1, { expires_at: soon })));
      await written(storage, ...names.map(forget));
      assertEqual(await storage.purge('counters', later), 0, 'the number of counters left behind');
    },
  ],
];
