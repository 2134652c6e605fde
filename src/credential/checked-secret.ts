import { base62, readBase62 } from '../base/bytes/base62.ts';
import { crc32OfText } from '../base/bytes/crc32.ts';
import type { RandomSource } from '../ports/storage.ts';
import { randomText } from './random-id.ts';

const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** Makes a secret text: the prefix, 43 random base62 digits (256 bits), and a checksum of six digits. */
export function createSecretText(prefix: string, random: RandomSource): string {
  const checked = prefix + randomText(SECRET_LENGTH, random);
  return checked + base62(crc32OfText(checked), CHECKSUM_LENGTH);
}

/** Says whether a text has the form of `createSecretText`, so that no storage is asked for any other. */
export function isSecretText(text: string, prefix: string): boolean {
  const checked = prefix.length + SECRET_LENGTH;
  if (text.length !== checked + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false;
  return readBase62(text, prefix.length) >= 0 && readBase62(text, checked) === crc32OfText(text, checked);
}
