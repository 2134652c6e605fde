import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BASE62, base62 } from '../../src/base/bytes/base62.ts';
import {
  countedIds,
  digestText,
  drawnAhead,
  randomId,
  randomText,
  writerId,
} from '../../src/credential/random-id.ts';
import { secureRandom } from '../../src/platform/index.ts';
import type { RandomSource } from '../../src/ports/storage.ts';

fc.configureGlobal({ seed: 20261120 });

/** Counts through all bytes, for ever. */
function everyByte(): RandomSource {
  let next = 0;
  return { bytes: (length) => Uint8Array.from({ length }, () => next++ % 256) };
}

function read(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 62n + BigInt(BASE62.indexOf(digit));
  return value;
}

test('base62 digits are in the order of ASCII, so that texts of one width sort as their numbers', () => {
  expect([...BASE62].sort().join('')).toBe(BASE62);
  expect(new Set(BASE62).size).toBe(62);
});

test('base62 reads back as the number, padded to the width', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat(12), (value, width) => {
      const text = base62(value, width);
      expect(read(text)).toBe(BigInt(value));
      expect(text.length).toBeGreaterThanOrEqual(width);
    }),
  );
  expect(base62(Number.MAX_SAFE_INTEGER, 2)).toBe('fFgnDxSe7');
  expect(base62(62 ** 3, 6)).toBe('001000');
  expect(base62(0, 2)).toBe('00');
  expect(base62(61, 2)).toBe('0z');
  expect(base62(62, 2)).toBe('10');
  expect(base62(2 ** 32 - 1, 6)).toBe('4gfFC3');
});

test('the text of a digest reads back as its first 128 bits', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const digest = Buffer.from(bytes).toString('hex');
      const text = digestText(digest);
      expect(text).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(read(text)).toBe(BigInt(`0x${digest.slice(0, 32)}`));
    }),
  );
  expect(digestText('0'.repeat(64))).toBe('0'.repeat(22));
  expect(digestText('f'.repeat(64))).toBe('7n42DGM5Tflk9n8mt7Fhc7');
  expect(digestText(`${'0'.repeat(31)}1${'f'.repeat(32)}`)).toBe(`${'0'.repeat(21)}1`);
});

test('every digit is drawn equally often when every byte is', () => {
  const counts = new Map<string, number>();
  for (const digit of randomText(248 * 4, everyByte())) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Extra bytes are drawn for the ones thrown away, so the last round may stop anywhere.
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
});

test('a byte that would make some digits likelier is thrown away', () => {
  const drawn: number[] = [];
  const random: RandomSource = {
    bytes(length) {
      drawn.push(length);
      return Uint8Array.from({ length }, (_, index) => (drawn.length === 1 ? 255 - (index % 9) : 61));
    },
  };
  // Of 12 bytes 255 to 247, 255, 254, 253 one is low enough: 247 is `z`, and three digits are missing.
  expect(randomText(4, random)).toBe('zzzz');
  expect(drawn).toEqual([12, 11]);
});

test('random text has the length asked for', () => {
  fc.assert(
    fc.property(fc.nat(100), (length) => {
      const text = randomText(length, secureRandom);
      expect(text).toHaveLength(length);
      expect(text).toMatch(/^[0-9A-Za-z]*$/);
    }),
    { examples: [[0], [1], [22], [100]] },
  );
});

test('an id says what it is of', () => {
  expect(randomId('ses', secureRandom)).toMatch(/^ses_[0-9A-Za-z]{22}$/);
  expect(randomId('acc', secureRandom)).not.toBe(randomId('acc', secureRandom));
});

test('counted ids are unique and sort by age, also across the blocks they are made in', () => {
  const { next } = countedIds('dec', secureRandom);
  const ids = Array.from({ length: 10_000 }, next);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toMatch(/^dec_[0-9A-Za-z]{18}00000000$/);
  expect(ids.every(({ length }) => length === 30)).toBe(true);
});

test('two makers of counted ids share no prefix', () => {
  const [one, other] = [countedIds('dec', secureRandom), countedIds('dec', secureRandom)];
  expect(one.next().slice(0, 22)).not.toBe(other.next().slice(0, 22));
});

test('a maker of counted ids knows the parts of its last id only', () => {
  const ids = countedIds('dec', secureRandom);
  const [first, second] = [ids.next(), ids.next()];
  expect(ids.partsOf(first)).toBeUndefined();
  expect(ids.partsOf(second)).toEqual({ prefix: second.slice(0, 22), count: 1 });
});

test('the id of a writer is 18 random digits', () => {
  expect(writerId(secureRandom)).toMatch(/^[0-9A-Za-z]{18}$/);
  expect(writerId(secureRandom)).not.toBe(writerId(secureRandom));
});

test('what is drawn ahead gives each byte of its source at most once, as many as are asked for', () => {
  let draws = 0;
  const source: RandomSource = {
    bytes(length) {
      draws += 1;
      return new Uint8Array(length);
    },
  };
  const drawn = drawnAhead(source);
  const lengths = [1, 30, 0, 500, 30, 4_000, 30, 5_000, 2];
  const given = lengths.map((length) => drawn.bytes(length));
  expect(given.map(({ length }) => length)).toEqual(lengths);
  expect(draws).toBeLessThan(lengths.length / 2);
  // A byte that is given twice is seen to be marked the second time.
  for (const bytes of given) {
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    bytes.fill(1);
  }
});

test('what was drawn ahead is used up before more is drawn', () => {
  const draws: number[] = [];
  const drawn = drawnAhead({
    bytes(length) {
      draws.push(length);
      return new Uint8Array(length);
    },
  });
  for (const length of [10, 4_096, 1]) drawn.bytes(length);
  expect(draws).toEqual([10 + 4_096, 1 + 4_096]);
});
