/** Checks a passport to issue as a whole, and converts it to its stored form. */
import { refuseAny } from '../../errors.ts';
import type { PassportStanding } from '../../records/state.ts';
import type { PassportInput } from '../../records.ts';
import { checkCopy, type Judge } from '../../schema/check.ts';
import type { OnceOptions } from '../shared/idempotency.ts';
import type { PassportFields } from './collections.ts';
import { canonicalFields, crossErrors, type FieldOptions, fieldErrors } from './passport-fields.ts';
import { sizeErrors } from './passport-size.ts';
import { proofErrors } from './proof-rules.ts';
import { checkStanding } from './standing.ts';

/** The options of a new passport. */
export interface CreateOptions extends OnceOptions {
  /**
   * The state of a passport that is moved here: suspended or revoked from its first version on, stored in the same
   * write. It may have expired before, and its parent may be revoked. By default the passport is new and active.
   */
  readonly standing?: PassportStanding | undefined;
}

/** A checked passport. */
export interface SoundPassport {
  readonly fields: PassportFields;
  readonly standing: PassportStanding | undefined;
  /** The request as it was given: a repeated request is recognised by it. */
  readonly asked: object;
}

/** Returns the checked passport, or throws `invalid_request` with every error. */
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
