/** Reads tokens of the service, and verifies their signatures. */

import { importPublicKey, verifyBytes } from '../../platform/signing.ts';
import type { PublicJwk, SigningAlgorithm } from '../../records/key.ts';
import { algorithmNamed, algorithmOf } from '../signing/algorithm.ts';
import { type CompactParts, type JsonMembers, openCompact } from '../signing/compact.ts';
import { invalidToken } from './invalid-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** A token that was read. Its signature is not yet checked. */
export interface ReadToken {
  readonly claims: JsonMembers;
  readonly alg: SigningAlgorithm;
  /** The key id in the token: a thumbprint, or a DID URL with a thumbprint as its fragment. */
  readonly kid: string;
  readonly parts: CompactParts;
}

const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

/** Reads a token of the given type. Refuses every unknown member of the header, such as `crit`, `jwk` and `jku`. */
export function readToken(text: unknown, type: string, maxLength: number): ReadToken {
  const parts = typeof text === 'string' ? openCompact(text, maxLength) : undefined;
  const [header, claims] = [parts?.header(), parts?.claims()];
  if (parts === undefined || header === undefined || claims === undefined) throw invalidToken('malformed');
  if (!Object.keys(header).every((name) => HEADER_MEMBERS.has(name))) throw invalidToken('malformed');
  if (header['typ'] !== type) throw invalidToken('type');
  const alg = algorithmNamed(header['alg']);
  if (alg === undefined) throw invalidToken('algorithm');
  const kid = header['kid'];
  if (typeof kid !== 'string') throw invalidToken('key');
  return { claims, alg, kid, parts };
}

/** Throws if the `kid` is a DID URL of another issuer. */
export function demandOwnKey({ kid }: ReadToken, issuer: string): void {
  if (kid.includes('#') && !kid.startsWith(`${issuer}#`)) throw invalidToken('key');
}

export function thumbprintNamed({ kid }: ReadToken): string {
  return kid.slice(kid.indexOf('#') + 1);
}

/** Throws unless one of the keys has signed the token. A key in the token itself is never used. */
export async function demandSigned(token: ReadToken, keys: IssuerKeys): Promise<void> {
  const jwk = keys.get(thumbprintNamed(token));
  if (jwk === undefined) throw invalidToken('key');
  if (algorithmOf(jwk) !== token.alg) throw invalidToken('algorithm');
  if (!(await isSignedWith(jwk, token.parts))) throw invalidToken('signature');
}

/** Checks a signature. Returns `false` if the key cannot be used. */
export async function isSignedWith(jwk: PublicJwk, parts: CompactParts): Promise<boolean> {
  try {
    const key = await importedKey(jwk);
    return await verifyBytes(algorithmOf(jwk), key, parts.signed(), parts.signature());
  } catch {
    // A key that the runtime does not accept, or a runtime without the algorithm: nothing is proved.
    return false;
  }
}

/** The imported keys. They are cached, because importing a key takes as long as verifying with it. */
const importedKeyPromises = new WeakMap<PublicJwk, Promise<CryptoKey>>();

function importedKey(jwk: PublicJwk): Promise<CryptoKey> {
  const keyPromise = importedKeyPromises.get(jwk);
  if (keyPromise !== undefined) return keyPromise;
  const importing = importPublicKey(algorithmOf(jwk), jwk);
  importedKeyPromises.set(jwk, importing);
  return importing;
}

/** Returns `true` if the value is a whole number of seconds since the Unix epoch. */
export function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Returns the members of a claim that is an object.
 *
 * @throws {IdentityError} `invalid_token` with the problem `claims` for anything else.
 */
export function claimMembers(value: unknown): JsonMembers {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw invalidToken('claims');
}
