import { BASE62, base62, readBase62 } from '../base/bytes/base62.ts';
import { createIdSource, type IdSource } from '../base/bytes/counted-ids.ts';
import { crc32OfText } from '../base/bytes/crc32.ts';
import { hashing } from '../platform/index.ts';
import type { RandomSource } from '../ports/storage.ts';

/** The exclusive limit for random bytes, 62 * 4. Below it, each of the 62 digits is equally likely. */
const UNBIASED = 248;

const WRITER_DIGITS = 18;

/** The kinds of random ids. All other ids are computed, or chosen by the account. */
export type IdPrefix = 'acc' | 'mem' | 'ses' | 'whk';

/** Creates an id such as `acc_6YsrL1iGTFfmGRvMpFTu3G`: 22 random digits, 131 bits. */
export function randomId(prefix: IdPrefix, random: RandomSource): string {
  return `${prefix}_${randomText(22, random)}`;
}

export function randomText(length: number, random: RandomSource): string {
  const digits: string[] = [];
  while (digits.length < length) {
    for (const byte of random.bytes(length - digits.length + 8)) {
      if (byte < UNBIASED && digits.length < length) digits.push(BASE62.charAt(byte % 62));
    }
  }
  // Joined at the end: V8 keeps a concatenated text as a tree of its parts, three times as large.
  return digits.join('');
}

/**
 * Creates a random source that reads many bytes from the operating system at once and returns each only once. A single
 * read takes longer than the other steps of creating an id. Use it for unique values, not for secrets.
 */
export function drawnAhead(random: RandomSource): RandomSource {
  let drawnBytes: Uint8Array = new Uint8Array();
  return {
    bytes(length) {
      if (drawnBytes.length < length) drawnBytes = random.bytes(length + AHEAD);
      const bytes = drawnBytes.subarray(0, length);
      drawnBytes = drawnBytes.subarray(length);
      return bytes;
    },
  };
}

const AHEAD = 4_096;

/** Returns the first 128 bits of a hexadecimal digest as 22 base62 digits. Takes some microseconds. */
export function digestText(digest: string): string {
  let remainder = BigInt(`0x${digest.slice(0, 32)}`);
  let text = '';
  for (let digit = 0; digit < 22; digit++) {
    text = BASE62.charAt(Number(remainder % 62n)) + text;
    remainder /= 62n;
  }
  return text;
}

/**
 * Creates a source of ids for large numbers of records. The ids are unique, sort by age within
 * one source, and are not secret. An id has a prefix, 18 random digits and a counter of 8 digits. All ids
 * of one source have the same random digits. These have 107 bits, so that no two processes share them.
 */
export function countedIds(prefix: 'dec' | 'req', random: RandomSource): IdSource {
  return createIdSource(`${prefix}_${randomText(WRITER_DIGITS, random)}`);
}

export function writerId(random: RandomSource): string {
  return randomText(WRITER_DIGITS, random);
}

/**
 * Returns the account id for an organization of the application. The hashed text contains a line break, which no e-mail
 * has. No other account can therefore get this id.
 */
export function hostAccountId(account: string): string {
  return `acc_${digestText(hashing.sha256Hex(`host\n${account}`))}`;
}

export function hostMemberId(account_id: string, member: string): string {
  return `mem_${digestText(hashing.sha256Hex(`host\n${account_id}\n${member}`))}`;
}

const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Creates a secret text: the prefix, 43 random base62 digits (256 bits), and a checksum of six digits. */
export function createSecretText(prefix: string, random: RandomSource): string {
  const checkedText = prefix + randomText(SECRET_LENGTH, random);
  return checkedText + base62(crc32OfText(checkedText), CHECKSUM_LENGTH);
}

export function isSecretText(text: string, prefix: string): boolean {
  const length = prefix.length + SECRET_LENGTH;
  if (text.length !== length + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false;
  return readBase62(text, prefix.length) >= 0 && readBase62(text, length) === crc32OfText(text, length);
}
