/** The errors of a signed passport. */
import { IdentityError } from '../errors.ts';

/** The problems of a signed passport, each with its sentence. The first failed check is the problem. */
const SENTENCES = {
  malformed: 'It is not a compact JWS of strict JSON, or its header has a member that is not read',
  type: 'Its type is not agent-passport+jwt',
  algorithm: 'Its algorithm is not that of the key',
  issuer: 'It was not issued by one of the issuers that are trusted',
  claims: 'A claim is missing, unknown or malformed',
  time: 'It is not valid at this time',
  unresolved: 'The keys of its issuer could not be read',
  key: 'Its issuer has no such key',
  signature: 'Its signature is not that of the key',
  status: 'Its status could not be read, or is unknown',
  suspended: 'The passport is suspended',
  revoked: 'The passport is revoked',
} as const;

/** The first check that a signed passport failed. */
export type PassportProblem = keyof typeof SENTENCES;

/** Makes an `invalid_token` with `details.problem`. It contains nothing of the token. */
export function invalidToken(problem: PassportProblem, cause?: unknown): IdentityError {
  return new IdentityError('invalid_token', `The signed passport is refused: ${SENTENCES[problem]}.`, {
    cause,
    details: { problem },
  });
}
