/** The signal that a question is not decided here: its caller asks the service instead. */
import { IdentityError } from '../errors.ts';

/** Thrown where a question turns out to be one for the service. It never leaves the verifier. */
export const ELSEWHERE: IdentityError = Object.freeze(
  new IdentityError('internal', 'This question is for the service.'),
);
