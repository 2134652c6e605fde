import { APPROVAL_BY, APPROVAL_COUNT } from '../base/values/approval.ts';
import { APPROVAL_KINDS, APPROVAL_STATUSES, COMPARISON_RESULTS } from '../base/values/vocabulary.ts';
import type {
  Approval,
  ApprovedChange,
  ApprovedIntent,
  FieldDifference,
  GivenApproval,
} from '../records/approval.ts';
import type { PermitRequest } from '../records/permit.ts';
import { usage } from './budget.ts';
import { agentId, environment, instant } from './fields.ts';
import { answer, type JsonSchema, nullable, ref } from './json-schema.ts';
import { difference } from './replay.ts';

const timeSchema = nullable(instant);
const text: JsonSchema = { type: 'string' };

const change = answer<ApprovedChange>({
  patch: { type: 'object', description: 'The JSON Merge Patch.' },
  version: { type: 'integer', description: 'The version of the passport that it changes.' },
  since: { type: 'integer', description: 'The last version that approvers have approved, or that was made.' },
  difference: {
    type: 'array',
    items: answer<FieldDifference>({ field: text, before: {}, after: {} }),
    description: 'The fields that the change and those since that version change.',
  },
  result: { type: 'string', enum: COMPARISON_RESULTS },
  example: nullable(difference),
});

const permit: JsonSchema = {
  ...answer<Required<PermitRequest>>({
    audience: text,
    seconds: { type: 'integer' },
    bind: { type: 'boolean' },
  }),
  description: 'The permit that is approved with the intent.',
};

export const approvalAnswer: JsonSchema = answer<Approval>(
  {
    id: { type: 'string', pattern: '^apr_' },
    kind: { type: 'string', enum: APPROVAL_KINDS, description: 'It has intent or change accordingly.' },
    status: { type: 'string', enum: APPROVAL_STATUSES },
    agent_id: agentId,
    environment,
    intent: answer<ApprovedIntent>(
      {
        agent_id: agentId,
        action: text,
        target: text,
        parameters: { type: 'object' },
        subject: text,
        session: text,
        usage,
        permit,
      },
      ['target', 'parameters', 'subject', 'session', 'usage', 'permit'],
    ),
    change,
    reasons: { type: 'array', items: ref('Reason'), description: 'Why a person is asked.' },
    needed: {
      type: 'integer',
      minimum: APPROVAL_COUNT.least,
      maximum: APPROVAL_COUNT.most,
      description: 'The number of different people who must approve.',
    },
    by: { type: 'string', enum: APPROVAL_BY, description: 'Whose approvals count.' },
    decisions: {
      type: 'array',
      items: answer<GivenApproval>({ by: text, at: instant, note: nullable(text) }),
      description: 'The approvers, oldest first.',
    },
    missing_approvers: {
      type: 'integer',
      minimum: 1,
      description: 'How many approvers the account lacks now; absent if it has enough.',
    },
    requested_by: { ...nullable(text), description: 'The person who asked.' },
    created_at: instant,
    expires_at: instant,
    decided_by: nullable(text),
    decided_at: timeSchema,
    note: nullable(text),
    decision_id: { ...nullable(text), description: 'The verdict that used it.' },
  },
  ['intent', 'change', 'missing_approvers'],
);
