/** Signatures over bytes, without a token, that anyone can check by the JWK set. */
import { instantSpeller } from '../../base/values/instant.ts';
import type { PublicSigningKey, Signer } from '../../ports/signer.ts';
import type { Clock } from '../../ports/storage.ts';
import { signingKeyAt } from '../../signing/key-state.ts';
import { PASSPORT_PURPOSE } from './key-record.ts';

/** Signs the data with Ed25519; returns `undefined` if the current key has another algorithm. */
export type SignEd25519 = (data: Uint8Array) => Promise<Uint8Array | undefined>;

/** Makes a function that finds the current key of a signer. */
export function createKeyFinder(signer: Signer, clock: Clock): () => Promise<PublicSigningKey | undefined> {
  const spellInstant = instantSpeller();
  return async () => {
    const keys = await signer.keys();
    const live = keys.map((key) => ({ ...key, revoked_at: null }));
    return signingKeyAt(live, PASSPORT_PURPOSE, spellInstant(clock.now()));
  };
}

/** Makes the function that signs with the Ed25519 key of a signer. */
export function createEd25519Signer(signer: Signer, clock: Clock): SignEd25519 {
  const expectedKey = createKeyFinder(signer, clock);
  return async (data) => {
    const expected = await expectedKey();
    if (expected?.alg !== 'EdDSA') return undefined;
    const { kid, signature } = await signer.sign(PASSPORT_PURPOSE, data);
    // A rotation in between may have brought a key of another algorithm.
    const used = kid === expected.kid ? expected : (await signer.keys()).find((key) => key.kid === kid);
    return used?.alg === 'EdDSA' ? signature : undefined;
  };
}
