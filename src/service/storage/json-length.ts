import type { StoredValue } from '../../ports/stored.ts';

/** The characters around a text, a list or an object: quotes or brackets, and a comma or colon. */
const AROUND = 3;
/** The approximate length of a number, `true`, `false` or `null`, with a comma. */
const PLAIN = 6;

/** Estimates the length of a value as JSON, in a third of the time that making it takes. */
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
