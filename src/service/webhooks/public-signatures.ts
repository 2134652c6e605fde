/** Signatures that receivers check with the published keys of the service instead of a secret: `v1a` of Standard Webhooks. */
import { publicSignature } from '../../credential/webhook-secret.ts';
import type { Context } from '../shared/context.ts';
import type { SignEd25519 } from '../signing/signing.ts';
import { createFailureLine } from './failure-line.ts';

/** The signature over the content as the header has it; none where the key that signs now is not of Ed25519. */
export type SignPublicly = (content: Uint8Array) => Promise<readonly string[]>;

/**
 * The signatures by a signer. While that fails there are none: receivers that know the secret of their webhook do not
 * need them, and the others refuse the request, which is tried again later.
 */
export function createPublicSignatures(context: Context, sign: SignEd25519): SignPublicly {
  const failures = createFailureLine(context, {
    event: 'webhooks_unsigned',
    message: 'Webhooks are sent without the signature v1a.',
  });
  return async (content) => {
    try {
      const signature = await sign(content);
      failures.over();
      return signature === undefined ? [] : [publicSignature(signature)];
    } catch (error) {
      failures.report(error);
      return [];
    }
  };
}
