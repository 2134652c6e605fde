/** The keys of agents. */
import { IdentityError } from '../errors.ts';
import { generateKeyPair, type PrivateJwk } from '../platform/signing.ts';
import type { PublicJwk, SigningAlgorithm } from '../ports/signer.ts';
import { digestThumbprint } from './thumbprint.ts';

/** A key pair of an agent. */
export interface AgentKeyPair {
  /** The private key. It stays with the agent: anyone who has it can prove to be the agent. */
  readonly private_jwk: PrivateJwk;
  /** The public key, for `public_keys` of the passport. */
  readonly public_jwk: PublicJwk;
  /** The RFC 7638 thumbprint of the public key: SHA-256, base64url, 43 characters. */
  readonly kid: string;
}

/**
 * Generates a key pair: `EdDSA` (Ed25519) by default, or `ES256` (P-256). Rejects with `invalid_configuration` when the
 * runtime lacks the algorithm.
 */
export async function generateAgentKey(alg: SigningAlgorithm = 'EdDSA'): Promise<AgentKeyPair> {
  if (alg !== 'EdDSA' && alg !== 'ES256') {
    throw new IdentityError('invalid_configuration', 'generateAgentKey: alg must be EdDSA or ES256.');
  }
  const { private_jwk, public_jwk } = await generateKeyPair(alg).catch((cause: unknown) => {
    const message = `generateAgentKey: this runtime cannot make keys for ${alg}.`;
    throw new IdentityError('invalid_configuration', message, { cause });
  });
  return { private_jwk, public_jwk, kid: await digestThumbprint(public_jwk) };
}
