import type { Block, BlockHeader, FiledQuery } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assert, assertEqual, assertRejects } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { block, files, flush, headerOf, opened, WRITER, writerId } from './fixtures.ts';

/** Account ids, sorted by their bytes. JavaScript sorts them in another order. */
const ACCOUNTS = ['', 'A', 'B', 'a', 'acc_1', 'acc_10', 'acc_2', 'a\u0301', '\u00e9', '\uffff', '\u{10000}'];

async function readFiled(
  storage: StorageAdapter,
  query: Omit<FiledQuery, 'writer'>,
): Promise<readonly BlockHeader[]> {
  const found: BlockHeader[] = [];
  for (let after = query.after; ; ) {
    const page = await storage.journal.filed({
      writer: WRITER,
      ...query,
      ...(after !== undefined && { after }),
    });
    assert(page.length <= query.limit, `a page of ${page.length} where ${query.limit} were asked for`);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < query.limit) return found;
    assert(found.length < 10_000, 'the pages do not end');
    after = { seq: last.seq, account_id: last.account_id };
  }
}

async function filed(
  storage: StorageAdapter,
  query: Partial<FiledQuery>,
  expected: readonly Block[],
): Promise<void> {
  assertEqual(
    await readFiled(storage, { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 256, ...query }),
    expected.map(headerOf),
    `the blocks of ${JSON.stringify(query)}`,
  );
}

export const filedLists: readonly Claim[] = [
  [
    'a writer that has filed nothing, or is not known, has no blocks',
    async (storage) => {
      await filed(storage, {}, []);
      await opened(storage);
      await filed(storage, {}, []);
    },
  ],
  [
    'the blocks of a writer are listed by seq, then by the bytes of the account, in pages of any size',
    async (storage) => {
      await opened(storage, WRITER, writerId('other'));
      const seqs = [1, 2, 3, 9, 10, 11];
      const all = seqs.flatMap((seq) =>
        ACCOUNTS.map((account_id, at) => block(seq, { account_id, to_ms: 1_000 * (seq + at) })),
      );
      for (const seq of seqs) {
        const blocks = all.filter((given) => given.seq === seq);
        const shuffled = [...blocks].sort((a, b) => ((a.to_ms * 7_919) % 13) - ((b.to_ms * 7_919) % 13));
        await files(storage, flush(seq, shuffled));
        const theirs = block(seq, { writer: writerId('other') });
        await files(storage, flush(seq, [theirs], { writer: writerId('other') }));
      }
      for (const limit of [1, 7, 66, 256]) await filed(storage, { limit }, all);
      const between = (from: number, to: number): readonly Block[] =>
        all.filter(({ seq }) => seq > from && seq <= to);
      for (const [from, to] of [
        [0, 1],
        [1, 10],
        [2, 9],
        [3, 8],
        [11, 99],
        [5, 5],
        [10, 1],
      ] as const) {
        for (const limit of [5, 256]) await filed(storage, { from, to, limit }, between(from, to));
      }
    },
  ],
  [
    'a list of what was filed goes on after a place that is not stored, and never leaves its range',
    async (storage) => {
      await opened(storage);
      const all = [1, 3].flatMap((seq) => ['acc_b', 'acc_d'].map((account_id) => block(seq, { account_id })));
      await files(storage, flush(1, all.slice(0, 2)));
      await files(storage, flush(3, all.slice(2)));
      await filed(storage, { after: { seq: 1, account_id: 'acc_c' } }, all.slice(1));
      await filed(storage, { after: { seq: 2, account_id: 'acc_a' } }, all.slice(2));
      await filed(storage, { after: { seq: 3, account_id: 'acc_d' } }, []);
      await filed(storage, { from: 1, after: { seq: 0, account_id: '' } }, all.slice(2));
      await filed(storage, { to: 2, after: { seq: 1, account_id: 'acc_b' } }, all.slice(1, 2));
    },
  ],
  [
    'limits of what was filed outside of 1 to 256 reject',
    async (storage) => {
      for (const limit of [0, -1, 257, Number.NaN]) {
        await assertRejects(
          storage.journal.filed({ writer: WRITER, from: 0, to: 9, limit }),
          `the limit ${limit}`,
        );
      }
    },
  ],
];
