/** Checks proofs that a caller has a key: DPoP (RFC 9449). */
import type { PublicJwk } from '../../records/key.ts';
import { algorithmNamed, algorithmOf } from '../signing/algorithm.ts';
import { type JsonMembers, openCompact } from '../signing/compact.ts';
import { publicJwkOf } from './issuer-keys.ts';
import { isSignedWith } from './read-token.ts';
import { digestThumbprint, encodedDigest } from './thumbprint.ts';

export interface DpopTerms {
  readonly method: string;
  /** The URL without query and fragment. */
  readonly url: string;
  /** The current time in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The token in the same request. Absent at the token endpoint. */
  readonly token?: string;
}

export interface DpopProof {
  readonly jkt: string;
  readonly jti: string;
  /** The instant, in milliseconds since the Unix epoch, from which no node accepts the proof. */
  readonly endsAt: number;
}

const MAX_LENGTH = 4_096;
const MAX_JTI = 256;
/**
 * The maximum age of a proof in seconds, and the maximum number of seconds by which its `iat` may be in the
 * future. The clock of the client may be ahead.
 */
const [OLD_SECONDS, AHEAD_SECONDS] = [65, 10];
const HEADER_MEMBERS: ReadonlySet<string> = new Set(['typ', 'alg', 'jwk']);

export async function checkDpop(text: string, terms: DpopTerms): Promise<DpopProof | undefined> {
  const parts = openCompact(text, MAX_LENGTH);
  const [header, claims] = [parts?.header(), parts?.claims()];
  if (parts === undefined || header === undefined || claims === undefined) return undefined;
  const jwk = keyOf(header);
  if (jwk === undefined || !(await isFor(claims, terms)) || !(await isSignedWith(jwk, parts)))
    return undefined;
  const { jti, iat } = claims as { readonly jti: string; readonly iat: number };
  return {
    jkt: await digestThumbprint({ ...jwk }),
    jti,
    endsAt: (iat + OLD_SECONDS + AHEAD_SECONDS) * 1_000,
  };
}

/** Returns the public key in the header. Returns `undefined` for another header, and for a private key. */
function keyOf(header: JsonMembers): PublicJwk | undefined {
  if (header['typ'] !== 'dpop+jwt' || !Object.keys(header).every((name) => HEADER_MEMBERS.has(name)))
    return undefined;
  const jwk = publicJwkOf(header['jwk']);
  if (jwk === undefined || 'd' in Object(header['jwk'])) return undefined;
  return algorithmNamed(header['alg']) === algorithmOf(jwk) ? jwk : undefined;
}

async function isFor({ htm, htu, iat, jti, ath }: JsonMembers, terms: DpopTerms): Promise<boolean> {
  if (htm !== terms.method || typeof htu !== 'string' || !isSameUrl(htu, terms.url)) return false;
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return false;
  const age = terms.at / 1_000 - iat;
  if (age > OLD_SECONDS || age < -AHEAD_SECONDS) return false;
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > MAX_JTI) return false;
  return terms.token === undefined || ath === (await encodedDigest(terms.token));
}

function isSameUrl(url: string, expectedUrl: string): boolean {
  if (/[?#]/.test(url)) return false;
  try {
    return new URL(url).href === new URL(expectedUrl).href;
  } catch {
    return false;
  }
}
