import { IdentityError } from '../../errors.ts';

export function keyRefused(): IdentityError {
  return new IdentityError('unauthenticated', 'The API key is missing or not valid. Use an active key.');
}
