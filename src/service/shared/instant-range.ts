import { mustBe } from '../../base/expected.ts';
import { parseInstant } from '../../base/instant.ts';
import { type FieldError, invalidRequest } from '../../errors.ts';
import type { Instant } from '../../records.ts';

/** A stretch of time, as it is asked for. */
export interface RangeRequest {
  /** From this instant on. */
  readonly from?: Instant;
  /** Up to this instant, without it. */
  readonly to?: Instant;
}

/** The two ends in epoch milliseconds; `invalid_request` for what is no instant, or a `from` after `to`. */
export function readRange({ from, to }: RangeRequest): { from: number | undefined; to: number | undefined } {
  const errors: FieldError[] = [];
  const read = (path: string, text: string | undefined) => {
    const instant = text === undefined ? undefined : parseInstant(text);
    if (text !== undefined && instant === undefined) {
      errors.push({ path, code: 'malformed', message: mustBe(path) });
    }
    return instant;
  };
  const range = { from: read('/from', from), to: read('/to', to) };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) {
    errors.push({ path: '/from', code: 'out_of_range', message: 'This must not be later than to.' });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return range;
}
