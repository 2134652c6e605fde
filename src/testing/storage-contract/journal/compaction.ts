import { BLOCK_FLAGS, type Block, type BlockHeader } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assert, assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { instant, NOW } from '../fixtures.ts';
import {
  block,
  bytesOf,
  delta,
  files,
  filesEach,
  flush,
  headerOf,
  lists,
  loads,
  merge,
  merges,
  NOW_MS,
  nameOf,
  opened,
  readBlocks,
  WRITER,
  writerHas,
  writerId,
} from './fixtures.ts';
import { isUnmerged, sumsUp } from './sums-fixtures.ts';

const BLOCKS = [1, 2, 3, 4].map((seq) => block(seq, { to_ms: NOW_MS + seq * 10, records: seq }));

const INTO: Block = block(3, {
  from_ms: NOW_MS + 10,
  to_ms: NOW_MS + 30,
  records: 6,
  denied: 2,
  flags: 3,
  filter: bytesOf('filter', 128),
  data: bytesOf('into', 3_000),
});

async function prepare(storage: StorageAdapter, merged: number): Promise<void> {
  await opened(storage);
  await filesEach(storage, BLOCKS);
  await merges(storage, merge(0, merged, { rollups: [delta('ALLOW', merged)] }));
}

async function refuses(
  storage: StorageAdapter,
  names: readonly BlockHeader[],
  into: Block,
  why: string,
): Promise<void> {
  const isDone = await storage.journal.compact(names, into).catch(() => false);
  assertEqual(isDone, false, why);
  await loads(storage, BLOCKS);
  await lists(storage, {}, [...BLOCKS].reverse());
}

const names = BLOCKS.slice(0, 3).map(headerOf);

export const compaction: readonly Claim[] = [
  [
    'blocks that are merged are replaced by one of the name of one of them, wherever blocks are read',
    async (storage) => {
      await prepare(storage, 4);
      const [first, second, third, fourth] = BLOCKS;
      assert(fourth !== undefined, 'there are four');
      assertEqual(await storage.journal.compact(names, INTO), true, 'the compaction');
      const all = [first, second, third, fourth].flatMap((given) => given ?? []).map(nameOf);
      assertEqual(await storage.journal.load(all), [undefined, undefined, INTO, fourth], 'the blocks');
      await lists(storage, {}, [fourth, INTO]);
      await lists(storage, { verdict: 'DENY' }, [INTO]);
      await lists(storage, { upto_ms: NOW_MS + 10 }, [INTO]);
      await lists(storage, { flags: 2 }, [INTO]);
      const filed = await storage.journal.filed({ writer: WRITER, from: 0, to: 9, limit: 9 });
      assertEqual(
        filed.map(({ seq, records }) => [seq, records]),
        [
          [3, 6],
          [4, 4],
        ],
        'what was filed',
      );
      await isUnmerged(storage, []);
      await sumsUp(storage, {}, [{ key: 'ALLOW', count: 4 }]);
      await writerHas(storage, 4, 4);
    },
  ],
  [
    'the one block may have the name of the first, and one block may replace itself',
    async (storage) => {
      await prepare(storage, 4);
      const into = { ...INTO, seq: 1 };
      assertEqual(await storage.journal.compact(names, into), true, 'the compaction');
      const [, , , fourth] = BLOCKS;
      assert(fourth !== undefined, 'there are four');
      await lists(storage, {}, [fourth, into]);
      const again = { ...fourth, data: bytesOf('again', 5), records: 3 };
      assertEqual(await storage.journal.compact([fourth], again), true, 'the other');
      await lists(storage, {}, [again, into]);
      await loads(storage, [into, again]);
    },
  ],
  [
    '60 blocks, named in any order, become one of 200 kB',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: 60 }, (_, at) => block(at + 1, { to_ms: NOW_MS + at }));
      await filesEach(storage, blocks);
      await merges(storage, merge(0, 60));
      const into = { ...block(60, { to_ms: NOW_MS + 59 }), data: bytesOf('all', 200_000) };
      const shuffled = [...blocks].sort((a, b) => ((a.seq * 37) % 61) - ((b.seq * 37) % 61));
      assertEqual(await storage.journal.compact(shuffled, into), true, 'the compaction');
      await lists(storage, {}, [into]);
      await loads(storage, [into]);
    },
  ],
  [
    'a block that became final is not compacted, nor are those beside it',
    async (storage) => {
      await prepare(storage, 4);
      const into = { ...INTO, flags: INTO.flags + BLOCK_FLAGS.final };
      assertEqual(await storage.journal.compact(names, into), true, 'the compaction');
      const fourth = BLOCKS.slice(3);
      const again = { ...into, seq: 4, to_ms: NOW_MS + 40 };
      assertEqual(await storage.journal.compact([into, ...fourth], again), false, 'both');
      assertEqual(await storage.journal.compact([into], INTO), false, 'it alone');
      await lists(storage, {}, [...fourth, into]);
    },
  ],
  [
    'what was compacted is compacted again',
    async (storage) => {
      await prepare(storage, 4);
      assertEqual(await storage.journal.compact(names, INTO), true, 'the first');
      const [, , , fourth] = BLOCKS;
      assert(fourth !== undefined, 'there are four');
      const into = { ...INTO, seq: 4, records: 10, to_ms: NOW_MS + 40 };
      const both = [INTO, fourth];
      assertEqual(await storage.journal.compact(both, into), true, 'the second');
      await lists(storage, {}, [into]);
      assertEqual(await storage.journal.compact(both, into), false, 'the second again');
      await loads(storage, [into]);
    },
  ],
  [
    'a block that is not merged is not compacted',
    async (storage) => {
      await prepare(storage, 2);
      await refuses(storage, names, INTO, 'the last of them is not merged');
      await refuses(storage, names.slice(2), INTO, 'the only one is not merged');
      await isUnmerged(storage, BLOCKS.slice(2));
      await merges(storage, merge(2, 3));
      assertEqual(await storage.journal.compact(names, INTO), true, 'once it is merged');
    },
  ],
  [
    'a block that is not stored is not compacted, nor are those beside it',
    async (storage) => {
      await prepare(storage, 4);
      const absent = block(2, { account_id: 'acc_b' });
      await refuses(storage, [...names, { ...absent, seq: 9, account_id: 'acc_a' }], INTO, 'another seq');
      await refuses(storage, [...names, absent], INTO, 'another account');
      await refuses(storage, [{ ...absent, writer: writerId('x') }, ...names], INTO, 'another writer');
    },
  ],
  [
    'a block that has changed since its header was read is not compacted, nor are those beside it',
    async (storage) => {
      await prepare(storage, 4);
      const changed = block(2, { to_ms: NOW_MS + 20, records: 1 });
      const [first, second, third] = BLOCKS.map(headerOf);
      assert(first !== undefined && second !== undefined && third !== undefined, 'there are three');
      for (const field of ['from_ms', 'to_ms', 'records', 'denied', 'flags'] as const) {
        const other = { ...second, [field]: second[field] + 1 };
        await refuses(storage, [first, other, third], INTO, `another ${field}`);
      }
      const rewriting = { found: BLOCKS[1] ?? changed, into: changed, rollups: [] };
      assertEqual(await storage.journal.rewrite(rewriting), true, 'the rewriting');
      assertEqual(await storage.journal.compact(names, INTO), false, 'the header from before it');
      assertEqual(await storage.journal.compact([first, changed, third], INTO), true, 'its own header');
    },
  ],
  [
    'blocks are compacted into one of their names alone',
    async (storage) => {
      await prepare(storage, 4);
      await refuses(storage, names, { ...INTO, seq: 4 }, 'the name of a block beside them');
      await refuses(storage, names, { ...INTO, seq: 5 }, 'a name that is not stored');
      await refuses(storage, names, { ...INTO, account_id: 'acc_b' }, 'the name of another account');
    },
  ],
  [
    'blocks of other accounts and writers are left as they are',
    async (storage) => {
      await prepare(storage, 4);
      const writer = writerId('other');
      await opened(storage, writer);
      const theirs = ['acc_a', 'acc_b'].map((account_id) => block(3, { writer, account_id }));
      await files(storage, flush(3, theirs, { writer }));
      const mine = block(5, { account_id: 'acc_b' });
      await files(storage, flush(5, [mine]));
      assertEqual(await storage.journal.compact(names, INTO), true, 'the compaction');
      await loads(storage, [...theirs, mine, INTO]);
      await lists(storage, { account_id: 'acc_b' }, [mine, ...theirs.slice(1)].sort(byWriter));
    },
  ],
  [
    'blocks of a writer that is not known any more are merged: they are compacted and not counted',
    async (storage) => {
      await opened(storage);
      const [first, second] = [1, 2].map((seq) => block(seq));
      assert(first !== undefined && second !== undefined, 'there are two');
      for (const given of [first, second])
        await files(storage, flush(given.seq, [given], { at: instant(-900) }));
      await merges(storage, merge(0, 2, { at: instant(-900) }));
      await storage.purge('writers', instant(-600));
      assertEqual(await storage.journal.writers(), [], 'the writers');
      await lists(storage, {}, [second, first]);
      await isUnmerged(storage, []);
      const into = { ...second, records: 2, data: bytesOf('both', 80) };
      assertEqual(await storage.journal.compact([first, second], into), true, 'the compaction');
      await lists(storage, {}, [into]);
      await files(storage, flush(3, [block(3)]), 'unknown_writer');
      await isUnmerged(storage, []);
    },
  ],
  [
    'of eight compactions of the same blocks at the same time one is done',
    async (storage) => {
      await prepare(storage, 4);
      const results = await Promise.all(
        Array.from({ length: 8 }, () => storage.journal.compact(names, INTO)),
      );
      assertEqual(results.filter((isDone) => isDone).length, 1, 'the number of them');
      await loads(storage, [INTO]);
    },
  ],
  [
    'of a compaction and a purge of the same blocks at the same time one has them all',
    async (storage) => {
      await opened(storage);
      for (let round = 0; round < 6; round += 1) {
        const account_id = `acc_${round}`;
        const blocks = [1, 2, 3].map((at) => block(round * 3 + at, { account_id, to_ms: NOW_MS - at }));
        await filesEach(storage, blocks);
        await merges(storage, merge(round * 3, round * 3 + 3));
        const into = { ...block(round * 3 + 3, { account_id, to_ms: NOW_MS - 1 }), records: 3 };
        const [isDone, removed] = await Promise.all([
          storage.journal.compact(blocks, into),
          storage.purge('verdicts', NOW),
        ]);
        const left = await readBlocks(storage, { account_id });
        assertEqual(countOf(left) + removed, 3, 'what was removed and what is left');
        if (!isDone) assertEqual(removed, 3, 'what was removed where nothing was compacted');
        await storage.purge('verdicts', NOW);
        assertEqual(
          await storage.journal.load(blocks.map(nameOf)),
          Array(3).fill(undefined),
          'them in the end',
        );
      }
    },
  ],
  [
    'no reader sees a record twice, or misses one, while blocks are compacted',
    async (storage) => {
      await opened(storage);
      for (let round = 0; round < 6; round += 1) {
        const account_id = `acc_${round}`;
        const blocks = Array.from({ length: 8 }, (_, at) => block(round * 8 + at + 1, { account_id }));
        await filesEach(storage, blocks);
        await merges(storage, merge(round * 8, round * 8 + 8));
        const last = blocks[7];
        assert(last !== undefined, 'there are eight');
        const into = { ...last, records: 8, data: bytesOf(account_id, 900) };
        const compacting = storage.journal.compact(blocks, into);
        for (let read = 0; read < 4; read += 1) {
          const listed = await readBlocks(storage, { account_id });
          assertEqual(countOf(listed), 8, 'the records of the blocks that are listed');
          const loaded = await storage.journal.load(blocks.map(nameOf));
          assertEqual(countOf(loaded.flatMap((found) => found ?? [])), 8, 'the records that are loaded');
        }
        assertEqual(await compacting, true, 'the compaction');
        await lists(storage, { account_id }, [into]);
      }
    },
  ],
];

function countOf(headers: readonly { readonly records: number }[]): number {
  return headers.reduce((sum, { records }) => sum + records, 0);
}

function byWriter(a: Block, b: Block): number {
  return a.writer < b.writer ? 1 : -1;
}
