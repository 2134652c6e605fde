import { WATCHED_COLLECTIONS } from '../../ports/notices.ts';
import type { Change, ChangeNotice, StorageAdapter } from '../../ports/storage.ts';
import { assert, assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { fixtures, insert, refused, remove, replace, written } from './fixtures.ts';
import { block, files, flush, opened } from './journal/fixtures.ts';

/** Far beyond "soon after the write". */
const DEADLINE_MS = 15_000;

/** Who reads a record may keep it for a moment, and wants to hear that it has changed. */
export const changes: readonly Claim[] = [
  ...WATCHED_COLLECTIONS.map(
    (collection): Claim => [
      `it tells every subscriber of a write to ${collection}, where the storage has subscribe`,
      async (storage) => {
        if (storage.subscribe === undefined) return;
        const both = [subscriber(storage), subscriber(storage)];
        const record = fixtures[collection]('id');
        const told = (version: number) => ({ collection, id: 'id', version });
        await tells(storage, both, [insert(collection, record)], [told(1)]);
        await tells(storage, both, [replace(collection, { ...record, version: 2 }, 1)], [told(2)]);
        await tells(storage, both, [remove(collection, 'id', 2)], [told(3)]);
      },
    ],
  ),
  [
    'it tells of every watched record of one write',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      const steps = [
        insert('domains', fixtures.domains('d')),
        insert('passports', fixtures.passports('é😀"')),
        insert('keys', fixtures.keys('k', { version: 7 })),
      ];
      await tells(storage, [subscriber(storage)], steps, [
        { collection: 'passports', id: 'é😀"', version: 1 },
        { collection: 'keys', id: 'k', version: 7 },
      ]);
    },
  ],
  [
    'an unsubscribed listener hears nothing more',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      const [one, two] = [subscriber(storage), subscriber(storage)];
      await tells(storage, [one, two], [insert('keys', fixtures.keys('before'))], [keyNotice('before')]);
      one.unsubscribe();
      one.unsubscribe();
      const heard = one.heard.length;
      await tells(storage, [two], [insert('keys', fixtures.keys('after'))], [keyNotice('after')]);
      assertEqual(one.heard.length, heard, 'the notices of the one that has left');
    },
  ],
  [
    'a write that failed is not told as one that was done',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      const one = subscriber(storage);
      const stale = replace('keys', fixtures.keys('missing', { version: 2 }), 1);
      await refused(storage, [insert('keys', fixtures.keys('undone')), stale], 1, 'stale');
      await tells(storage, [one], [insert('keys', fixtures.keys('done'))], [keyNotice('done')]);
      const others = one.heard.filter((notice) => notice !== undefined && notice.id !== 'done');
      assertEqual(others, [], 'the notices of what was not written');
    },
  ],
  [
    'a listener that throws does not fail the write',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      storage.subscribe(() => {
        throw new Error('This listener always throws.');
      });
      const other = subscriber(storage);
      await tells(storage, [other], [insert('keys', fixtures.keys('id'))], [keyNotice('id')]);
    },
  ],
  [
    'completeSince is undefined while nothing was let go',
    async (storage) => {
      assertEqual(await storage.completeSince('acc_a'), undefined, 'without a block');
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      assertEqual(await storage.completeSince('acc_a'), undefined, 'with a block');
    },
  ],
];

interface Subscriber {
  readonly heard: readonly (ChangeNotice | undefined)[];
  readonly unsubscribe: () => void;
  /** Resolves when the condition holds for what was heard; it is asked again with each notice. */
  until(condition: () => boolean, claim: string): Promise<void>;
}

function subscriber(storage: StorageAdapter): Subscriber {
  const heard: (ChangeNotice | undefined)[] = [];
  let look = (): void => {};
  const unsubscribe = storage.subscribe?.((notice) => {
    heard.push(notice);
    look();
  });
  assert(unsubscribe !== undefined, 'subscribe gives back how to end it');
  return {
    heard,
    unsubscribe,
    until: (condition, claim) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(claim)), DEADLINE_MS);
        look = () => {
          if (!condition()) return;
          clearTimeout(late);
          resolve();
        };
        look();
      }),
  };
}

/** Writes, and throws unless each subscriber hears of every record, or of anything, from then on. */
async function tells(
  storage: StorageAdapter,
  subscribers: readonly Subscriber[],
  steps: readonly Change[],
  notices: readonly ChangeNotice[],
): Promise<void> {
  const starts = subscribers.map(({ heard }) => heard.length);
  await written(storage, ...steps);
  for (const [at, { heard, until }] of subscribers.entries()) {
    for (const notice of notices) {
      const isTold = (): boolean =>
        heard.slice(starts[at]).some((told) => told === undefined || isSame(told, notice));
      await until(isTold, `Nobody was told of ${JSON.stringify(notice)}.`);
    }
  }
}

function isSame(a: ChangeNotice, b: ChangeNotice): boolean {
  return a.collection === b.collection && a.id === b.id && a.version === b.version;
}

function keyNotice(id: string): ChangeNotice {
  return { collection: 'keys', id, version: 1 };
}
