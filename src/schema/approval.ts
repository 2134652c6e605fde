/** The schema of an approval in answers. */

import { APPROVAL_STATUSES } from '../base/values/vocabulary.ts';
import type { Approval } from '../records/approval.ts';
import { agentId, environment, instant } from './fields.ts';
import { answer, type JsonSchema, nullable, ref } from './json-schema.ts';

const when = nullable(instant);
const text: JsonSchema = { type: 'string' };

/** The schema of an approval. */
export const approvalAnswer: JsonSchema = answer<Approval>({
  id: { type: 'string', pattern: '^apr_' },
  status: { type: 'string', enum: APPROVAL_STATUSES },
  agent_id: agentId,
  environment,
  intent: answer(
    { agent_id: agentId, action: text, target: text, parameters: { type: 'object' }, subject: text },
    ['target', 'parameters', 'subject'],
  ),
  reasons: { type: 'array', items: ref('Reason'), description: 'Why a person is asked.' },
  created_at: instant,
  expires_at: instant,
  decided_by: nullable(text),
  decided_at: when,
  note: nullable(text),
  decision_id: { ...nullable(text), description: 'The verdict that used it.' },
});
