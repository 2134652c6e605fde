import { mustBe } from '../base/expected.ts';
import type { FieldError } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import { digestText } from './random-id.ts';

/** Longer than any spelling of an address of 254 units; normalising takes time that grows with the square. */
const MAX_NORMALIZED_LENGTH = 2_048;
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** White space, controls, invisible format characters, unassigned code points, lone surrogates. */
const UNSEEN = /[\s\p{C}]/u;

/** The one spelling of an e-mail address: NFC, lower-case. Nothing is trimmed; any text has one. */
export function normalizeEmail(text: string): string {
  if (text.length > MAX_NORMALIZED_LENGTH) return text;
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}

/**
 * What keeps a text from being an e-mail address: `invalid_email` unless it has exactly one `@` with 1 to 64
 * units before it and at least one behind it, at most 254 in all, and no space or invisible character.
 * `admin@localhost` is fine.
 */
export function emailErrors(text: string, path = '/email'): readonly FieldError[] {
  const email = normalizeEmail(text);
  const at = email.indexOf('@');
  const wellFormed =
    at >= 1 &&
    at <= MAX_LOCAL_LENGTH &&
    at < email.length - 1 &&
    at === email.lastIndexOf('@') &&
    email.length <= MAX_LENGTH &&
    !UNSEEN.test(email);
  return wellFormed ? [] : [{ path, code: 'invalid_email', message: mustBe(path) }];
}

/**
 * The id of the account of a normalised e-mail: `acc_` and 22 base62 digits of its SHA-256, so that one `get`
 * finds the account and one `insert` keeps the e-mail unique.
 */
export function accountIdOf(email: string): string {
  return `acc_${digestText(hashing.sha256Hex(email))}`;
}
