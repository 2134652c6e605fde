/** Checks the signatures of assertions of trusted issuers. */
import { createBoundedMap } from '../base/bounded-map.ts';
import { importTrustedKey, verifyAssertion } from '../platform/assertion-signatures.ts';
import type { AssertionAlgorithm, TrustedIssuer, TrustedKey } from '../records.ts';
import { thumbprintOf } from '../tokens/signing/thumbprint.ts';
import { fitsAlgorithm } from '../tokens/signing/trusted-key.ts';
import type { SignatureChecks } from './authenticate-agent.ts';
import type { ReadAssertion } from './read-assertion.ts';
import { createTrustedKeys, type TrustedKeysOptions } from './trusted-keys.ts';

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
