/** The size limit of a passport, which bounds the size of lists of passports and of versions. */
import { formatAgentId } from '../../base/values/agent-id.ts';
import { MAX_PASSPORT_BYTES } from '../../base/values/field-limits.ts';
import type { FieldError } from '../../errors.ts';
import { jsonBytes } from '../shared/json-bytes.ts';
import type { PassportFields } from './collections.ts';

/** The bytes for what the service adds: state, instants, version, and the reasons of a suspension and a revocation. */
const ADDED_BYTES = 4 * 1024;

/** Returns the error for fields that make a passport of more than 64 KiB of JSON. */
export function sizeErrors(fields: PassportFields): readonly FieldError[] {
  const bytes = jsonBytes({ agent_id: formatAgentId(fields), ...fields }) + ADDED_BYTES;
  if (bytes <= MAX_PASSPORT_BYTES) return [];
  const message = `A passport has at most ${MAX_PASSPORT_BYTES} bytes of JSON: this one would have ${bytes}, with ${ADDED_BYTES} for what the service adds.`;
  return [{ path: '', code: 'too_large', message }];
}
