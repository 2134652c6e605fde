/** Checks the signatures of assertions of trusted issuers. */

import { createBoundedMap } from '../base/bounded-map.ts';
import { isIssuerUrl } from '../base/values/trusted-issuer.ts';
import { IdentityError } from '../errors.ts';
import { readJson } from '../json/read-json.ts';
import { importTrustedKey, verifyAssertion } from '../platform/assertion-signatures.ts';
import type { AssertionAlgorithm, TrustedIssuer, TrustedKey } from '../records.ts';
import { createFetchBytes } from '../tokens/proof/fetch-bytes.ts';
import { thumbprintOf } from '../tokens/signing/thumbprint.ts';
import { fitsAlgorithm, publishedKey } from '../tokens/signing/trusted-key.ts';
import type { SignatureChecks } from './authenticate.ts';
import type { ReadAssertion } from './read-assertion.ts';

/** Says whether a key of the issuer signed the assertion. Rejects if the keys of the issuer cannot be read. */
export type TrustedSignatures = (read: ReadAssertion, entry: TrustedIssuer) => Promise<boolean>;

const LEAST_IMPORTED = 1_000;

export function createTrustedSignatures({
  checks,
  ...options
}: TrustedKeysOptions & { readonly checks: SignatureChecks }): TrustedSignatures {
  const keysOf = createTrustedKeys(options);
  const importedKeys = createBoundedMap<string, Promise<CryptoKey>>(LEAST_IMPORTED);

  function keyFor(alg: AssertionAlgorithm, jwk: TrustedKey): Promise<CryptoKey> {
    const name = `${alg} ${JSON.stringify(jwk)}`;
    const keyPromise = importedKeys.get(name);
    if (keyPromise !== undefined) return keyPromise;
    const importing = importTrustedKey(alg, jwk);
    importedKeys.set(name, importing);
    return importing;
  }

  async function isSignedWith(jwk: TrustedKey, { alg, parts }: ReadAssertion): Promise<boolean> {
    try {
      const signedFields = { data: parts.signed(), signature: parts.signature() };
      return await verifyAssertion(alg, await keyFor(alg, jwk), signedFields);
    } catch {
      // A key or an algorithm that the runtime does not support proves nothing.
      return false;
    }
  }

  return async (read, entry) => {
    const keys = await keysOf(entry, (keys) => keysNamed(keys, read).length > 0);
    for (const key of keysNamed(keys, read)) {
      if (await checks(() => isSignedWith(key, read))) return true;
    }
    return false;
  };
}

function keysNamed(
  keys: readonly TrustedKey[],
  { alg, kid }: Pick<ReadAssertion, 'alg' | 'kid'>,
): readonly TrustedKey[] {
  const fitting = keys.filter((key) => fitsAlgorithm(key, alg));
  if (kid === undefined) return fitting.length === 1 ? fitting : [];
  return fitting.filter((key) => (key.kid ?? nameOf(key)) === kid).slice(0, MAX_SAME_NAME);
}

/** The maximum number of keys with the same name to try, because each costs a signature check. */
const MAX_SAME_NAME = 2;

function nameOf({ kid: _, alg: __, use: ___, ...members }: TrustedKey): string {
  return thumbprintOf(members);
}

// Finds the keys of trusted issuers, in the passport or on the site of the issuer (OpenID Connect Discovery).

/**
 * Returns the keys of an issuer. `isEnough` says whether a list of keys contains the key of the assertion. If not, the
 * keys are fetched again.
 */
type TrustedKeys = (
  entry: TrustedIssuer,
  isEnough: (keys: readonly TrustedKey[]) => boolean,
) => Promise<readonly TrustedKey[]>;

interface TrustedKeysOptions {
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly allowLocalhost: boolean;
  readonly monotonic: () => number;
}

const KEPT_MS = 300_000;
/** The minimum time between two fetches for an unknown key. Anyone can cause such a fetch by naming an unknown key. */
const UNKNOWN_MS = 10_000;
const FAILED_MS = 1_000;
const LEAST_ISSUERS = 1_000;
const MAX_READS = 16;
const MAX_PUBLISHED = 100;

interface Kept {
  /** The keys; `undefined` after a failed fetch. */
  readonly keys: readonly TrustedKey[] | undefined;
  readonly readAt: number;
  readonly triedAt: number;
}

function createTrustedKeys({ fetch, allowLocalhost, monotonic }: TrustedKeysOptions): TrustedKeys {
  const keptKeySets = createBoundedMap<string, Kept>(LEAST_ISSUERS);
  const reading = new Map<string, Promise<readonly TrustedKey[]>>();

  async function fetched(issuer: string): Promise<readonly TrustedKey[]> {
    const triedAt = monotonic();
    const entryBefore = keptKeySets.get(issuer);
    try {
      const keys = await publishedKeys(issuer, { fetch, allowLocalhost });
      keptKeySets.set(issuer, { keys, readAt: triedAt, triedAt });
      return keys;
    } catch (cause) {
      keptKeySets.set(issuer, { keys: entryBefore?.keys, readAt: entryBefore?.readAt ?? triedAt, triedAt });
      throw unreadable(cause);
    } finally {
      reading.delete(issuer);
    }
  }

  function read(issuer: string): Promise<readonly TrustedKey[]> {
    const keysPromise = reading.get(issuer);
    if (keysPromise !== undefined) return keysPromise;
    if (reading.size >= MAX_READS) throw unreadable(undefined);
    const answer = fetched(issuer);
    reading.set(issuer, answer);
    return answer;
  }

  return async ({ issuer, keys }, isEnough) => {
    if (keys !== undefined) return keys;
    const [entry, now] = [keptKeySets.get(issuer), monotonic()];
    if (entry?.keys === undefined || now - entry.readAt >= KEPT_MS) {
      if (entry !== undefined && now - entry.triedAt < FAILED_MS) throw unreadable(undefined);
      return read(issuer);
    }
    if (isEnough(entry.keys)) return entry.keys;
    return now - entry.triedAt < UNKNOWN_MS && !reading.has(issuer) ? entry.keys : read(issuer);
  };
}

async function publishedKeys(
  issuer: string,
  { fetch, allowLocalhost }: Pick<TrustedKeysOptions, 'fetch' | 'allowLocalhost'>,
): Promise<readonly TrustedKey[]> {
  const fetchBytes = createFetchBytes(issuer, fetch);
  const read = async (url: string): Promise<Readonly<Record<string, unknown>>> =>
    Object(readJson(await fetchBytes(url)));
  const document = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { jwks_uri } = document;
  if (document['issuer'] !== issuer) throw new TypeError('This is not the document of the issuer.');
  if (typeof jwks_uri !== 'string' || !isKeyAddress(jwks_uri, issuer, allowLocalhost))
    throw new TypeError('The document names no address of keys.');
  const { keys } = await read(jwks_uri);
  if (!Array.isArray(keys)) throw new TypeError('This is not a JWK set.');
  return keys.slice(0, MAX_PUBLISHED).flatMap((key: unknown) => publishedKey(key) ?? []);
}

/**
 * Says whether keys may be fetched from this address. If the issuer has an https URL, the address must be
 * https. Otherwise the issuer is on this machine, and the address must have the same host and port.
 */
function isKeyAddress(url: string, issuer: string, allowLocalhost: boolean): boolean {
  const bare = url.replace(/\?[^#]*$/, '');
  if (!isIssuerUrl(bare, { allowLocalhost })) return false;
  const { protocol, host } = new URL(bare);
  const local = new URL(issuer);
  return local.protocol === 'https:' ? protocol === 'https:' : host === local.host;
}

function unreadable(cause: unknown): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'The keys of the issuer cannot be read now. Try again.', {
    cause,
    details,
  });
}
