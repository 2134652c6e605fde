import { IdentityError } from '../../errors.ts';

/** Makes the error of an API key that is not valid: it says no more, whatever the reason is. */
export function keyRefused(): IdentityError {
  return new IdentityError('unauthenticated', 'The API key is missing or not valid.');
}
