/**
 * Signs tokens that anyone can check with the JWK set: compact JWS (RFC 7515) with an explicit type (RFC 8725 section
 * 3.11).
 */

import { instantSpeller } from '../base/values/instant.ts';
import { IdentityError } from '../errors.ts';
import type { PublicJwk, PublicSigningKey, Signer } from '../ports/signer.ts';
import type { Clock } from '../ports/storage.ts';
import { signingKeyAt } from '../tokens/signing/key-state.ts';
import { signCompact } from '../tokens/signing/sign-compact.ts';
import { PASSPORT_PURPOSE } from './stored-signer.ts';

/** A signed token, and the id of the key that signed it. */
export interface SignedToken {
  readonly token: string;
  /** The RFC 7638 thumbprint of the key. */
  readonly kid: string;
}

/** Signs tokens. */
export interface TokenSigner {
  /** Signs a token with these claims. `type` is the `typ` of its header. Uses the current key. */
  sign(type: string, claims: object): Promise<SignedToken>;
  /** Returns the published keys for tokens, by their thumbprints. */
  keys(): Promise<ReadonlyMap<string, PublicJwk>>;
}

/**
 * The maximum number of attempts. One key rotation may happen between the choice of the key and its use, but hardly
 * two.
 */
const MAX_TRIES = 3;

/** Creates a signer of tokens from a signer of bytes. */
export function createTokenSigner(signer: Signer, clock: Clock): TokenSigner {
  const expectedKey = createKeyFinder(signer, clock);

  return {
    async keys() {
      const publishedKeys = (await signer.keys()).filter(({ purpose }) => purpose === PASSPORT_PURPOSE);
      return new Map(publishedKeys.map(({ kid, public_jwk }) => [kid, public_jwk]));
    },

    async sign(type, claims) {
      const payload = JSON.stringify(claims);
      let key = await expectedKey();
      for (let tries = 0; tries < MAX_TRIES && key !== undefined; tries += 1) {
        const { alg, kid } = key;
        let usedKid = '';
        const token = await signCompact(JSON.stringify({ alg, kid, typ: type }), payload, async (data) => {
          const signature = await signer.sign(PASSPORT_PURPOSE, data);
          usedKid = signature.kid;
          return signature.signature;
        });
        if (usedKid === kid) return { token, kid };
        // The header names the key, so a token for another key is made again.
        key = (await signer.keys()).find((key) => key.kid === usedKid);
      }
      throw new IdentityError('internal', 'The signer signs with a key that it does not publish.');
    },
  };
}

/** Signs the data with Ed25519. Returns `undefined` if the current key has another algorithm. */
export type SignEd25519 = (data: Uint8Array) => Promise<Uint8Array | undefined>;

function createKeyFinder(signer: Signer, clock: Clock): () => Promise<PublicSigningKey | undefined> {
  const spellInstant = instantSpeller();
  return async () => {
    const keys = await signer.keys();
    const live = keys.map((key) => ({ ...key, revoked_at: null }));
    return signingKeyAt(live, PASSPORT_PURPOSE, spellInstant(clock.now()));
  };
}

/** Creates the function that signs with the Ed25519 key of a signer. */
export function createEd25519Signer(signer: Signer, clock: Clock): SignEd25519 {
  const expectedKey = createKeyFinder(signer, clock);
  return async (data) => {
    const signingKey = await expectedKey();
    if (signingKey?.alg !== 'EdDSA') return undefined;
    const { kid, signature } = await signer.sign(PASSPORT_PURPOSE, data);
    // A rotation in between may have brought a key of another algorithm.
    const usedKey =
      kid === signingKey.kid ? signingKey : (await signer.keys()).find((key) => key.kid === kid);
    return usedKey?.alg === 'EdDSA' ? signature : undefined;
  };
}
