/**
 * Creates signatures that receivers can check with the published keys of the service instead of a secret: `v1a` of
 * Standard Webhooks.
 */

import type { Context } from '../core/shared/context.ts';
import { publicSignature } from '../credential/webhook-secret.ts';
import { describeCause, IdentityError } from '../errors.ts';
import type { SignEd25519 } from '../identity/token-signer.ts';
import type { LogEvent } from '../ports/storage.ts';

/**
 * Creates the signature of the content for the header. Returns an empty list if the current key is not an Ed25519 key.
 */
export type SignPublicly = (content: Uint8Array) => Promise<readonly string[]>;

/**
 * Creates the signatures with a signer, if there is one. While the signer fails, requests have no such signature.
 * Receivers that use the secret of their webhook do not need this signature. Other receivers refuse the request, which
 * is repeated later.
 */
export function createPublicSignatures(
  context: Pick<Context, 'log'>,
  signer: () => SignEd25519 | undefined,
): SignPublicly {
  const failures = createFailureLine(context, {
    event: 'webhooks_unsigned',
    message: 'The signer failed, so webhooks are sent without the signature v1a. The service tries again.',
  });
  return async (content) => {
    try {
      const signature = await signer()?.(content);
      failures.over();
      return signature === undefined ? [] : [publicSignature(signature)];
    } catch (error) {
      failures.report(error);
      return [];
    }
  };
}

interface FailureLine {
  /** Logs a failure. An outage of the storage is logged elsewhere. */
  report(error: unknown): void;
  over(): void;
}

export function createFailureLine(
  { log }: Pick<Context, 'log'>,
  { event, message }: Pick<LogEvent, 'event' | 'message'>,
): FailureLine {
  let isFailing = false;
  return {
    report(error) {
      const isOutage = error instanceof IdentityError && error.code === 'storage_unavailable';
      if (!isFailing && !isOutage) log({ level: 'error', event, message, cause: describeCause(error) });
      isFailing = true;
    },
    over() {
      isFailing = false;
    },
  };
}
