/** JSON Merge Patch (RFC 7396) for the fields of a passport. */
import type { PassportInput, PassportPatch } from '../../records.ts';
import type { PassportFields, PassportRecord } from '../shared/stored.ts';

const FIELDS = [
  'domain',
  'agent_name',
  'allowed_actions',
  'monetary_limit_per_txn',
  'denied_actions',
  'currency',
  'allowed_targets',
  'monetary_actions',
  'not_before',
  'expires_at',
  'description',
  'metadata',
] as const satisfies readonly (keyof PassportInput)[];

/** The fields the account decided, and all the others. */
export function splitRecord(record: PassportRecord): {
  fields: PassportFields;
  rest: Omit<PassportRecord, keyof PassportFields>;
} {
  const names: ReadonlySet<string> = new Set(FIELDS);
  const entries = Object.entries(record);
  const fields = Object.fromEntries(entries.filter(([name]) => names.has(name)));
  const rest = Object.fromEntries(entries.filter(([name]) => !names.has(name)));
  return { fields, rest } as unknown as ReturnType<typeof splitRecord>;
}

/** The fields with the patch applied: `null` removes, `metadata` is merged name by name. */
export function mergePassport(fields: PassportFields, patch: PassportPatch): PassportInput {
  const merged: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete merged[name];
    else if (name === 'metadata') merged[name] = mergeObject({ ...fields.metadata }, Object(value));
    else merged[name] = value;
  }
  return merged as unknown as PassportInput;
}

function mergeObject(stored: object, patch: object): Record<string, unknown> {
  const merged = Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}
