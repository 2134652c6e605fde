/** JSON Merge Patch (RFC 7396) for the fields of a passport. */

import type { PassportFields, PassportRecord } from '../../ports/stored-records.ts';
import type { PassportInput, PassportPatch } from '../../records.ts';
import { fieldNames } from '../../schema/validators.generated.ts';

const FIELDS: ReadonlySet<string> = new Set(fieldNames.PassportRequest);

/** The fields the account decided, and all the others. */
export function splitRecord(record: PassportRecord): {
  fields: PassportFields;
  rest: Omit<PassportRecord, keyof PassportFields>;
} {
  const entries = Object.entries(record);
  const fields = Object.fromEntries(entries.filter(([name]) => FIELDS.has(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !FIELDS.has(name)));
  return { fields, rest } as unknown as ReturnType<typeof splitRecord>;
}

/** The fields with the patch applied: `null` removes, an object is merged name by name. */
export function mergePassport(fields: PassportFields, patch: PassportPatch): PassportInput {
  const merged: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete merged[name];
    else if (typeof value !== 'object' || Array.isArray(value)) merged[name] = value;
    else merged[name] = mergeObject(Object(merged[name] ?? {}), value);
  }
  return merged as unknown as PassportInput;
}

function mergeObject(stored: object, patch: object): Record<string, unknown> {
  const merged = Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}
