import { readFileSync } from 'node:fs';
import { StatusList } from '@sd-jwt/jwt-status-list';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64Url, toBase64Url } from '../../../src/base/bytes/base64url.ts';
import { chooseZlib, zlib } from '../../../src/platform/zlib.ts';
import {
  readStatusListClaim,
  type StatusBits,
  statusArray,
  toStatusListClaim,
} from '../../../src/tokens/signing/status-list.ts';

type Vector = { readonly statuses: readonly (readonly [number, number])[]; readonly lst: string };

/** Appendix C of draft-ietf-oauth-status-list-20: lists of 2^20 statuses. */
const vectors: Readonly<Record<string, Vector>> = JSON.parse(
  readFileSync(new URL('status-list-vectors.json', import.meta.url), 'utf8'),
);
const SIZE = 2 ** 20;
const BITS: readonly StatusBits[] = [1, 2, 4, 8];

async function unpacked(lst: string): Promise<Uint8Array> {
  const bytes = await zlib.inflate(fromBase64Url(lst) ?? new Uint8Array(), 2 ** 21);
  if (bytes === undefined) throw new Error('It cannot be decompressed.');
  return bytes;
}

test('the two short examples of section 4 are read, and written byte for byte', async () => {
  const examples = [
    { bits: 1, lst: 'eNrbuRgAAhcBXQ', statuses: [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1] },
    { bits: 2, lst: 'eNo76fITAAPfAgc', statuses: [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3] },
  ] as const;
  for (const { bits, lst, statuses } of examples) {
    const written = statusArray(bits, statuses.length);
    for (const [index, status] of statuses.entries()) written.set(index, status);
    expect(await toStatusListClaim(bits, written.bytes)).toEqual({ bits, lst });
    const read = await readStatusListClaim({ bits, lst });
    expect(statuses.map((_, index) => read?.at(index))).toEqual(statuses);
    expect([read?.at(statuses.length), read?.at(-1), read?.at(0.5)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
});

test.each(BITS)('the vector of %i bits is read, and packed to the same bytes', async (bits) => {
  const { statuses, lst } = vectors[bits] as Vector;
  const read = await readStatusListClaim({ bits, lst });
  const known = new Map(statuses);
  let wrong = 0;
  for (let index = 0; index < SIZE; index += 1) if (read?.at(index) !== (known.get(index) ?? 0)) wrong += 1;
  expect([wrong, read?.at(SIZE)]).toEqual([0, undefined]);
  const written = statusArray(bits, SIZE);
  for (const [index, status] of statuses) written.set(index, status);
  expect(Buffer.compare(written.bytes, await unpacked(lst))).toBe(0);
  const claim = await toStatusListClaim(bits, written.bytes);
  expect(Buffer.compare(written.bytes, await unpacked(claim.lst))).toBe(0);
});

test('the lists of the vectors hold every status that their bits can hold', () => {
  expect(BITS.map((bits) => new Set(vectors[bits]?.statuses.map(([, status]) => status)).size)).toEqual([
    1, 3, 15, 255,
  ]);
});

const anyList = fc.constantFrom(...BITS).chain((bits) =>
  fc.record({
    bits: fc.constant(bits),
    statuses: fc.array(fc.nat(2 ** bits - 1), { minLength: 1, maxLength: 200 }),
  }),
);

test('reads the same status here and by a library of a third party', async () => {
  await fc.assert(
    fc.asyncProperty(anyList, async ({ bits, statuses }) => {
      const written = statusArray(bits, statuses.length);
      for (const [index, status] of statuses.entries()) written.set(index, status);
      const { lst } = await toStatusListClaim(bits, written.bytes);
      const thirdParty = StatusList.decompressStatusList(lst, bits);
      const theirs = new StatusList([...statuses], bits).compressStatusList();
      const read = await readStatusListClaim({ bits, lst });
      const readTheirs = await readStatusListClaim({ bits, lst: theirs });
      for (const [index, status] of statuses.entries()) {
        const answers = [read?.at(index), readTheirs?.at(index), thirdParty.getStatus(index)];
        expect(answers).toEqual([status, status, status]);
      }
    }),
  );
});

test('a later status of an index replaces the one before, and its neighbours stay', () => {
  const { bytes, set } = statusArray(2, 4);
  for (const status of [3, 1, 2]) set(1, status);
  set(2, 3);
  expect([...bytes]).toEqual([0b0011_1000]);
  for (const index of [-1, 4, 0.5, Number.NaN]) expect(() => set(index, 1)).toThrow(RangeError);
});

test('what is no list is not read, nor one that grows beyond its bound', async () => {
  const bomb = toBase64Url(await zlib.deflate(new Uint8Array(2 ** 21 + 1)));
  const largest = toBase64Url(await zlib.deflate(new Uint8Array(2 ** 21)));
  const cut = 'eNrbuRgAAhcB';
  for (const claim of [
    undefined,
    null,
    'eNrbuRgAAhcBXQ',
    { bits: 3, lst: 'eNrbuRgAAhcBXQ' },
    { bits: '1', lst: 'eNrbuRgAAhcBXQ' },
    { bits: 1 },
    { bits: 1, lst: '' },
    { bits: 1, lst: 'eNrbuRgAAhcBXQ==' },
    { bits: 1, lst: 'AAAA' },
    { bits: 1, lst: cut },
    { bits: 1, lst: bomb },
  ]) {
    expect(await readStatusListClaim(claim)).toBeUndefined();
  }
  expect((await readStatusListClaim({ bits: 8, lst: largest }))?.at(2 ** 21 - 1)).toBe(0);
});

test('the streams of the Compression standard give the same as zlib of Node', async () => {
  const streams = chooseZlib({});
  for (const { lst } of Object.values(vectors)) {
    const bytes = await unpacked(lst);
    expect(Buffer.compare(bytes, await unpacked(toBase64Url(await streams.deflate(bytes))))).toBe(0);
    const packed = fromBase64Url(lst) ?? new Uint8Array();
    expect(Buffer.compare(bytes, (await streams.inflate(packed, bytes.length)) ?? new Uint8Array())).toBe(0);
    expect(await streams.inflate(packed, bytes.length - 1)).toBeUndefined();
    expect(await streams.inflate(packed.subarray(0, -5), bytes.length)).toBeUndefined();
    expect(await streams.inflate(packed.subarray(1), bytes.length)).toBeUndefined();
  }
});
