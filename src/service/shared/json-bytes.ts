import { utf8Length } from '../../platform/index.ts';

/** Returns the length of a value as JSON, in bytes. */
export function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
