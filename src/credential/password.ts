import { fromBase64, toBase64 } from '../base/bytes/base64.ts';
import { type FieldError, refuseAny } from '../errors.ts';
import { equalBytes, type Hashing, hashing, secureRandom } from '../platform/index.ts';
import type { PasswordHasher, RandomSource } from '../ports/storage.ts';
import { mustBe } from '../schema/expected.ts';

export interface PasswordHasherOptions {
  /** The cost of new hashes; stored hashes contain their own cost. Default: N = 2^17, r = 8, p = 1. */
  readonly cost?: PasswordCost;
  readonly random?: RandomSource;
  readonly scrypt?: Hashing['scrypt'];
}

const DEFAULT_COST: PasswordCost = { ln: 17, r: 8, p: 1 };
const SALT_LENGTH = 16;
const KEY_LENGTH = 32;
const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

/**
 * The maximum length of a text that is normalized, because that takes quadratic time: 0.4 s for 64 KiB. NFC
 * leaves at least an eighth of the length. A longer text therefore still exceeds 128 units, and is refused.
 */
const MAX_NORMALIZED_LENGTH = 1_024;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Creates a password hasher that uses scrypt (RFC 7914), with 128 MiB of memory while a hash runs. `hash` rejects with
 * `invalid_request` and the errors of {@link passwordErrors}.
 */
export function passwordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { cost = DEFAULT_COST, random = secureRandom, scrypt = hashing.scrypt } = options;
  const unknown = formatPasswordHash({
    ...cost,
    salt: new Uint8Array(SALT_LENGTH),
    key: new Uint8Array(KEY_LENGTH),
  });

  function derive(
    password: string,
    salt: Uint8Array,
    { ln, r, p }: PasswordCost,
    dkLen: number,
  ): Promise<Uint8Array> {
    const bytes = new TextEncoder().encode(normalizePassword(password));
    return scrypt(bytes, salt, { N: 2 ** ln, r, p, dkLen });
  }

  async function verify(password: string, hash: string): Promise<boolean> {
    const expectedHash = parsePasswordHash(hash);
    if (expectedHash === undefined) return false;
    const actual = await derive(password, expectedHash.salt, expectedHash, expectedHash.key.length);
    // A lone surrogate is hashed as U+FFFD, which is another password.
    return equalBytes(actual, expectedHash.key) && !LONE_SURROGATE.test(password);
  }

  return {
    async hash(password) {
      refuseAny(passwordErrors(password));
      const salt = random.bytes(SALT_LENGTH);
      const key = await derive(password, salt, cost, KEY_LENGTH);
      return formatPasswordHash({ ...cost, salt, key });
    },
    verify,
    async verifyNothing(password) {
      await verify(password, unknown);
      return false;
    },
  };
}

/**
 * Returns the errors of a new password: fewer than 12 or more than 128 UTF-16 units in NFC (`too_short`, `too_long`),
 * or a lone surrogate (`not_unicode`).
 */
export function passwordErrors(password: string, path = '/password'): readonly FieldError[] {
  const { length } = normalizePassword(password);
  if (length < MIN_LENGTH) {
    return [
      { path, code: 'too_short', message: `This has fewer than ${MIN_LENGTH} characters. ${mustBe(path)}` },
    ];
  }
  if (length > MAX_LENGTH) {
    return [
      { path, code: 'too_long', message: `This has more than ${MAX_LENGTH} characters. ${mustBe(path)}` },
    ];
  }
  if (LONE_SURROGATE.test(password)) {
    return [{ path, code: 'not_unicode', message: 'This must be well-formed Unicode.' }];
  }
  return [];
}

/** Returns the password in NFC, the form that is measured and hashed. All keyboards then give the same password. */
export function normalizePassword(password: string): string {
  return password.length > MAX_NORMALIZED_LENGTH ? password : password.normalize('NFC');
}

/** The cost of a password hash. `N` is 2 to the power of `ln`. */
interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

interface PasswordHash extends PasswordCost {
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

const GRAMMAR =
  /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** The maximum memory of a hash in bytes, which is 128 * N * r. A stored hash with a higher cost is refused. */
const MAX_MEMORY = 2 ** 30;

/** Formats a hash for storage: `$scrypt$ln=17,r=8,p=1$<salt>$<key>`, base64 without padding (PHC string format). */
export function formatPasswordHash({ ln, r, p, salt, key }: PasswordHash): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(key)}`;
}

/**
 * Parses a stored hash. Returns `undefined` for other texts, and for a cost above N = 2^20, r = 32, p = 16 or one GiB
 * of memory.
 */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const match = GRAMMAR.exec(text);
  if (match === null) return undefined;
  const [, lnText = '', rText = '', pText = '', saltText = '', keyText = ''] = match;
  const ln = Number(lnText);
  const r = Number(rText);
  const p = Number(pText);
  // RFC 7914: N < 2^(128 * r / 8).
  if (ln > 20 || r > 32 || p > 16 || ln >= 16 * r || 128 * 2 ** ln * r > MAX_MEMORY) return undefined;
  const salt = fromBase64(saltText);
  const key = fromBase64(keyText);
  return salt === undefined || key === undefined ? undefined : { ln, r, p, salt, key };
}
