import { IdentityError } from '../errors.ts';

const MIN_BYTES = 32;

/** The maximum length of a repeated piece. A secret that only repeats such a piece is refused. */
const MAX_REPEATED_LENGTH = 16;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Pieces of secrets from examples, templates and tutorials. The pieces are compared in lower case, with only letters
 * and digits.
 */
const KNOWN_PIECES: readonly string[] = [
  'your256bitsecret',
  'your384bitsecret',
  'your512bitsecret',
  'astringsecretatleast',
  'avalidstringsecret',
  'yoursecret',
  'yourjwtsecret',
  'yoursupersecret',
  'supersecret',
  'topsecret',
  'mysecretkey',
  'myjwtsecret',
  'thisisasecret',
  'thisismysecret',
  'secretsecret',
  'passwordpassword',
  'changeme',
  'changethis',
  'pleasechange',
  'replaceme',
  'replacethis',
  'replacewith',
  'placeholder',
  'insecuresecret',
  'keyboardcat',
  'correcthorsebatterystaple',
  '0123456789abcdef',
  '1234567890123456',
  'abcdefghijklmnop',
  'qwertyuiop',
  // The key of RFC 7515, appendix A.1.
  'aym1sysppbydfgzld3umj1qzkobwvmkoqq',
];

/**
 * Returns the signing key of a secret: the UTF-8 bytes of the exact text.
 *
 * @throws {IdentityError} `invalid_configuration` for fewer than 32 bytes, and for a secret that is easy to guess: a
 * short repeated piece, or a text known from examples.
 */
export function sessionKeyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < MIN_BYTES) throw unfit(`has fewer than ${MIN_BYTES} bytes`);
  if (LONE_SURROGATE.test(secret)) throw unfit('is not well-formed Unicode');
  if (isRepetition(secret)) throw unfit('repeats one short piece');
  const plain = secret.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (KNOWN_PIECES.some((piece) => plain.includes(piece))) throw unfit('is known from examples');
  return bytes;
}

function isRepetition(text: string): boolean {
  for (let length = 1; length <= MAX_REPEATED_LENGTH && length * 2 <= text.length; length++) {
    if (text.slice(length) === text.slice(0, -length)) return true;
  }
  return false;
}

function unfit(problem: string): IdentityError {
  return new IdentityError(
    'invalid_configuration',
    `The session secret ${problem}. Generate one, for example by: openssl rand -base64 48`,
  );
}
