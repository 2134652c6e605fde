import { fromBase64, toBase64 } from '../base/bytes/base64.ts';

/** The cost of a password hash: `N` is 2 to the power of `ln`. */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The parts of a password hash. */
export interface PasswordHash extends PasswordCost {
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

const GRAMMAR =
  /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** The most memory of a hash in bytes, which is 128 * N * r: no stored text may need more. */
const MAX_MEMORY = 2 ** 30;

/** Formats a hash for storage: `$scrypt$ln=17,r=8,p=1$<salt>$<key>`, base64 without padding (PHC string format). */
export function formatPasswordHash({ ln, r, p, salt, key }: PasswordHash): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(key)}`;
}

/**
 * Parses a stored hash; `undefined` for another text, and for a cost beyond N = 2^20, r = 32, p = 16, or one GiB of
 * memory.
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
