/** The two steps of a sign-in with OpenID Connect. Nothing is stored between them, so that any node takes either. */
import { type FieldError, IdentityError, refuseAny } from '../../errors.ts';
import { utf8Length } from '../../platform/index.ts';
import type { OidcClaims, OidcProvider, OidcStart } from '../../ports/oidc-provider.ts';
import type { Context } from '../shared/context.ts';

/** The answer of the issuer, as the browser brings it. */
export interface OidcAnswer {
  /** The `transaction` of the first step. */
  readonly transaction: string;
  /** The query string with which the browser came back, at most 8 KiB. */
  readonly response: string;
}

/** Takes the two steps with one issuer. */
export interface SignInSteps {
  /** Begins a sign-in; `service_unreachable` if the issuer does not answer within 5 s. */
  start(): Promise<OidcStart>;
  /**
   * Returns the function that asks the issuer for the claims of the person.
   *
   * The function rejects with `invalid_credentials` for an answer that does not fit the transaction and for wrong
   * claims, and with `service_unreachable` as in `start`.
   *
   * @throws {IdentityError} `invalid_credentials` for a transaction of another service or older than 10 minutes. The
   * issuer is not asked.
   */
  finish(answer: OidcAnswer): () => Promise<OidcClaims>;
}

export type StepParts = Pick<Context, 'seal' | 'clock' | 'awaitedAfter'>;

const VALID_MS = 10 * 60_000;
const ISSUER_MS = 5_000;
const MAX_RESPONSE_BYTES = 8 * 1024;
const MAX_TRANSACTION_LENGTH = 2_048;
/** The purpose of the seal. Cursors have the list of their query here, in brackets. */
const PURPOSE = 'transaction of OpenID Connect';

export function createSignInSteps(parts: StepParts, provider: OidcProvider): SignInSteps {
  return {
    async start() {
      const { url, transaction } = await inTime(parts, () => provider.start());
      const until = parts.clock.now() + VALID_MS;
      return { url, transaction: parts.seal.close(PURPOSE, JSON.stringify([until, transaction])) };
    },

    finish({ transaction, response }) {
      refuseAny(tooLong({ transaction, response }));
      const opened = openTransaction(parts, transaction);
      return async () => checkedClaims(await inTime(parts, () => provider.finish(opened, response)));
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

function openTransaction({ seal, clock }: StepParts, sealed: string): string {
  const content = seal.open(PURPOSE, sealed);
  if (content === undefined) throw signInRefused('transaction');
  const [until, transaction] = JSON.parse(content) as [number, string];
  if (clock.now() >= until) throw signInRefused('transaction_expired');
  return transaction;
}

/** Returns the claims if they say who the person is: a provider is code of an application, and may err. */
function checkedClaims(claims: OidcClaims): OidcClaims {
  const { iss, sub } = Object(claims) as Partial<OidcClaims>;
  if (isIdentifier(iss) && isIdentifier(sub)) return claims;
  throw signInRefused('claims');
}

/** The longest `iss` and `sub`: OpenID Connect Core allows 255 characters of ASCII for `sub`. */
const MAX_NAME_LENGTH = 1_024;

function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

/** Gives up an issuer that does not answer in time. */
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

/** Makes the error of a person that may not sign in. */
export function signInRefused(reason: string): IdentityError {
  return new IdentityError('invalid_credentials', 'The sign-in was not completed. Begin it again.', {
    details: { reason },
  });
}

/** Makes the error of an issuer that does not answer in time. */
function issuerUnreachable(): IdentityError {
  return new IdentityError('service_unreachable', 'The issuer that signs people in did not answer in time.', {
    details: { retryAfterSeconds: 5 },
  });
}

/** Returns a word for the log. A provider is code of the application, and its texts may come from a third party. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof IdentityError)) return 'internal';
  const { reason } = error.details;
  return typeof reason === 'string' && /^[\w.-]{1,64}$/.test(reason) ? reason : error.code;
}
