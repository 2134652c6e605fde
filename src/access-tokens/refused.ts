/** The refusals of the token endpoint (RFC 6749 section 5.2). No description repeats a text of the request. */
import { IdentityError } from '../errors.ts';
import type { AccessTokenError } from '../records/access-token.ts';

/** Makes the error `token_refused`; `details.error` is the code of OAuth. */
export function refused(error: AccessTokenError, message: string, decision_id?: string): IdentityError {
  return new IdentityError('token_refused', message, {
    details: { error, ...(decision_id !== undefined && { decision_id }) },
  });
}

/** Makes the error for a client that is not authenticated. It is the same for every cause. */
export function invalidClient(decision_id?: string): IdentityError {
  return refused('invalid_client', 'The agent is not authenticated.', decision_id);
}
