import { assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { instant, NOW } from '../fixtures.ts';
import { block, delta, files, flush, LATER, merge, merges, opened, WRITER, writerId } from './fixtures.ts';

export const writers: readonly Claim[] = [
  [
    'no writer is known at first',
    async (storage) => assertEqual(await storage.journal.writers(), [], 'them'),
  ],
  [
    'a writer that is opened is known, with nothing flushed',
    async (storage) => {
      await opened(storage);
      const opening = { id: WRITER, flushed: 0, merged: 0, seen_at: NOW };
      assertEqual(await storage.journal.writers(), [opening], 'the writers');
    },
  ],
  [
    'a writer that is known is not opened again, and nothing of it changes',
    async (storage) => {
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      await merges(storage, merge(0, 1));
      assertEqual(await storage.journal.open(WRITER, LATER), false, 'the second opening');
      const known = { id: WRITER, flushed: 1, merged: 1, seen_at: NOW };
      assertEqual(await storage.journal.writers(), [known], 'the writers');
    },
  ],
  [
    'of eight openings of one id at the same time one is true',
    async (storage) => {
      const openings = Array.from({ length: 8 }, () => storage.journal.open(WRITER, NOW));
      const results = await Promise.all(openings);
      assertEqual(results.filter((isNew) => isNew).length, 1, 'the number of true ones');
    },
  ],
  [
    'ids of writers that differ in the case of a letter are different, and all writers are listed',
    async (storage) => {
      const ids = [
        ...['Aa', 'aA', 'aa', 'AA'].map(writerId),
        ...Array.from({ length: 300 }, (_, at) => writerId(`W${at}x`)),
      ];
      await Promise.all(ids.map((id) => storage.journal.open(id, NOW)));
      const known = (await storage.journal.writers()).map(({ id }) => id).sort();
      assertEqual(known, [...ids].sort(), 'the writers');
    },
  ],
  [
    'the writers that have something to merge are listed by id, in pages, and no others',
    async (storage) => {
      const { journal } = storage;
      const ids = ['aa', 'Aa', 'b', 'c', 'idle', 'Z', '0'].map(writerId);
      const left = ids.filter((id) => id !== writerId('idle')).sort();
      for (const id of ids) await journal.open(id, NOW);
      assertEqual(await journal.unmerged({ limit: 10 }), [], 'the writers without a flush');
      for (const writer of left) {
        await files(storage, flush(3, [block(3, { writer })], { writer }));
        await merges(storage, merge(0, 2, { writer }));
      }
      const pages: string[][] = [];
      for (let after: string | undefined, isOver = false; !isOver; ) {
        const page = await journal.unmerged({ limit: 4, ...(after !== undefined && { after }) });
        pages.push(page.map(({ id }) => id));
        after = page.at(-1)?.id;
        isOver = page.length < 4;
      }
      assertEqual(pages, [left.slice(0, 4), left.slice(4)], 'the pages');
      const [first = ''] = left;
      const state = { id: first, flushed: 3, merged: 2, seen_at: NOW };
      assertEqual(await journal.unmerged({ limit: 1 }), [state], 'the first');
      for (const writer of left) await merges(storage, merge(2, 3, { writer }));
      assertEqual(await journal.unmerged({ limit: 10 }), [], 'the writers after their merge');
      await files(storage, flush(4, [], { writer: first }));
      assertEqual((await journal.unmerged({ limit: 10 })).length, 1, 'the writers after one more flush');
    },
  ],
  [
    'each flush and each merge notes when the writer was seen, and one that changes nothing does not',
    async (storage) => {
      const seen = async (flushed: number, merged: number, second: number): Promise<void> => {
        const expected = { id: WRITER, flushed, merged, seen_at: instant(second) };
        assertEqual(await storage.journal.writers(), [expected], `the writer after ${second} s`);
      };
      await opened(storage);
      await files(storage, flush(1, [block(1)], { at: instant(1) }));
      await seen(1, 0, 1);
      await files(storage, flush(4, [block(4)], { at: instant(2) }));
      await seen(4, 0, 2);
      await files(storage, flush(3, [block(3)], { at: instant(3) }), 'known');
      await seen(4, 0, 2);
      await merges(storage, merge(0, 3, { at: instant(4), rollups: [delta('ALLOW', 1)] }));
      await seen(4, 3, 4);
      assertEqual(await storage.journal.merge(merge(0, 3, { at: instant(5) })), false, 'a late merge');
      await seen(4, 3, 4);
    },
  ],
];
