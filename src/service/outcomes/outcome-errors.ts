/** The errors of reports that their schema does not find. */
import { mustBe } from '../../base/values/expected.ts';
import { parseInstant } from '../../base/values/instant.ts';
import type { FieldError } from '../../errors.ts';

/** The 18 digits of a process, and eight digits of a count. */
const DECISION_ID = /^dec_[0-9A-Za-z]{26}$/;
const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** Tests the text of each field. */
const FITS: Readonly<Record<string, (text: string) => boolean>> = {
  decision_id: (text) => DECISION_ID.test(text),
  evaluated_at: (text) => parseInstant(text) !== undefined,
  code: (text) => CODE.test(text),
};

/** Returns an error for each text of a report that is malformed. */
export function outcomeErrors(input: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const { outcomes } = input;
  if (!Array.isArray(outcomes)) return [];
  return outcomes.flatMap((report: unknown, index) =>
    Object.entries(FITS).flatMap(([field, fits]) => {
      const text = Object(report)[field];
      if (typeof text !== 'string' || fits(text)) return [];
      const path = `/outcomes/${index}/${field}`;
      return [{ path, code: 'malformed', message: mustBe(path) }];
    }),
  );
}
