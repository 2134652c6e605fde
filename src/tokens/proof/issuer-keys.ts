/** Finds the keys of issuers of signed passports: from the caller, or from their DID documents. */

import { isDomain } from '../../base/values/agent-id.ts';
import { parseStrictly } from '../../json/parse-strictly.ts';
import type { PublicJwk } from '../../records/key.ts';
import { isCoordinate } from './coordinate.ts';
import { createFetchBytes, type FetchBytes } from './fetch-bytes.ts';
import { invalidToken } from './invalid-token.ts';
import { digestThumbprint } from './thumbprint.ts';

/** Keys by their RFC 7638 thumbprint. */
export type IssuerKeys = ReadonlyMap<string, PublicJwk>;

/** The keys of issuers from a caller: a list of JWKs, or a JWK set. */
export type GivenKeys = readonly object[] | { readonly keys: readonly object[] };

/** The error text if issuers are not DIDs of domains. */
export const WRONG_ISSUERS = 'issuers must be a list of DIDs of domains, such as did:web:example.com';

/** The error text if keys cannot be read. */
export const WRONG_KEYS = 'keys must be JWKs on Ed25519 or P-256, or a JWK set of them';

const DID_WEB = 'did:web:';

/** Returns `true` if the value is a DID of a domain, such as `did:web:example.com` or `did:web:example.com%3A8443`. */
function isIssuer(text: unknown): text is string {
  if (typeof text !== 'string' || !text.startsWith(DID_WEB)) return false;
  return isDomain(text.slice(DID_WEB.length), { allowLocalhost: true });
}

/** Returns `true` if the value is a list of at least one DID of a domain. */
export function areIssuers(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isIssuer);
}

/** Returns the JWKs from a caller. Returns an empty list for anything else. */
export function jwkList(value: GivenKeys): readonly unknown[] {
  const list: unknown = Array.isArray(value) ? value : Object(value).keys;
  return Array.isArray(list) ? list : [];
}

/** Returns `true` if the value is a public key of Ed25519 or P-256. */
export function isPublicJwk(value: unknown): boolean {
  return publicJwkOf(value) !== undefined;
}

/** Returns the Ed25519 and P-256 keys of a list of JWKs. Each key is identified by its members, not by its `kid`. */
export async function keysByThumbprint(jwks: readonly unknown[]): Promise<IssuerKeys> {
  const keys = jwks.map(publicJwkOf).filter((jwk) => jwk !== undefined);
  return new Map(await Promise.all(keys.map(async (jwk) => [await digestThumbprint(jwk), jwk] as const)));
}

/** Returns a public key with only its defining members. Returns `undefined` for any other kind of key. */
export function publicJwkOf(value: unknown): PublicJwk | undefined {
  const { kty, crv, x, y, use = 'sig' } = Object(value) as Readonly<Record<string, unknown>>;
  if (!isCoordinate(x) || use !== 'sig') return undefined;
  if (kty === 'OKP' && crv === 'Ed25519') return { kty, crv, x };
  return kty === 'EC' && crv === 'P-256' && isCoordinate(y) ? { kty, crv, x, y } : undefined;
}

/**
 * Fetches the keys with which the issuer currently signs statements, from `assertionMethod` of its DID document
 * (did:web).
 */
export async function resolveKeys(issuer: string, fetchBytes: FetchBytes): Promise<IssuerKeys> {
  try {
    const authority = issuer.slice(DID_WEB.length).replace('%3A', ':');
    const document: unknown = parseStrictly(await fetchBytes(`https://${authority}/.well-known/did.json`));
    return await keysOfDocument(document, issuer);
  } catch (cause) {
    throw invalidToken('unresolved', cause);
  }
}

type Method = Readonly<Record<string, unknown>>;

/**
 * Returns the keys of `assertionMethod`, which contains keys or names methods of the document, absolutely or as
 * `#fragment` (DID Core 1.0, section 5.3). A method of another DID, or with another controller, never counts.
 */
function keysOfDocument(document: unknown, issuer: string): Promise<IssuerKeys> {
  const { id, verificationMethod = [], assertionMethod } = Object(document) as Method;
  if (id !== issuer || !Array.isArray(verificationMethod) || !Array.isArray(assertionMethod)) {
    throw new TypeError('This is not the DID document of the issuer.');
  }
  const methodIds = new Set(assertionMethod.map((entry) => absolute(entry, issuer) ?? ''));
  const methods = verificationMethod.map((method): Method => Object(method));
  const embeddedKeys = assertionMethod
    .filter((entry) => typeof entry === 'object')
    .map((entry): Method => Object(entry));
  const ownKeys = [
    ...methods.filter((method) => methodIds.has(absolute(method['id'], issuer) ?? '-')),
    ...embeddedKeys,
  ].filter((method) => method['controller'] === issuer && absolute(method['id'], issuer) !== undefined);
  return keysByThumbprint(ownKeys.map((method) => method['publicKeyJwk']));
}

function absolute(reference: unknown, issuer: string): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const url = reference.startsWith('#') ? issuer + reference : reference;
  return url.startsWith(`${issuer}#`) && url.length > issuer.length + 1 ? url : undefined;
}

/** Returns the keys of an issuer for a token that names one of them. `now` is in milliseconds since the Unix epoch. */
type KeptKeys = (issuer: string, thumbprint: string, now: number) => Promise<IssuerKeys>;

const KEPT_MS = 300_000;

/**
 * The minimum milliseconds between two fetches for unknown keys. An unknown key may be new, but anyone can name an
 * unknown key.
 */
const UNKNOWN_MS = 10_000;

interface Kept {
  readonly keys: IssuerKeys;
  /** The instant of the last fetch, including fetches because of an unknown key. */
  readonly triedAt: number;
  readonly readAt: number;
}

/**
 * Caches the keys of each issuer for 300 s. Rejects with `unresolved` if the cached keys are older and cannot be read
 * again.
 */
export function keepKeys(fetch: typeof globalThis.fetch | undefined, resolve: typeof resolveKeys): KeptKeys {
  const entries = new Map<string, Kept>();
  const reading = new Map<string, Promise<IssuerKeys>>();

  function read(issuer: string, now: number): Promise<IssuerKeys> {
    const keysPromise = reading.get(issuer);
    if (keysPromise !== undefined) return keysPromise;
    const answer = resolve(issuer, createFetchBytes(issuer, fetch))
      .then((keys) => {
        entries.set(issuer, { keys, triedAt: now, readAt: now });
        return keys;
      })
      .finally(() => reading.delete(issuer));
    reading.set(issuer, answer);
    return answer;
  }

  return async (issuer, thumbprint, now) => {
    const entry = entries.get(issuer);
    if (entry === undefined || !isWithin(entry.readAt, now, KEPT_MS)) return read(issuer, now);
    if (entry.keys.has(thumbprint)) return entry.keys;
    if (!reading.has(issuer) && isWithin(entry.triedAt, now, UNKNOWN_MS)) return entry.keys;
    entries.set(issuer, { ...entry, triedAt: now });
    // The keys that are known stay good for the tokens of others.
    return read(issuer, now).catch(() => entry.keys);
  };
}

/**
 * Returns `true` if `now` is less than `ms` after `start`. Returns `false` if `now` is before `start`. The
 * clock was then set back, and the age of the keys is unknown.
 */
function isWithin(start: number, now: number, ms: number): boolean {
  return now >= start && now - start < ms;
}
