import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { toBase64 } from '../base/bytes/base64.ts';

const SALT_BYTES = 16;
const TAG_BYTES = 16;

/**
 * Returns a text by which a holder of the secret recognizes it: a salt, a dot, and 16 bytes of HMAC-SHA256 with the
 * secret as key. The text reveals no more about the secret than a token signed with it.
 */
export function fingerprintOf(secret: string, salt: string): string {
  const tag = hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`agent-identity-service fingerprint ${salt}`));
  return `${salt}.${toBase64(tag.subarray(0, TAG_BYTES))}`;
}

export function isFingerprintOf(secret: string, fingerprint: string): boolean {
  return fingerprint === fingerprintOf(secret, fingerprint.split('.', 1)[0] ?? '');
}

export function newSalt(random: { bytes(length: number): Uint8Array }): string {
  return toBase64(random.bytes(SALT_BYTES));
}
