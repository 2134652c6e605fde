import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { Instant } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { Context } from './context.ts';

export function futureInstant(context: Pick<Context, 'clock'>, path: string, text: string): Instant {
  refuseAny(futureErrors(context, path, text));
  return formatInstant(parseInstant(text) ?? Number.NaN);
}

export function futureErrors(
  context: Pick<Context, 'clock'>,
  path: string,
  text: unknown,
): readonly FieldError[] {
  const errors = instantErrors(path, text);
  if (typeof text !== 'string' || errors.length > 0) return errors;
  if ((parseInstant(text) ?? Number.NaN) > context.clock.now()) return [];
  return [{ path, code: 'not_in_future', message: 'This must be an instant in the future.' }];
}

/** Returns an error if the text is not an instant. The schema reports values that are not a text. */
export function instantErrors(path: string, text: unknown): readonly FieldError[] {
  if (typeof text !== 'string' || parseInstant(text) !== undefined) return [];
  return [{ path, code: 'malformed', message: mustBe(path) }];
}
