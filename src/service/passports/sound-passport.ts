/** A passport to issue is checked as a whole, and spelled as it is stored. */
import { refuseAny } from '../../errors.ts';
import type { PassportFields } from '../../ports/stored-records.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { PassportInput } from '../../records.ts';
import { checkCopy, type Judge } from '../../schema/check.ts';
import type { OnceOptions } from '../shared/idempotency.ts';
import { canonicalFields, crossErrors, type FieldOptions, fieldErrors } from './passport-fields.ts';
import { sizeErrors } from './passport-size.ts';
import { proofErrors } from './proof-rules.ts';
import { checkStanding } from './standing.ts';

/** How a passport is issued. */
export interface CreateOptions extends OnceOptions {
  /**
   * For a passport that is moved here: whether it is suspended or revoked from its first version on, stored in the same
   * write. It may have expired before, and its parent may be revoked. By default the passport is new, and active.
   */
  readonly standing?: PassportStanding | undefined;
}

/** A passport that may be issued. */
export interface SoundPassport {
  readonly fields: PassportFields;
  readonly standing: PassportStanding | undefined;
  /** What was asked for: a repeated request is recognised by it. */
  readonly asked: object;
}

/** The passport, or `invalid_request` with every field that is wrong. */
export function soundPassport(options: FieldOptions, given: unknown, givenStanding: unknown): SoundPassport {
  const judge: Judge = (input) => [
    ...fieldErrors(input, options),
    ...proofErrors(input, options),
    ...crossErrors(input),
  ];
  const input = checkCopy<PassportInput>('PassportRequest', given, judge);
  const standing = givenStanding === undefined ? undefined : checkStanding(givenStanding);
  const fields = canonicalFields(input);
  refuseAny(sizeErrors(fields));
  return { fields, standing, asked: { ...input, ...standing } };
}
