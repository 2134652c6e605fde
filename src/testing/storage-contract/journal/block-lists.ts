import { type Block, type BlocksQuery, MAX_BLOCK_SPAN_MS } from '../../../ports/journal.ts';
import { assertEqual, assertRejects } from '../assertions.ts';
import type { Claim } from '../case.ts';
import {
  block,
  filesEach,
  headerOf,
  lists,
  NOW_MS,
  opened,
  readBlocks,
  WRITER,
  writerId,
} from './fixtures.ts';
import { NAMES, withNames } from './names.ts';

/** Writers, sorted by their bytes. */
const WRITERS = ['0a', '9', 'A', 'Z', 'a', 'z'].map(writerId);

/** Blocks that differ in every field of a query, several for each instant, in the order of a list. */
const varied: readonly Block[] = Array.from({ length: 60 }, (_, at) => {
  const records = at % 4;
  return block(Math.floor(at / 2) + 1, {
    writer: at % 2 === 0 ? writerId('one') : writerId('two'),
    to_ms: NOW_MS + Math.floor(at / 6) * 1_000,
    from_ms: NOW_MS + Math.floor(at / 6) * 1_000 - (at % 5) * 700,
    records,
    denied: [0, records, Math.min(1, records)][at % 3] ?? 0,
    flags: [1, 2, 3, 5, 6, 8, 12][at % 7] ?? 0,
    filter: withNames([32, 64, 4_096][at % 3] ?? 0, [NAMES[at % 3] ?? [], NAMES[at % 2] ?? []]),
  });
}).sort(
  (a, b) => b.to_ms - a.to_ms || (a.writer === b.writer ? 0 : a.writer < b.writer ? 1 : -1) || b.seq - a.seq,
);

const filters: readonly Partial<BlocksQuery>[] = [
  { from_ms: NOW_MS + 3_000 },
  { upto_ms: NOW_MS + 6_000 },
  { verdict: 'DENY' },
  { flags: 2 },
  { names: NAMES.slice(0, 1) },
];

const combinations: readonly Partial<BlocksQuery>[] = [
  ...Array.from({ length: 2 ** filters.length }, (_, set) =>
    Object.assign({}, ...filters.filter((_filter, at) => (set >> at) % 2 === 1)),
  ),
  { verdict: 'ALLOW' },
  ...[1, 3, 4, 8, 12, 15].map((flags) => ({ flags })),
  { names: NAMES.slice(0, 2) },
  { names: NAMES },
  { names: [] },
  { verdict: 'ALLOW', flags: 4, names: NAMES.slice(1, 2), upto_ms: NOW_MS + 7_000 },
];

export const blockLists: readonly Claim[] = [
  ['a journal without blocks lists none', async (storage) => lists(storage, {}, [])],
  [
    'blocks are listed by the end of their time, then by writer, then by seq, the highest first, however they came',
    async (storage) => {
      await opened(storage, ...[...WRITERS].reverse());
      const seqs = [1, 2, 9, 10, 11, 100];
      const equal = WRITERS.flatMap((writer) => seqs.map((seq) => block(seq, { writer })));
      await filesEach(storage, equal);
      const early = block(101, { writer: WRITERS[5] ?? '', to_ms: NOW_MS - 1 });
      const late = block(101, { writer: WRITERS[0] ?? '', to_ms: NOW_MS + 1, from_ms: NOW_MS - 9 });
      await filesEach(storage, [early, late]);
      await lists(storage, {}, [late, ...[...equal].reverse(), early]);
    },
  ],
  [
    'pages of any size are complete, also within one instant',
    async (storage) => {
      await opened(storage, ...WRITERS);
      const equal = Array.from({ length: 10 }, (_, at) => at + 1).flatMap((seq) =>
        WRITERS.map((writer) => block(seq, { writer })),
      );
      await filesEach(storage, equal);
      const order = WRITERS.flatMap((writer) => equal.filter((filed) => filed.writer === writer)).reverse();
      for (const limit of [1, 7, 59, 60, 61, 256]) await lists(storage, { limit }, order);
    },
  ],
  [
    'every combination of filters lists exactly what fits it, in complete pages',
    async (storage) => {
      await opened(storage, writerId('one'), writerId('two'));
      await filesEach(
        storage,
        [...varied].sort((a, b) => a.seq - b.seq),
      );
      for (const query of combinations) {
        const expected = varied.filter((filed) => fits(filed, query));
        await lists(storage, query, expected);
        await lists(storage, { ...query, limit: 4 }, expected);
      }
    },
  ],
  [
    'a block that ends at from_ms, or begins at upto_ms, is listed, and one a millisecond away is not',
    async (storage) => {
      await opened(storage);
      const filed = block(1, { from_ms: NOW_MS, to_ms: NOW_MS + 100 });
      await filesEach(storage, [filed]);
      for (const query of [
        { from_ms: NOW_MS + 100 },
        { upto_ms: NOW_MS },
        { from_ms: NOW_MS + 50, upto_ms: NOW_MS + 50 },
        { from_ms: NOW_MS + 100, upto_ms: NOW_MS },
        { from_ms: 0, upto_ms: 253_402_300_799_999 },
      ]) {
        await lists(storage, query, [filed]);
      }
      for (const query of [{ from_ms: NOW_MS + 101 }, { upto_ms: NOW_MS - 1 }]) {
        await lists(storage, query, []);
      }
    },
  ],
  [
    'a block of the longest time is found by each end of it, behind others that end between',
    async (storage) => {
      await opened(storage);
      const end = NOW_MS + MAX_BLOCK_SPAN_MS;
      const longest = block(1, { from_ms: NOW_MS, to_ms: end });
      const others = [2, 3, 4].map((seq) => block(seq, { to_ms: end - seq }));
      await filesEach(storage, [longest, ...others]);
      await lists(storage, { upto_ms: NOW_MS }, [longest]);
      await lists(storage, { upto_ms: NOW_MS, limit: 1 }, [longest]);
      await lists(storage, { from_ms: end }, [longest]);
      await lists(storage, { upto_ms: end - 3 }, [longest, ...others.slice(1)]);
    },
  ],
  [
    'a block with verdicts of both kinds fits both, one without records neither',
    async (storage) => {
      await opened(storage);
      const [none, allow, both, deny] = [
        block(1, { records: 0, flags: 8 }),
        block(2, { records: 5 }),
        block(3, { records: 5, denied: 4 }),
        block(4, { records: 5, denied: 5 }),
      ] as const;
      await filesEach(storage, [none, allow, both, deny]);
      await lists(storage, { verdict: 'ALLOW' }, [both, allow]);
      await lists(storage, { verdict: 'DENY' }, [deny, both]);
      await lists(storage, {}, [deny, both, allow, none]);
      await lists(storage, { flags: 8 }, [none]);
    },
  ],
  [
    'a list goes on after a place that was never stored',
    async (storage) => {
      await opened(storage);
      const blocks = [1, 2, 3].map((seq) => block(seq * 2, { to_ms: NOW_MS + seq * 10 }));
      await filesEach(storage, blocks);
      const [first, second, third] = blocks;
      const after = (to_ms: number, writer: string, seq: number) => ({ after: { to_ms, writer, seq } });
      const all = [third, second, first].filter((filed) => filed !== undefined);
      await lists(storage, after(NOW_MS + 99, writerId('0'), 1), all);
      await lists(storage, after(NOW_MS + 30, WRITER, 7), all);
      await lists(storage, after(NOW_MS + 30, writerId('z'), 1), all);
      await lists(storage, after(NOW_MS + 30, WRITER, 6), all.slice(1));
      await lists(storage, after(NOW_MS + 30, WRITER, 5), all.slice(1));
      await lists(storage, after(NOW_MS + 30, writerId('A'), 9), all.slice(1));
      await lists(storage, after(NOW_MS + 25, WRITER, 1), all.slice(1));
      await lists(storage, { ...after(NOW_MS + 25, WRITER, 1), upto_ms: NOW_MS + 10 }, all.slice(2));
      await lists(storage, after(NOW_MS + 10, WRITER, 2), []);
      await lists(storage, after(0, WRITER, 2), []);
    },
  ],
  [
    'pages are complete while blocks are filed',
    async (storage) => {
      await opened(storage, ...WRITERS, WRITER);
      const filed = WRITERS.flatMap((writer) => [1, 2, 3, 4].map((seq) => block(seq, { writer })));
      await filesEach(storage, filed);
      let seq = 0;
      const disturb = async (): Promise<void> => {
        seq += 1;
        await filesEach(storage, [block(seq, { to_ms: NOW_MS + seq })]);
      };
      assertEqual(
        await readBlocks(storage, { limit: 5 }, disturb),
        [...filed].reverse().map(headerOf),
        'the pages',
      );
    },
  ],
  [
    'the blocks of an account are its own',
    async (storage) => {
      await opened(storage);
      const mine = block(1);
      const theirs = block(2, { account_id: 'acc_b' });
      await filesEach(storage, [mine, theirs]);
      await lists(storage, {}, [mine]);
      await lists(storage, { account_id: 'acc_b' }, [theirs]);
      for (const account_id of ['acc_c', 'ACC_A', 'acc_', '', 'acc_a%', '%']) {
        await lists(storage, { account_id }, []);
      }
    },
  ],
  [
    'what hardly any block fits is found whole, however many others there are',
    async (storage) => {
      await opened(storage);
      const rare = [1, 311, 620];
      const many = Array.from({ length: 620 }, (_, at) => {
        const seq = at + 1;
        const fields = rare.includes(seq) ? { flags: 2, denied: 1, filter: withNames(32, NAMES) } : {};
        return block(seq, { to_ms: NOW_MS + Math.floor(at / 3), ...fields });
      });
      await filesEach(storage, many);
      const expected = [...many].reverse().filter(({ seq }) => rare.includes(seq));
      for (const query of [{ flags: 2 }, { verdict: 'DENY' as const }, { names: NAMES }]) {
        for (const limit of [1, 3, 256]) await lists(storage, { ...query, limit }, expected);
      }
      await lists(storage, { limit: 100 }, [...many].reverse());
      await lists(storage, { flags: 4 }, []);
    },
  ],
  [
    'limits of a list outside of 1 to 256 reject',
    async (storage) => {
      for (const limit of [0, -1, 257, Number.NaN]) {
        await assertRejects(storage.journal.blocks({ account_id: 'acc_a', limit }), `the limit ${limit}`);
      }
    },
  ],
];

function fits(filed: Block, { from_ms, upto_ms, verdict, flags, names }: Partial<BlocksQuery>): boolean {
  const { records, denied } = filed;
  return (
    (from_ms === undefined || filed.to_ms >= from_ms) &&
    (upto_ms === undefined || filed.from_ms <= upto_ms) &&
    (verdict === undefined || (verdict === 'DENY' ? denied > 0 : records > denied)) &&
    (flags === undefined || (filed.flags & flags) !== 0) &&
    (names ?? []).every((hashes) => mayHold(filed.filter, hashes))
  );
}

function mayHold(filter: Uint8Array, hashes: readonly number[]): boolean {
  return hashes.every((hash) => {
    const bit = hash % (8 * filter.length);
    return (((filter[Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1) === 1;
  });
}
