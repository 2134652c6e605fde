import { MAX_FLUSHED_BLOCKS, MAX_LISTED_BLOCKS } from '../../../ports/journal.ts';
import { assert, assertEqual, assertRejects } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { lookalikes, names, texts } from '../hostile-data.ts';
import {
  block,
  bytesOf,
  files,
  filesEach,
  flush,
  lists,
  loads,
  nameOf,
  opened,
  WRITER,
  writerHas,
  writerId,
} from './fixtures.ts';
import { isUnmerged } from './sums-fixtures.ts';

const EVERY_BYTE = Uint8Array.from({ length: 512 }, (_, at) => at % 256);

const roundTrips: readonly Claim[] = [
  ...Object.entries({
    'no byte': new Uint8Array(0),
    'each byte there is': EVERY_BYTE,
    'zeros alone': new Uint8Array(300),
    '0xff alone': new Uint8Array(300).fill(0xff),
    'bytes that are no UTF-8': Uint8Array.of(0xc3, 0x28, 0xed, 0xa0, 0x80, 0xfe, 0x00, 0x5c, 0x78, 0x27),
    '200 kB': bytesOf('200 kB', 200_000),
    '1.5 MB': bytesOf('1.5 MB', 1_500_000),
  }).map(
    ([what, data]): Claim => [
      `a block comes back byte for byte: ${what}`,
      async (storage) => {
        await opened(storage);
        const filter = what === 'each byte there is' ? EVERY_BYTE : bytesOf(what, 4_096);
        const filed = block(1, { data, filter });
        await files(storage, flush(1, [filed]));
        await loads(storage, [filed]);
        await isUnmerged(storage, [filed]);
      },
    ],
  ),
  [
    'a block keeps its numbers, the smallest and the largest',
    async (storage) => {
      await opened(storage);
      const least = block(1, { from_ms: 0, to_ms: 0, records: 0, denied: 0, flags: 8 });
      const most = block(Number.MAX_SAFE_INTEGER, {
        from_ms: 253_402_297_200_000,
        to_ms: 253_402_300_799_999,
        records: 1_000_000,
        denied: 999_999,
        flags: 15,
      });
      await filesEach(storage, [least, most]);
      await lists(storage, {}, [most, least]);
      await loads(storage, [least, most]);
      await writerHas(storage, Number.MAX_SAFE_INTEGER, 0);
    },
  ],
  [
    'a caller that changes its lists after the call changes nothing that is stored',
    async (storage) => {
      await opened(storage);
      const filed = { ...block(1) };
      const expected = { ...filed };
      const blocks = [filed];
      const filing = storage.journal.file(flush(1, blocks));
      Object.assign(filed, { to_ms: 1, account_id: 'acc_b', data: new Uint8Array(1) });
      blocks.length = 0;
      assertEqual(await filing, 'filed', 'the flush');
      await loads(storage, [expected]);
      await lists(storage, {}, [expected]);
    },
  ],
  ...[
    ...Object.entries(texts),
    ...names.map((name) => [`the name ${JSON.stringify(name)}`, name] as const),
  ].map(
    ([what, text]): Claim => [
      `the account of a block may be any text: ${what}`,
      async (storage) => {
        await opened(storage);
        const account_id = [...text].slice(0, 200).join('');
        const filed = block(1, { account_id });
        await files(storage, flush(1, [filed, block(1, { account_id: 'other' })]));
        await lists(storage, { account_id }, [filed]);
        await loads(storage, [filed]);
        await isUnmerged(storage, [filed], account_id);
      },
    ],
  ),
  ...Object.entries(lookalikes).map(
    ([what, [one, other]]): Claim => [
      `accounts of blocks that differ in ${what} are different`,
      async (storage) => {
        await opened(storage);
        const [first, second] = [block(1, { account_id: one }), block(1, { account_id: other })];
        await files(storage, flush(1, [first, second]));
        await lists(storage, { account_id: one }, [first]);
        await lists(storage, { account_id: other }, [second]);
        await loads(storage, [second, first]);
      },
    ],
  ),
];

const flushes: readonly Claim[] = [
  [
    'a flush moves flushed up, also over a gap and without a block',
    async (storage) => {
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      await writerHas(storage, 1, 0);
      await files(storage, flush(2, []));
      await writerHas(storage, 2, 0);
      await files(storage, flush(2 ** 33, [block(2 ** 33)]));
      await writerHas(storage, 2 ** 33, 0);
      await lists(storage, {}, [block(2 ** 33), block(1)]);
    },
  ],
  [
    'a flush that comes twice, or late, changes nothing',
    async (storage) => {
      await opened(storage);
      const first = block(2);
      await files(storage, flush(2, [first]));
      const other = { data: bytesOf('other', 9), records: 7 };
      await files(storage, flush(2, [block(2, other), block(2, { account_id: 'acc_b' })]), 'known');
      await files(storage, flush(1, [block(1, other)]), 'known');
      await lists(storage, {}, [first]);
      await lists(storage, { account_id: 'acc_b' }, []);
      await loads(storage, [first]);
      await writerHas(storage, 2, 0);
    },
  ],
  [
    'a flush that stands for a number that was filed before changes nothing',
    async (storage) => {
      await opened(storage);
      await files(storage, { ...flush(10, [block(10)]), first: 3 });
      await files(storage, { ...flush(20, [block(20)]), first: 10 }, 'known');
      await files(storage, { ...flush(20, [block(20)]), first: 1 }, 'known');
      await writerHas(storage, 10, 0);
      await files(storage, { ...flush(20, [block(20)]), first: 11 });
      await writerHas(storage, 20, 0);
      await lists(storage, {}, [block(20), block(10)]);
    },
  ],
  [
    'a flush of a writer that is not known changes nothing',
    async (storage) => {
      await opened(storage, writerId('other'));
      await files(storage, flush(1, [block(1)]), 'unknown_writer');
      await lists(storage, {}, []);
      assertEqual((await storage.journal.writers()).length, 1, 'the number of writers');
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      await lists(storage, {}, [block(1)]);
    },
  ],
  [
    'a flush with two blocks of one account rejects, and nothing of it is stored',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: 100 }, (_, at) => block(1, { account_id: `acc_${at}` }));
      const twice = block(1, { account_id: 'acc_50', data: bytesOf('twice', 9) });
      await assertRejects(storage.journal.file(flush(1, [...blocks, twice])), 'the flush');
      assertEqual(
        await storage.journal.load(blocks.slice(0, 16).map(nameOf)),
        Array(16).fill(undefined),
        'them',
      );
      await lists(storage, { account_id: 'acc_99' }, []);
      await writerHas(storage, 0, 0);
      await files(storage, flush(1, blocks));
      await loads(storage, blocks.slice(44, 60));
    },
  ],
  [
    '1,000 blocks are one flush, and more are refused',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: MAX_FLUSHED_BLOCKS }, (_, at) =>
        block(1, {
          account_id: `acc_${at}`,
          data: bytesOf(`${at}`, 100 + (at % 200)),
          filter: bytesOf(`f${at}`, 64),
        }),
      );
      const oneMore = block(1, { account_id: 'acc_more' });
      await assertRejects(storage.journal.file(flush(1, [...blocks, oneMore])), 'a flush of 1,001 blocks');
      await files(storage, flush(1, blocks));
      for (let from = 0; from < blocks.length; from += 16)
        await loads(storage, blocks.slice(from, from + 16));
      for (const filed of [blocks[0], blocks[999]]) {
        assert(filed !== undefined, 'it is one of them');
        await lists(storage, { account_id: filed.account_id }, [filed]);
      }
    },
  ],
  [
    'a flush of 20 blocks of 200 kB is one flush',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: 20 }, (_, at) =>
        block(1, { account_id: `acc_${at}`, data: bytesOf(`${at}`, 200_000 + at) }),
      );
      await files(storage, flush(1, blocks));
      await loads(storage, blocks.slice(0, 16));
      await loads(storage, blocks.slice(16));
    },
  ],
];

const atOnce: readonly Claim[] = [
  [
    'the same flush eight times at once is stored once',
    async (storage) => {
      await opened(storage);
      const blocks = ['acc_a', 'acc_b'].map((account_id) => block(1, { account_id }));
      const results = await Promise.all(
        Array.from({ length: 8 }, () => storage.journal.file(flush(1, blocks))),
      );
      assertEqual(results.filter((result) => result === 'filed').length, 1, 'the number of filed ones');
      assertEqual(results.filter((result) => result === 'known').length, 7, 'the number of known ones');
      await loads(storage, blocks);
    },
  ],
  [
    'flushes of one writer at once: each is stored when it says so, and only then',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: 12 }, (_, at) => block(at + 1));
      const results = await Promise.all(
        [...blocks].reverse().map((filed) => storage.journal.file(flush(filed.seq, [filed]))),
      );
      const filed = [...blocks].reverse().filter((_, at) => results[at] === 'filed');
      assert(filed[0]?.seq === 12, 'the highest was stored');
      await lists(storage, {}, filed);
      await writerHas(storage, 12, 0);
    },
  ],
  [
    'flushes of six writers at once to one account are all stored',
    async (storage) => {
      const ids = Array.from({ length: 6 }, (_, at) => writerId(`W${at}`));
      await opened(storage, ...ids);
      await Promise.all(
        ids.map(async (writer) => {
          for (let seq = 1; seq <= 8; seq += 1) {
            await files(
              storage,
              flush(
                seq,
                ['acc_a', 'acc_b'].map((account_id) => block(seq, { writer, account_id })),
                { writer },
              ),
            );
          }
        }),
      );
      const all = [...ids]
        .reverse()
        .flatMap((writer) => [8, 7, 6, 5, 4, 3, 2, 1].map((seq) => block(seq, { writer })));
      await lists(storage, {}, all);
      await lists(
        storage,
        { account_id: 'acc_b' },
        all.map(({ seq, writer }) => block(seq, { writer, account_id: 'acc_b' })),
      );
    },
  ],
  [
    'no reader sees half a flush',
    async (storage) => {
      await opened(storage);
      for (let seq = 1; seq <= 6; seq += 1) {
        const blocks = Array.from({ length: 100 }, (_, at) => block(seq, { account_id: `acc_${at}` }));
        const filing = storage.journal.file(flush(seq, blocks));
        const query = { writer: WRITER, from: seq - 1, to: seq, limit: MAX_LISTED_BLOCKS };
        for (let round = 0; round < 3; round += 1) {
          const found = await storage.journal.filed(query);
          assert([0, 100].includes(found.length), `${found.length} of 100 blocks were seen`);
        }
        assertEqual(await filing, 'filed', 'the flush');
        assertEqual((await storage.journal.filed(query)).length, 100, 'the number of its blocks');
      }
    },
  ],
];

export const filing: readonly Claim[] = [...roundTrips, ...flushes, ...atOnce];
