/** The errors of `conditions`, in words. */
import { conditionFaults } from '../../base/values/conditions/condition.ts';
import { mustBe } from '../../base/values/expected.ts';
import type { FieldError } from '../../errors.ts';
import type { PassportInput } from '../../records.ts';

/** Returns the errors of the conditions. A value that is no list is left to the schema. */
export function conditionErrors({
  conditions,
}: {
  readonly [Field in keyof PassportInput]?: unknown;
}): readonly FieldError[] {
  if (!Array.isArray(conditions)) return [];
  return conditionFaults(conditions).map(({ path, code }) => {
    const place = `/conditions${path}`;
    return { path: place, code, message: messageOf(place, code) };
  });
}

function messageOf(path: string, code: string): string {
  if (code === 'unknown_field') return 'There is no such field.';
  if (code === 'duplicate') return `Two entries are the same. ${mustBe(path)}`;
  return mustBe(path);
}
