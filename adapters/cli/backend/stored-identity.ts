import { IdentityError, type IdentityServiceOptions } from '../../../src/index.ts';

/**
 * Returns `true` when the environment lets a command on the storage accept localhost as a domain, with the same variable
 * as `serve`.
 */
export function allowsLocalhost(): boolean {
  return process.env['AGENT_IDENTITY_ALLOW_LOCALHOST'] === '1';
}

/**
 * Returns the option `identity` of a command on the storage: proofs of possession name the service as they do for `serve`
 * with the same variables. Nothing is signed, so no secret is needed.
 */
export function storedIdentity(): NonNullable<IdentityServiceOptions['identity']> {
  const { AGENT_IDENTITY_PUBLIC_URL: publicUrl, PORT: port = '3000' } = process.env;
  return {
    publicUrl: publicUrl ?? `http://localhost:${port}/api`,
    signer: {
      keys: async () => [],
      sign: async () => {
        throw new IdentityError('not_found', 'This verb signs nothing.');
      },
    },
  };
}
