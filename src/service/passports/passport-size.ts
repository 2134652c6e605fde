/** How large a passport may be: what holds many of them, such as their versions, is as large as they are. */
import { formatAgentId } from '../../base/values/agent-id.ts';
import { MAX_PASSPORT_BYTES } from '../../base/values/field-limits.ts';
import type { FieldError } from '../../errors.ts';
import type { PassportFields } from '../../ports/stored-records.ts';
import { jsonBytes } from '../shared/json-bytes.ts';

/** Room for what the service adds: the state, the instants, the version, and why it was suspended and revoked. */
const ADDED_BYTES = 4 * 1024;

/** The error of fields that make a passport of more than 64 KiB of JSON. */
export function sizeErrors(fields: PassportFields): readonly FieldError[] {
  const bytes = jsonBytes({ agent_id: formatAgentId(fields), ...fields }) + ADDED_BYTES;
  if (bytes <= MAX_PASSPORT_BYTES) return [];
  const message = `A passport has at most ${MAX_PASSPORT_BYTES} bytes of JSON: this one would have ${bytes}, with ${ADDED_BYTES} for what the service adds.`;
  return [{ path: '', code: 'too_large', message }];
}
