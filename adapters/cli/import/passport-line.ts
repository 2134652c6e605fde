/** A passport as a line of JSON. It has the fields that its account decides, and its status. */
import type { Passport, PassportInput } from '../../../src/index.ts';
import type { PassportStanding } from '../../../src/types.ts';
import { PASSPORT_FIELDS } from '../commands/passport-fields.ts';

const STANDING: Readonly<Record<keyof PassportStanding, true>> = {
  status: true,
  suspended_until: true,
  suspension_reason: true,
  revoked_at: true,
  revocation_reason: true,
};
const STANDING_FIELDS = Object.keys(STANDING) as (keyof PassportStanding)[];

export interface PassportToImport {
  readonly input: PassportInput;
  readonly standing: PassportStanding;
  /** `true` if child agents of this passport are imported after it. */
  readonly hasChildren?: boolean;
}

/**
 * Returns the exported fields as a line, always in the same spelling. The version, and the author and time of changes,
 * are left out, because they describe the storage and not the agent.
 */
export function lineOf(passport: Passport): string {
  const { status, ...otherFields } = passport;
  const shownFields: Readonly<Record<string, unknown>> = {
    ...otherFields,
    status: status === 'expired' ? 'active' : status,
  };
  return JSON.stringify(orderedFields(shownFields, [...PASSPORT_FIELDS, ...STANDING_FIELDS]));
}

export function orderedFields(
  shownFields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const present = names.filter((name) => shownFields[name] !== undefined && shownFields[name] !== null);
  return Object.fromEntries(present.map((name) => [name, ordered(shownFields[name])]));
}

export function readPassportLine(line: Readonly<Record<string, unknown>>): PassportToImport {
  const isStanding = (name: string): boolean => Object.hasOwn(STANDING, name);
  const part = (takes: (name: string) => boolean): object =>
    Object.fromEntries(Object.entries(line).filter(([name]) => takes(name)));
  return {
    input: part((name) => !isStanding(name)) as PassportInput,
    standing: { status: 'active', ...part(isStanding) },
  };
}

/** Returns the fields in which two lines differ. The instant of the first revocation is not compared. */
export function differences(first: string, second: string): readonly string[] {
  if (first === second) return [];
  const [a, b]: Readonly<Record<string, unknown>>[] = [JSON.parse(first), JSON.parse(second)];
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  return names.filter(
    (name) => name !== 'revoked_at' && JSON.stringify(a?.[name]) !== JSON.stringify(b?.[name]),
  );
}

/** Returns the value with sorted object members, because some storages do not keep their order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, ordered(inner)]));
}
