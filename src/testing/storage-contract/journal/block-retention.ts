import { type Block, MAX_PURGED_BLOCKS } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assert, assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { instant, NOW } from '../fixtures.ts';
import {
  block,
  delta,
  files,
  filesEach,
  flush,
  lists,
  loads,
  merge,
  merges,
  NOW_MS,
  nameOf,
  opened,
  WRITER,
  writerHas,
  writerId,
} from './fixtures.ts';
import { isUnmerged, sumsUp } from './sums-fixtures.ts';

async function purgeAll(storage: StorageAdapter, before: string): Promise<number> {
  let removed = 0;
  for (let rounds = 0; rounds < 1_000; rounds += 1) {
    const number = await storage.purge('verdicts', before);
    if (number === 0) return removed;
    removed += number;
  }
  throw new Error('The purge does not end.');
}

export const blockRetention: readonly Claim[] = [
  [
    'purge removes the merged blocks that ended before the instant, of every account, and says how many records',
    async (storage) => {
      await opened(storage);
      const old = [-7_200, -60, -0.001].map((second, at) =>
        block(at + 1, { to_ms: NOW_MS + second * 1_000, records: at + 2, account_id: `acc_${at % 2}` }),
      );
      const around = block(4, { from_ms: NOW_MS - 9_000, to_ms: NOW_MS, account_id: 'acc_0' });
      const later = block(5, { to_ms: NOW_MS + 1, account_id: 'acc_1' });
      await filesEach(storage, [...old, around, later]);
      await merges(storage, merge(0, 5, { rollups: [delta('ALLOW', 9)] }));
      assertEqual(await storage.purge('verdicts', NOW), 9, 'the number removed');
      assertEqual(
        await storage.journal.load([...old, around].map(nameOf)),
        [undefined, undefined, undefined, around],
        'them',
      );
      await lists(storage, { account_id: 'acc_0' }, [around]);
      await lists(storage, { account_id: 'acc_1' }, [later]);
      const filed = await storage.journal.filed({ writer: WRITER, from: 0, to: 9, limit: 9 });
      assertEqual(
        filed.map(({ seq }) => seq),
        [4, 5],
        'what was filed',
      );
      assertEqual(await storage.purge('verdicts', NOW), 0, 'the number removed by the next');
      await sumsUp(storage, {}, [{ key: 'ALLOW', count: 9 }]);
    },
  ],
  [
    'a block without records counts one',
    async (storage) => {
      await opened(storage);
      await filesEach(
        storage,
        [1, 2, 3].map((seq) => block(seq, { records: 0, flags: 8 })),
      );
      await merges(storage, merge(0, 3));
      assertEqual(await storage.purge('verdicts', instant(1)), 3, 'the number removed');
      await lists(storage, {}, []);
    },
  ],
  [
    'purge leaves what is not merged, however old, and removes it once it is',
    async (storage) => {
      await opened(storage);
      const blocks = [1, 2, 3].map((seq) => block(seq, { to_ms: NOW_MS - seq * 1_000_000 }));
      await filesEach(storage, blocks);
      assertEqual(await purgeAll(storage, instant(9)), 0, 'while nothing is merged');
      await merges(storage, merge(0, 2));
      assertEqual(await purgeAll(storage, instant(9)), 2, 'when two are merged');
      await lists(storage, {}, blocks.slice(2));
      await isUnmerged(storage, blocks.slice(2));
      await writerHas(storage, 3, 2);
      await merges(storage, merge(2, 3));
      assertEqual(await purgeAll(storage, instant(9)), 1, 'when all are merged');
      await lists(storage, {}, []);
    },
  ],
  [
    'purge removes at most 50 blocks at a time, and in the end all that are old, also behind many that are not merged',
    async (storage) => {
      const ids = ['behind', 'merged'].map(writerId);
      await opened(storage, ...ids);
      const accounts = Array.from({ length: 130 }, (_, at) => `acc_${at}`);
      const [behind = '', merged = ''] = ids;
      const of = (writer: string): readonly Block[] =>
        accounts.map((account_id, at) => block(1, { writer, account_id, records: 3, to_ms: NOW_MS + at }));
      for (const writer of ids) await files(storage, flush(1, of(writer), { writer }));
      await merges(storage, merge(0, 1, { writer: merged }));
      let removed = 0;
      for (let number = 1; number > 0; removed += number) {
        number = await storage.purge('verdicts', instant(60));
        assert(number <= 3 * MAX_PURGED_BLOCKS, `${number} records were removed at a time`);
      }
      assertEqual(removed, 390, 'the number of them all');
      await loads(storage, of(behind).slice(100, 116));
    },
  ],
  [
    'a purge of writers forgets those that were not seen since and have nothing left to merge',
    async (storage) => {
      const at = instant(-60);
      const ids = ['idle', 'done', 'left', 'seen', 'edge'].map(writerId);
      const [idle = '', done = '', left = '', seen = '', edge = ''] = ids;
      for (const id of ids) assertEqual(await storage.journal.open(id, at), true, `the opening of ${id}`);
      for (const writer of [done, left, seen]) {
        await files(storage, flush(1, [block(1, { writer, to_ms: NOW_MS - 70_000 })], { writer, at }));
      }
      await merges(storage, merge(0, 1, { writer: done, at }));
      await merges(storage, merge(0, 1, { writer: seen, at: NOW }));
      await files(storage, flush(1, [], { writer: edge, at: NOW }));
      await merges(storage, merge(0, 1, { writer: edge, at: NOW }));
      assertEqual(await purgeAll(storage, NOW), 2, 'the number of records');
      assertEqual((await storage.journal.writers()).length, 5, 'the writers after a purge of verdicts');
      assertEqual(await storage.purge('writers', NOW), 2, 'the number of writers');
      assertEqual(await storage.purge('writers', NOW), 0, 'the number of others');
      const known = (await storage.journal.writers()).map(({ id }) => id).sort();
      assertEqual(known, [edge, left, seen].sort(), 'the writers');
      for (const writer of [idle, done]) {
        await files(storage, flush(2, [block(2, { writer })], { writer }), 'unknown_writer');
      }
      await lists(storage, {}, [block(1, { writer: left, to_ms: NOW_MS - 70_000 })]);
    },
  ],
  [
    'a flush that comes while its writer is forgotten is stored to be merged, or is of an unknown writer',
    async (storage) => {
      const ids = Array.from({ length: 10 }, (_, at) => writerId(`W${at}x`));
      for (const id of ids) {
        const isOpened = await storage.journal.open(id, instant(-900));
        assert(isOpened, `the opening of ${id}`);
      }
      const blocks = ids.map((writer) => block(1, { writer }));
      const [results] = await Promise.all([
        Promise.all(
          blocks.map((given) => storage.journal.file(flush(1, [given], { writer: given.writer, at: NOW }))),
        ),
        storage.purge('writers', instant(-600)),
        storage.purge('writers', instant(-600)),
      ]);
      const isFiled = (_: unknown, at: number): boolean => results[at] === 'filed';
      await isUnmerged(storage, blocks.filter(isFiled));
      assertEqual(
        results.filter((result) => result !== 'filed' && result !== 'unknown_writer'),
        [],
        'other results',
      );
      await storage.purge('writers', instant(-600));
      const known = (await storage.journal.writers()).map(({ id }) => id).sort();
      assertEqual(known, ids.filter(isFiled), 'the writers that are known');
    },
  ],
  [
    'a flush that was purged and comes again is known',
    async (storage) => {
      await opened(storage);
      const given = flush(1, [block(1, { to_ms: NOW_MS - 1 })]);
      await files(storage, given);
      await merges(storage, merge(0, 1));
      assertEqual(await storage.purge('verdicts', NOW), 1, 'the number removed');
      await files(storage, given, 'known');
      await lists(storage, {}, []);
    },
  ],
  [
    'purges at the same time remove each block once',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: 40 }, (_, at) =>
        block(1, { account_id: `acc_${at}`, records: 5, to_ms: NOW_MS - at }),
      );
      await files(storage, flush(1, blocks));
      await merges(storage, merge(0, 1));
      const numbers = await Promise.all(
        Array.from({ length: 4 }, () => storage.purge('verdicts', instant(1))),
      );
      assertEqual(
        numbers.reduce((sum, number) => sum + number, 0),
        200,
        'the number removed',
      );
    },
  ],
];
