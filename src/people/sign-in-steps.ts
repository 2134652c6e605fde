/** The two steps of a sign-in with OpenID Connect. Nothing is stored between them, so any node can handle each step. */

import type { Context } from '../core/shared/context.ts';
import { type FieldError, IdentityError, refuseAny } from '../errors.ts';
import { utf8Length } from '../platform/index.ts';
import type { OidcClaims, OidcProvider, OidcStart } from '../ports/oidc-provider.ts';

/** The answer of the issuer, which the browser brings back. */
export interface OidcAnswer {
  /** The `transaction` from the result of the first step. */
  readonly transaction: string;
  /** The query string with which the browser came back, at most 8 KiB. */
  readonly response: string;
}

/** The two steps of a sign-in with one issuer. */
export interface SignInSteps {
  /** Begins a sign-in; `service_unreachable` if the issuer does not answer within 5 s. */
  start(): Promise<OidcStart>;
  /**
   * Checks the transaction, and returns a function that asks the issuer for the claims of the person. This function
   * rejects with `invalid_credentials` for an answer that does not fit the transaction and for wrong claims. It rejects
   * with `service_unreachable` as in `start`.
   *
   * @throws {IdentityError} `invalid_credentials` for a transaction of another service or older than 10 minutes.
   */
  finish(answer: OidcAnswer): () => Promise<OidcClaims>;
}

export type StepParts = Pick<Context, 'seal' | 'clock' | 'awaitedAfter'>;

const VALID_MS = 10 * 60_000;
const ISSUER_MS = 5_000;
const MAX_RESPONSE_BYTES = 8 * 1024;
const MAX_TRANSACTION_LENGTH = 2_048;
/**
 * The purpose of the seal. The seals of list cursors have a JSON list in brackets as their purpose, so no
 * cursor is accepted as a transaction.
 */
const PURPOSE = 'transaction of OpenID Connect';

export function createSignInSteps(parts: StepParts, provider: OidcProvider): SignInSteps {
  return {
    async start() {
      const { url, transaction } = await inTime(parts, () => provider.start());
      const endMs = parts.clock.now() + VALID_MS;
      return { url, transaction: parts.seal.close(PURPOSE, JSON.stringify([endMs, transaction])) };
    },

    finish({ transaction, response }) {
      refuseAny(tooLong({ transaction, response }));
      const openedTransaction = openTransaction(parts, transaction);
      return async () =>
        checkedClaims(await inTime(parts, () => provider.finish(openedTransaction, response)));
    },
  };
}

function tooLong({ transaction, response }: OidcAnswer): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (transaction.length > MAX_TRANSACTION_LENGTH)
    errors.push({
      path: '/transaction',
      code: 'too_long',
      message: 'This must be the transaction as it was given.',
    });
  if (utf8Length(response) > MAX_RESPONSE_BYTES)
    errors.push({ path: '/response', code: 'too_long', message: 'This must be at most 8 KiB.' });
  return errors;
}

function openTransaction({ seal, clock }: StepParts, sealedText: string): string {
  const content = seal.open(PURPOSE, sealedText);
  if (content === undefined) throw signInRefused('transaction');
  const [endMs, transaction] = JSON.parse(content) as [number, string];
  if (clock.now() >= endMs) throw signInRefused('transaction_expired');
  return transaction;
}

/** Returns the claims if they identify a person. A provider is code of the application, so its result is checked. */
function checkedClaims(claims: OidcClaims): OidcClaims {
  const { iss, sub } = Object(claims) as Partial<OidcClaims>;
  if (isIdentifier(iss) && isIdentifier(sub)) return claims;
  throw signInRefused('claims');
}

/** The maximum length of `iss` and `sub`, in characters. OpenID Connect Core allows 255 ASCII characters for `sub`. */
const MAX_NAME_LENGTH = 1_024;

function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

/** Rejects if the issuer does not answer in time. */
export async function inTime<Answer>(
  { awaitedAfter }: Pick<StepParts, 'awaitedAfter'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = awaitedAfter(ISSUER_MS, () => reject(issuerUnreachable()));
  });
  try {
    return await Promise.race([ask(), late]);
  } finally {
    cancel();
  }
}

/** Creates the error for a person who may not sign in. */
export function signInRefused(reason: string): IdentityError {
  return new IdentityError('invalid_credentials', 'The sign-in was not completed. Begin it again.', {
    details: { reason },
  });
}

function issuerUnreachable(): IdentityError {
  return new IdentityError(
    'service_unreachable',
    'The issuer that signs people in did not answer in time. Try again.',
    {
      details: { retryAfterSeconds: 5 },
    },
  );
}

/** Returns a safe word for the log. The message of a provider may contain text of a third party. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof IdentityError)) return 'internal';
  const { reason } = error.details;
  return typeof reason === 'string' && /^[\w.-]{1,64}$/.test(reason) ? reason : error.code;
}
