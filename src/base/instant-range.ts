import type { FieldError } from '../errors.ts';
import type { Instant } from '../records.ts';
import { mustBe } from './expected.ts';
import { parseInstant } from './instant.ts';

/** A stretch of time, as it is asked for. */
export interface RangeRequest {
  /** From this instant on. */
  readonly from?: Instant;
  /** Up to this instant, without it. */
  readonly to?: Instant;
}

/** The two ends in epoch milliseconds; `undefined` for an end that is not given or cannot be read. */
export function readRange({ from, to }: RangeRequest): { from: number | undefined; to: number | undefined } {
  return {
    from: from === undefined ? from : parseInstant(from),
    to: to === undefined ? to : parseInstant(to),
  };
}

/** What is wrong with a range: an end that cannot be read, or a `from` after `to`. */
export function rangeErrors(range: RangeRequest): readonly FieldError[] {
  const malformed = (['from', 'to'] as const)
    .filter((end) => range[end] !== undefined && parseInstant(range[end]) === undefined)
    .map((end) => ({ path: `/${end}`, code: 'malformed', message: mustBe(`/${end}`) }));
  return [...malformed, ...orderErrors(readRange(range))];
}

/** The error of a range whose `from` is after its `to`. An end that is missing is in order. */
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
