import { MAX_LISTED_BLOCKS } from '../../../ports/journal.ts';
import { assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { block, bytesOf, filesEach, lists, opened, readBlocks } from './fixtures.ts';

/** The hashes of three names that share no bit in a filter of 32 bytes. */
export const NAMES: readonly (readonly number[])[] = [
  [0, 4_294_967_295, 257 + 1_024 * 5, 77],
  [2_147_483_648 + 9, 130, 4_096 * 8 + 40, 63],
  [200, 201, 202, 203],
];

export function withNames(length: number, names: readonly (readonly number[])[]): Uint8Array {
  const filter = new Uint8Array(length);
  for (const hash of names.flat()) {
    const bit = hash % (8 * length);
    const at = Math.floor(bit / 8);
    filter[at] = (filter[at] ?? 0) | (1 << (bit % 8));
  }
  return filter;
}

const SIZES = [32, 64, 128, 256, 512, 1_024, 2_048, 4_096];

function hashesOf(name: number): readonly number[] {
  const bytes = bytesOf(`name ${name}`, 16);
  const view = new DataView(bytes.buffer);
  return [0, 4, 8, 12].map((at) => view.getUint32(at));
}

export const filteredNames: readonly Claim[] = [
  [
    'each bit of a filter is found by its number, and by no other',
    async (storage) => {
      await opened(storage);
      const bits = [0, 1, 7, 8, 15, 16, 100, 128, 254, 255];
      const blocks = bits.map((bit, at) => block(at + 1, { filter: withNames(32, [[bit]]) }));
      await filesEach(storage, blocks);
      for (const [at, bit] of bits.entries()) {
        const expected = blocks.slice(at, at + 1);
        await lists(storage, { names: [[bit]] }, expected);
        await lists(storage, { names: [[bit + 256, bit + 256 * 3, bit + 2 ** 31]] }, expected);
      }
      for (const bit of [2, 6, 9, 14, 17, 127, 129, 253]) await lists(storage, { names: [[bit]] }, []);
    },
  ],
  [
    'a name is found in filters of every size, by the length of each',
    async (storage) => {
      await opened(storage);
      const names = Array.from({ length: 24 }, (_, at) => hashesOf(at));
      const blocks = SIZES.map((size, at) =>
        block(at + 1, { filter: withNames(size, names.slice(at * 3, at * 3 + 3)) }),
      );
      await filesEach(storage, blocks);
      for (const [at, name] of names.entries()) {
        const found = await readBlocks(storage, { names: [name] });
        const seqs = found.map(({ seq }) => seq);
        assertEqual(seqs.includes(Math.floor(at / 3) + 1), true, `the name ${at} is found`);
      }
    },
  ],
  [
    'a filter with all bits may hold any name, one with no bit holds none',
    async (storage) => {
      await opened(storage);
      const full = SIZES.map((size, at) => block(at * 2 + 1, { filter: new Uint8Array(size).fill(0xff) }));
      const empty = SIZES.map((size, at) => block(at * 2 + 2, { filter: new Uint8Array(size) }));
      const all = [...full, ...empty].sort((a, b) => a.seq - b.seq);
      await filesEach(storage, all);
      const names = Array.from({ length: 20 }, (_, at) => hashesOf(at));
      for (const name of names) await lists(storage, { names: [name] }, [...full].reverse());
      await lists(storage, { names }, [...full].reverse());
      await lists(storage, { names: [] }, [...all].reverse());
    },
  ],
  [
    'a block lacks a name when one bit of it is missing, and has to hold all the names',
    async (storage) => {
      await opened(storage);
      const [one = [], other = [], third = []] = NAMES;
      const lacking = one.map((_, at) => one.filter((_hash, index) => index !== at));
      const blocks = [[one], [other], [one, other], ...lacking.map((hashes) => [hashes, other, third])].map(
        (names, at) => block(at + 1, { filter: withNames(32, names) }),
      );
      await filesEach(storage, blocks);
      const seqs = async (names: readonly (readonly number[])[]): Promise<readonly number[]> =>
        (await storage.journal.blocks({ account_id: 'acc_a', names, limit: MAX_LISTED_BLOCKS })).map(
          ({ seq }) => seq,
        );
      assertEqual(await seqs([one]), [3, 1], 'one name');
      assertEqual(await seqs([one, other]), [3], 'two names');
      assertEqual(await seqs([other]), [7, 6, 5, 4, 3, 2], 'the other name');
      assertEqual(await seqs([third, other]), [7, 6, 5, 4], 'the third and the other');
      assertEqual(await seqs([one, other, third]), [], 'three names');
    },
  ],
];
