import { generateKeyPair, importPrivateKey, signBytes } from '../../src/platform/signing.ts';
import type { Signer } from '../../src/ports/signer.ts';
import { thumbprintOf } from '../../src/tokens/signing/thumbprint.ts';

/** A signer outside the service, with one key for passports. */
export async function makeSigner(): Promise<Signer> {
  const { private_jwk, public_jwk } = await generateKeyPair('EdDSA');
  const kid = thumbprintOf(public_jwk);
  const key = await importPrivateKey('EdDSA', private_jwk);
  const dates = { not_before: '2026-01-01T00:00:00.000Z', retire_at: null };
  return {
    keys: async () => [{ kid, purpose: 'passport', alg: 'EdDSA', public_jwk, ...dates }],
    sign: async (_, data) => ({ kid, signature: await signBytes('EdDSA', key, data) }),
  };
}
