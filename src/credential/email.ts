import type { FieldError } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import { mustBe } from '../schema/expected.ts';
import { digestText } from './random-id.ts';

/**
 * The maximum length of a text that is normalized, because that takes quadratic time. No valid address is longer in any
 * spelling.
 */
const MAX_NORMALIZED_LENGTH = 2_048;
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** White space, control characters, invisible format characters, unassigned code points and lone surrogates. */
const UNSEEN = /[\s\p{C}]/u;

export function normalizeEmail(text: string): string {
  if (text.length > MAX_NORMALIZED_LENGTH) return text;
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/**
 * Returns the errors of an e-mail address. `admin@localhost` is valid. An address has exactly one `@`, with 1 to 64
 * UTF-16 units before it and at least one after it. It has at most 254 units in total, and no space or invisible
 * character. Otherwise the error is `invalid_email`.
 */
export function emailErrors(text: string, path = '/email'): readonly FieldError[] {
  const email = normalizeEmail(text);
  const index = email.indexOf('@');
  const wellFormed =
    index >= 1 &&
    index <= MAX_LOCAL_LENGTH &&
    index < email.length - 1 &&
    index === email.lastIndexOf('@') &&
    email.length <= MAX_LENGTH &&
    !UNSEEN.test(email);
  return wellFormed ? [] : [{ path, code: 'invalid_email', message: mustBe(path) }];
}

/**
 * Returns the id of the account with a normalized e-mail: `acc_` and 22 base62 digits of its SHA-256. One `get` then
 * finds the account, and one `insert` ensures that the e-mail is unique.
 */
export function accountIdOf(email: string): string {
  return `acc_${digestText(hashing.sha256Hex(email))}`;
}
