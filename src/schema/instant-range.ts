import { parseInstant } from '../base/values/instant.ts';
import type { FieldError } from '../errors.ts';
import type { Instant } from '../records.ts';
import { mustBe } from './expected.ts';

/** A range of time in a request. */
export interface RangeRequest {
  /** The start, inclusive. */
  readonly from?: Instant;
  /** The end, exclusive. */
  readonly to?: Instant;
}

/** Returns both ends in milliseconds since the Unix epoch; `undefined` for an end that is absent or not an instant. */
export function readRange({ from, to }: RangeRequest): { from: number | undefined; to: number | undefined } {
  return {
    from: from === undefined ? from : parseInstant(from),
    to: to === undefined ? to : parseInstant(to),
  };
}

/** Returns the errors of a range: `from` or `to` is not an instant, or `from` is after `to`. */
export function rangeErrors(range: RangeRequest): readonly FieldError[] {
  const malformedErrors = (['from', 'to'] as const)
    .filter((end) => range[end] !== undefined && parseInstant(range[end]) === undefined)
    .map((end) => ({ path: `/${end}`, code: 'malformed', message: mustBe(`/${end}`) }));
  return [...malformedErrors, ...orderErrors(readRange(range))];
}

/** Returns an error if `from` is after `to`. An absent end causes no error. */
export function orderErrors({
  from,
  to,
}: {
  readonly from: number | undefined;
  readonly to: number | undefined;
}): readonly FieldError[] {
  if (from === undefined || to === undefined || from <= to) return [];
  return [{ path: '/from', code: 'out_of_range', message: 'This must not be later than to.' }];
}
