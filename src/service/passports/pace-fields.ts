/** The rules of paces that a JSON Schema cannot express, and their canonical form. */
import { isActionEntry } from '../../base/values/action.ts';
import { isBudgetName } from '../../base/values/budget.ts';
import { mustBe } from '../../base/values/expected.ts';
import { PACE_NAME } from '../../base/values/pace.ts';
import { type FieldError, pointer } from '../../errors.ts';
import type { Pace, PassportInput } from '../../records.ts';
import type { StoredPace } from './collections.ts';
import { malformedEntries } from './malformed-entries.ts';

/** Returns the paces as they are stored: each with its name. */
export function canonicalPaces(paces: readonly Pace[]): readonly StoredPace[] {
  return paces.map(({ name = PACE_NAME, actions, max, seconds }) => ({
    name,
    ...(actions !== undefined && { actions }),
    max,
    seconds,
  }));
}

/** Returns the errors of each pace. Members that are missing or of a wrong type are left to the schema. */
export function paceErrors({
  pace: paces,
}: {
  readonly [Field in keyof PassportInput]?: unknown;
}): readonly FieldError[] {
  if (!Array.isArray(paces)) return [];
  const names = new Map<unknown, number>();
  return paces.flatMap((entry: unknown, index): readonly FieldError[] => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
    const errors: FieldError[] = [];
    const at = (field: string) => `${pointer('pace', index)}${pointer(field)}`;
    const refuse = (path: string, message = mustBe(path)) =>
      errors.push({ path, code: 'malformed', message });
    const { name = PACE_NAME, actions }: { readonly [Field in keyof Pace]?: unknown } = entry;
    if (typeof name === 'string' && !isBudgetName(name)) refuse(at('name'));
    const same = names.get(name);
    if (same === undefined) names.set(name, index);
    else refuse(at('name'), `Pace ${same} has this name.`);
    for (const place of malformedEntries(actions, isActionEntry)) refuse(`${at('actions')}/${place}`);
    return errors;
  });
}
