/** The failures of a sign-in: those of the person, those of the issuer, and those of the set-up. */
import { IdentityError } from '../../src/ports/index.ts';

/** Makes the error of an answer with which no person is signed in. `reason` is a word for the log, and no text of a third party. */
export function refused(reason: string): IdentityError {
  return new IdentityError('invalid_credentials', 'The sign-in was not completed. Begin it again.', {
    details: { reason },
  });
}

/** Makes the error of an issuer that does not answer as one. */
export function unreachable(cause: unknown): IdentityError {
  return new IdentityError('service_unreachable', 'The issuer that signs people in did not answer.', {
    cause,
    details: { retryAfterSeconds: 5 },
  });
}

/** The codes of `openid-client` for an issuer that does not answer, or with another page. */
const OUTAGES: readonly unknown[] = [
  ...['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'],
  'OAUTH_PARSE_ERROR',
];

/** The answers of a token endpoint that does not know this service, or not its secret. */
const SET_UP_WRONG: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** Turns an error of `openid-client` into one of ours. */
export function issuerFailure(error: unknown): IdentityError {
  if (error instanceof IdentityError) return error;
  const { code, error: answered } = Object(error) as { readonly code?: unknown; readonly error?: unknown };
  if (OUTAGES.includes(code) || isNetworkFailure(error)) return unreachable(error);
  // An error in the answer of the browser is a text that anyone can send.
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && SET_UP_WRONG.includes(answered)) {
    const message = 'The issuer refuses this service: compare its client id and its secret.';
    return new IdentityError('invalid_configuration', message, { details: { reason: answered } });
  }
  return refused(typeof code === 'string' ? code : 'failed');
}

/** Says whether `fetch` has failed: its `TypeError` has the failure of the network as its cause. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}
