/** The refusals of a sign-in with an issuer. Third parties see one error; the reason is for the log of the operator. */
import { IdentityError } from '../../errors.ts';

/** Makes the error of a person that may not sign in. */
export function signInRefused(reason: string): IdentityError {
  return new IdentityError('invalid_credentials', 'The sign-in was not completed. Begin it again.', {
    details: { reason },
  });
}

/** Makes the error of an issuer that does not answer in time. */
export function issuerUnreachable(): IdentityError {
  return new IdentityError('service_unreachable', 'The issuer that signs people in did not answer in time.', {
    details: { retryAfterSeconds: 5 },
  });
}

/** Returns a word for the log. A provider is code of the host, and its texts may be those of a third party. */
export function refusalReason(error: unknown): string {
  if (!(error instanceof IdentityError)) return 'internal';
  const { reason } = error.details;
  return typeof reason === 'string' && /^[\w.-]{1,64}$/.test(reason) ? reason : error.code;
}
