import type { UpdateOptions } from '../core.ts';
import { invalidRequest } from '../errors.ts';

/** Reads `If-Narrower`. Any value but `true` is `invalid_request`: to ignore it would drop the client's condition. */
export function readIfNarrower(header: string | undefined): Pick<UpdateOptions, 'ifNarrower'> {
  if (header === undefined) return {};
  if (header !== 'true') {
    throw invalidRequest([{ path: '', code: 'malformed', message: 'If-Narrower must be true.' }]);
  }
  return { ifNarrower: true };
}
