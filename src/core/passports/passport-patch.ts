/** Applies a JSON Merge Patch (RFC 7396) to the fields of a passport. */

import { MAX_METADATA_NAMES } from '../../base/values/field-limits.ts';
import { conflict, type FieldError, refuseAny } from '../../errors.ts';
import type { PassportInput, PassportPatch } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { passportRequestSchema } from '../../schema/validators.generated.ts';
import type { PassportFields, PassportRecord } from './collections.ts';
import { canonicalFields, crossErrors, type FieldOptions, fieldErrors } from './passport-fields.ts';
import { proofErrors, sizeErrors } from './sound-passport.ts';

const FIELDS: ReadonlySet<string> = new Set(passportRequestSchema.fields);

export function assertChangeable({ id, status }: PassportRecord): void {
  if (status === 'revoked')
    throw conflict(`The passport ${id} is revoked, which is permanent. Create another.`);
}

/**
 * Returns the record after the patch, or `undefined` if the patch changes nothing.
 *
 * @throws {IdentityError} `invalid_request` with every error. Each error path begins with `path`.
 */
export function patchedRecord(
  record: PassportRecord,
  patch: PassportPatch,
  options: FieldOptions,
  path = '',
): PassportRecord | undefined {
  const { fields, rest } = splitRecord(record);
  const mergedInput = mergePassport(fields, patch);
  const errors =
    Object.keys(mergedInput.metadata ?? {}).length > MAX_METADATA_NAMES
      ? [{ path: '/metadata', code: 'too_many', message: mustBe('/metadata') }]
      : [
          ...fieldErrors(mergedInput, options),
          ...proofErrors(mergedInput, options),
          ...crossErrors(mergedInput),
        ];
  const refuse = (errors: readonly FieldError[]): void =>
    refuseAny(errors.map((error) => ({ ...error, path: `${path}${error.path}` })));
  refuse(errors);
  const next = canonicalFields(mergedInput);
  refuse(sizeErrors(next));
  return sameFields(fields, next) ? undefined : { ...rest, ...next };
}

function splitRecord(record: PassportRecord): {
  fields: PassportFields;
  rest: Omit<PassportRecord, keyof PassportFields>;
} {
  const entries = Object.entries(record);
  const fields = Object.fromEntries(entries.filter(([name]) => FIELDS.has(name)));
  const otherFields = Object.fromEntries(entries.filter(([name]) => !FIELDS.has(name)));
  return { fields, rest: otherFields } as unknown as ReturnType<typeof splitRecord>;
}

function mergePassport(fields: PassportFields, patch: PassportPatch): PassportInput {
  const mergedFields: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete mergedFields[name];
    else if (typeof value !== 'object' || Array.isArray(value)) mergedFields[name] = value;
    else mergedFields[name] = mergeObject(Object(mergedFields[name] ?? {}), value);
  }
  return mergedFields as unknown as PassportInput;
}

function mergeObject(storedFields: object, patch: object): Record<string, unknown> {
  const mergedEntries = Object.entries({ ...storedFields, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(mergedEntries);
}

function sameFields(inputBefore: PassportInput, inputAfter: PassportInput): boolean {
  const text = (fields: PassportInput) =>
    JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(inputBefore) === text(inputAfter);
}
