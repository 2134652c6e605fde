import type { StoredValue } from '../../ports/stored.ts';

/** A text has two quotes and a comma or colon, a list or an object its brackets and a comma. */
const AROUND = 3;
/** A number, `true`, `false` or `null` and a comma. */
const PLAIN = 6;

/** About the length of the value as JSON: to make that takes three times as long. */
export function jsonLengthOf(value: StoredValue): number {
  if (typeof value === 'string') return value.length + AROUND;
  if (typeof value !== 'object' || value === null) return PLAIN;
  let length = AROUND;
  if (Array.isArray(value)) {
    for (const item of value) length += jsonLengthOf(item);
    return length;
  }
  const fields = value as { readonly [name: string]: StoredValue };
  for (const name in fields) length += name.length + AROUND + jsonLengthOf(fields[name] ?? null);
  return length;
}
