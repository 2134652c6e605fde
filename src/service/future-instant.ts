import { invalidRequest } from '../errors.ts';
import { formatInstant, parseInstant } from '../instant.ts';
import type { Instant } from '../records.ts';
import type { Context } from './context.ts';

/** The instant as it is stored, or `invalid_request` at `path` when it is none or not in the future. */
export function futureInstant(context: Context, path: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw invalidRequest([{ path, code: 'malformed', message: 'This must be an RFC 3339 instant.' }]);
  }
  if (instant <= context.clock.now()) {
    throw invalidRequest([
      { path, code: 'not_in_future', message: 'This must be an instant in the future.' },
    ]);
  }
  return formatInstant(instant);
}
