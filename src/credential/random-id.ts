import type { RandomSource } from '../ports/storage.ts';

/** The digits of all our random texts, in their order as numbers. */
export const BASE62: string = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 62 * 4: a byte below it gives each digit four times, so none is likelier than another. */
const UNBIASED = 248;

/** The kinds of id that are drawn at random; the others are derived, or chosen by the account. */
export type IdPrefix = 'acc' | 'ses' | 'bat';

/** An id such as `acc_6YsrL1iGTFfmGRvMpFTu3G`: 22 random digits, 131 bits. */
export function randomId(prefix: IdPrefix, random: RandomSource): string {
  return `${prefix}_${randomText(22, random)}`;
}

/** So many base62 digits, each equally likely. */
export function randomText(length: number, random: RandomSource): string {
  const digits: string[] = [];
  while (digits.length < length) {
    for (const byte of random.bytes(length - digits.length + 8)) {
      if (byte < UNBIASED && digits.length < length) digits.push(BASE62.charAt(byte % 62));
    }
  }
  // One piece: what is added up V8 keeps as a tree of its sums, three times as large.
  return digits.join('');
}

/** A non-negative safe integer in base62, left-padded with `0` to at least `width` digits. */
export function base62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(width, '0');
}

/** The first 128 bits of a hexadecimal digest as 22 base62 digits. Takes some microseconds. */
export function digestText(digest: string): string {
  let rest = BigInt(`0x${digest.slice(0, 32)}`);
  let text = '';
  for (let digit = 0; digit < 22; digit++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** All pairs of digits, in their order as numbers: so many ids share one head. `base62` of each takes twice as long. */
const PAIRS: readonly string[] = [...BASE62].flatMap((first) =>
  Array.from(BASE62, (second) => first + second),
);

/**
 * A maker of ids for what comes in masses: a prefix, 18 random digits drawn once (107 bits, so that two processes
 * never meet), and a count of 8 digits. They are unique, sort by age within one maker, and are no secret.
 */
export function countedIds(idPrefix: 'dec' | 'req', random: RandomSource): () => string {
  const prefix = `${idPrefix}_${randomText(18, random)}`;
  let block = 0;
  let next = 0;
  let head = prefix + base62(block, 6);
  return () => {
    if (next === PAIRS.length) {
      next = 0;
      head = prefix + base62(++block, 6);
    }
    return head + PAIRS[next++];
  };
}
