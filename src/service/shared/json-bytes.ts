import { utf8Length } from '../../platform/index.ts';

/** How many bytes the value has as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
