import { mustBe } from '../../base/values/expected.ts';
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { Instant } from '../../records.ts';
import type { Context } from './context.ts';

/** The instant as it is stored, or `invalid_request` at `path` for another text and for an instant that is not in the future. */
export function futureInstant(context: Context, path: string, text: string): Instant {
  refuseAny(futureErrors(context, path, text));
  return formatInstant(parseInstant(text) ?? Number.NaN);
}

/** What keeps a text from being an instant in the future. The schema refuses other types. */
export function futureErrors(context: Context, path: string, text: unknown): readonly FieldError[] {
  const errors = instantErrors(path, text);
  if (typeof text !== 'string' || errors.length > 0) return errors;
  if ((parseInstant(text) ?? Number.NaN) > context.clock.now()) return [];
  return [{ path, code: 'not_in_future', message: 'This must be an instant in the future.' }];
}

/** What keeps a text from being an instant. The schema refuses other types. */
export function instantErrors(path: string, text: unknown): readonly FieldError[] {
  if (typeof text !== 'string' || parseInstant(text) !== undefined) return [];
  return [{ path, code: 'malformed', message: mustBe(path) }];
}
