import { IdentityError } from '../../errors.ts';

/** The reason why a signed passport is invalid: the first check that failed. */
export type PassportProblem =
  | 'malformed'
  | 'type'
  | 'algorithm'
  | 'issuer'
  | 'claims'
  | 'time'
  | 'unresolved'
  | 'key'
  | 'signature'
  | 'status'
  | 'suspended'
  | 'revoked';

/** The reason why a permit is invalid: the first check that failed. */
export type PermitProblem =
  | Exclude<PassportProblem, 'status' | 'suspended' | 'revoked'>
  | 'audience'
  | 'deed'
  | 'bound'
  | 'used';

const SENTENCES: Readonly<Record<PassportProblem | PermitProblem, string>> = {
  malformed: 'It is not a compact JWS of strict JSON, or its header has a member that is not read',
  type: 'Its type is not the one that is read here',
  algorithm: 'Its algorithm does not fit the key',
  issuer: 'It was not issued by one of the issuers that are trusted',
  claims: 'A claim is missing, unknown or malformed',
  time: 'It is not valid at this time',
  unresolved: 'The keys of its issuer could not be read',
  key: 'Its issuer has no such key',
  signature: 'Its signature does not fit the key',
  status: 'Its status could not be read, or is unknown',
  suspended: 'The passport is suspended',
  revoked: 'The passport is revoked',
  audience: 'It is for another resource, or for another environment',
  deed: 'It permits another action',
  bound: 'It is bound to a key of the agent, which was not confirmed',
  used: 'It was used before, or its use could not be noted',
};

/** Returns an `invalid_token` error with `details.problem`. The error contains no part of the token. */
export function invalidToken(problem: PassportProblem | PermitProblem, cause?: unknown): IdentityError {
  return new IdentityError('invalid_token', `The token is refused: ${SENTENCES[problem]}.`, {
    cause,
    details: { problem },
  });
}
