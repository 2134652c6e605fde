import type { UpdateOptions } from '../core.ts';
import { wrongField } from '../errors.ts';

/**
 * Reads `If-Narrower`.
 *
 * @throws {IdentityError} `invalid_request` for any value except `true`, because the condition of the client must not
 * be ignored.
 */
export function readIfNarrower(header: string | undefined): Pick<UpdateOptions, 'ifNarrower'> {
  if (header === undefined) return {};
  if (header !== 'true') {
    throw wrongField('', 'malformed', 'If-Narrower must be true.');
  }
  return { ifNarrower: true };
}
