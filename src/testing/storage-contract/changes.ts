import { WATCHED_COLLECTIONS } from '../../ports/notices.ts';
import type { Change, ChangeNotice, StorageAdapter } from '../../ports/storage.ts';
import { assert, assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { fixtures, insert, refused, remove, replace, written } from './fixtures.ts';
import { block, files, flush, opened } from './journal/fixtures.ts';

/** The maximum wait for a notice in milliseconds, much longer than a notice should take. */
const DEADLINE_MS = 15_000;

export const changes: readonly Claim[] = [
  ...WATCHED_COLLECTIONS.map(
    (collection): Claim => [
      `every subscriber is notified of a write to ${collection}, where the storage has subscribe`,
      async (storage) => {
        if (storage.subscribe === undefined) return;
        const both = [subscriber(storage), subscriber(storage)];
        const record = fixtures[collection]('id');
        const noticeOf = (version: number) => ({ collection, id: 'id', version });
        await notifies(storage, both, [insert(collection, record)], [noticeOf(1)]);
        await notifies(storage, both, [replace(collection, { ...record, version: 2 }, 1)], [noticeOf(2)]);
        await notifies(storage, both, [remove(collection, 'id', 2)], [noticeOf(3)]);
      },
    ],
  ),
  [
    'subscribers are notified of every watched record of one write',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      const steps = [
        insert('domains', fixtures.domains('d')),
        insert('passports', fixtures.passports('é😀"')),
        insert('keys', fixtures.keys('k', { version: 7 })),
      ];
      await notifies(storage, [subscriber(storage)], steps, [
        { collection: 'passports', id: 'é😀"', version: 1 },
        { collection: 'keys', id: 'k', version: 7 },
      ]);
    },
  ],
  [
    'an unsubscribed listener is not called any more',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      const [one, two] = [subscriber(storage), subscriber(storage)];
      await notifies(storage, [one, two], [insert('keys', fixtures.keys('before'))], [keyNotice('before')]);
      one.unsubscribe();
      one.unsubscribe();
      const received = one.received.length;
      await notifies(storage, [two], [insert('keys', fixtures.keys('after'))], [keyNotice('after')]);
      assertEqual(one.received.length, received, 'the notices of the one that has left');
    },
  ],
  [
    'subscribers are not notified of a write that failed',
    async (storage) => {
      if (storage.subscribe === undefined) return;
      const one = subscriber(storage);
      const stale = replace('keys', fixtures.keys('missing', { version: 2 }), 1);
      await refused(storage, [insert('keys', fixtures.keys('undone')), stale], 1, 'stale');
      await notifies(storage, [one], [insert('keys', fixtures.keys('done'))], [keyNotice('done')]);
      const others = one.received.filter((notice) => notice !== undefined && notice.id !== 'done');
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
      await notifies(storage, [other], [insert('keys', fixtures.keys('id'))], [keyNotice('id')]);
    },
  ],
  [
    'completeSince is undefined while nothing was removed',
    async (storage) => {
      assertEqual(await storage.journal.completeSince('acc_a'), undefined, 'without a block');
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      assertEqual(await storage.journal.completeSince('acc_a'), undefined, 'with a block');
    },
  ],
];

interface Subscriber {
  readonly received: readonly (ChangeNotice | undefined)[];
  readonly unsubscribe: () => void;
  /** Resolves when the condition is true for the received notices. Each notice triggers a new check. */
  until(condition: () => boolean, claim: string): Promise<void>;
}

function subscriber(storage: StorageAdapter): Subscriber {
  const received: (ChangeNotice | undefined)[] = [];
  let look = (): void => {};
  const unsubscribe = storage.subscribe?.((notice) => {
    received.push(notice);
    look();
  });
  assert(unsubscribe !== undefined, 'subscribe gives back how to end it');
  return {
    received,
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

/**
 * Writes the steps. Throws unless each subscriber then gets a notice for every record, or a notice of unknown changes.
 */
async function notifies(
  storage: StorageAdapter,
  subscribers: readonly Subscriber[],
  steps: readonly Change[],
  notices: readonly ChangeNotice[],
): Promise<void> {
  const starts = subscribers.map(({ received }) => received.length);
  await written(storage, ...steps);
  for (const [at, { received, until }] of subscribers.entries()) {
    for (const notice of notices) {
      const isTold = (): boolean =>
        received.slice(starts[at]).some((one) => one === undefined || isSame(one, notice));
      await until(isTold, `No listener was notified of ${JSON.stringify(notice)}.`);
    }
  }
}

function isSame(a: ChangeNotice, b: ChangeNotice): boolean {
  return a.collection === b.collection && a.id === b.id && a.version === b.version;
}

function keyNotice(id: string): ChangeNotice {
  return { collection: 'keys', id, version: 1 };
}
