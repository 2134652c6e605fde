/** The schemas of answers, for the OpenAPI document and for the tests, which check every answer. */
import { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
import type { OutcomesAccepted } from '../records/outcome.ts';
import type { Reinstatement, Revocation, Suspension } from '../records/state.ts';
import type { SignedPassportToken } from '../records/token.ts';
import type {
  AccountOverview,
  BudgetList,
  BudgetReport,
  BudgetState,
  Passport,
  PassportVersion,
  Spend,
  Verdict,
} from '../records.ts';
import { type AccessResponseName, accessResponses } from './access.ts';
import { analyticsAnswer } from './analytics.ts';
import { approvalAnswer } from './approval.ts';
import { budgetState, spend } from './budget.ts';
import { accessTokenResponses } from './described-requests.ts';
import { domainClaim, domainProof } from './domain.ts';
import { effectivePassport } from './effective.ts';
import { agentId, instant, plan, reasonHead, thumbprint } from './fields.ts';
import { answer, type JsonSchema, nullable, page, ref } from './json-schema.ts';
import { key, managedFields, newKeyFields } from './key.ts';
import { type LogResponseName, logResponses } from './log.ts';
import { type MemberResponseName, memberResponses, ownMember } from './member.ts';
import { optionalFields, passportFields } from './passport.ts';
import { shownKey, shownPublicKeys } from './public-key.ts';
import { comparison, replayAnswer } from './replay.ts';
import { recordedVerdict, verdict, verdictRecord } from './verdict-record.ts';
import { confirmedPassports, filedVerdicts } from './verifier.ts';
import { type WebhookResponseName, webhookResponses } from './webhook.ts';

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const timeSchema = nullable(instant);
const personSchema = nullable(text);
const optionalPassportFields = [...Object.keys(optionalFields), 'last_seen_at'];

const limit = nullable({ type: 'integer', minimum: 0, description: 'null: no limit.' });

const passport: Readonly<Record<keyof Passport, JsonSchema>> = {
  agent_id: agentId,
  ...passportFields,
  public_keys: shownPublicKeys,
  status: { type: 'string', enum: PASSPORT_STATUSES },
  version: { type: 'integer', minimum: 1 },
  created_at: instant,
  updated_at: instant,
  suspended_until: timeSchema,
  suspended_by: personSchema,
  suspension_reason: personSchema,
  revoked_at: timeSchema,
  revoked_by: personSchema,
  revocation_reason: personSchema,
  last_seen_at: instant,
};

/** The names of the response schemas. */
export type ResponseName =
  | AccessResponseName
  | LogResponseName
  | MemberResponseName
  | 'Session'
  | 'NewAccount'
  | 'NewKey'
  | 'RotatedKey'
  | 'Key'
  | 'KeyPage'
  | 'AccountOverview'
  | 'Passport'
  | 'PassportPage'
  | 'PassportVersion'
  | 'PassportVersionPage'
  | 'EffectivePassport'
  | 'Comparison'
  | 'Replay'
  | 'Domain'
  | 'DomainPage'
  | 'Reason'
  | 'Verdict'
  | 'VerdictRecord'
  | 'RecordedVerdict'
  | 'VerdictBatch'
  | 'VerdictPage'
  | 'SubjectErasure'
  | 'OutcomesAccepted'
  | 'Analytics'
  | 'BudgetState'
  | 'BudgetList'
  | 'Spend'
  | 'Approval'
  | 'ApprovalPage'
  | 'ConfirmedPassports'
  | 'FiledVerdicts'
  | 'Revocation'
  | 'Suspension'
  | 'Reinstatement'
  | WebhookResponseName
  | 'JwkSet'
  | 'AccessToken'
  | 'Introspection'
  | 'OauthError'
  | 'SignedPassport'
  | 'StatusListToken'
  | 'Health'
  | 'OpenApi'
  | 'Problem';

export const responseSchemas: Readonly<Record<ResponseName, JsonSchema>> = {
  ...accessResponses,
  ...accessTokenResponses,
  ...logResponses,
  ...memberResponses,
  Session: answer({
    access_token: { type: 'string', description: 'JWT for the Authorization header.' },
    token_type: { const: 'bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
  }),
  NewAccount: answer({ id: text, email: text, plan }),
  NewKey: answer(newKeyFields, ['key', ...managedFields]),
  RotatedKey: answer(
    { ...newKeyFields, replaces: { type: 'string', description: 'The key that was rotated.' } },
    ['key', ...managedFields],
  ),
  Key: key,
  KeyPage: page('Key', { active_count: count }),
  AccountOverview: answer<AccountOverview>(
    {
      id: text,
      email: personSchema,
      external_id: personSchema,
      name: personSchema,
      plan,
      created_at: instant,
      usage: answer({ active_keys: count, passports: count, members: count }),
      member: nullable(ownMember),
      key: ref('Key'),
      limits: answer({
        keys: limit,
        passports: limit,
        verifications_per_minute: limit,
        writes_per_minute: limit,
      }),
    },
    ['member', 'key'],
  ),
  Passport: answer<Passport>(passport, optionalPassportFields),
  PassportPage: page('Passport'),
  PassportVersion: answer<PassportVersion>(
    { ...passport, changed_by: text, changed_at: instant },
    optionalPassportFields,
  ),
  PassportVersionPage: page('PassportVersion'),
  EffectivePassport: effectivePassport,
  Comparison: comparison,
  Replay: replayAnswer,
  Domain: domainClaim,
  DomainPage: page('Domain'),
  Reason: reasonHead,
  Verdict: answer<Verdict>(verdict),
  VerdictRecord: verdictRecord,
  RecordedVerdict: recordedVerdict,
  VerdictBatch: answer({ verdicts: { type: 'array', items: ref('VerdictRecord') } }),
  OutcomesAccepted: answer<OutcomesAccepted>({ accepted: count }),
  VerdictPage: page('RecordedVerdict'),
  SubjectErasure: answer({
    erased: { ...count, description: 'How many records had the subject.' },
    has_more: { type: 'boolean', description: 'Whether to call again.' },
  }),
  Analytics: analyticsAnswer,
  BudgetState: answer<BudgetState>(budgetState, ['unit']),
  BudgetList: answer<BudgetList>({
    data: {
      type: 'array',
      items: answer<BudgetReport>({ ...budgetState, window_start: timeSchema }, ['unit']),
    },
  }),
  Spend: answer<Spend>(spend, ['overrun_amount', 'usage', 'released_usage', 'overrun_usage']),
  Approval: approvalAnswer,
  ApprovalPage: page('Approval'),
  ConfirmedPassports: confirmedPassports,
  FiledVerdicts: filedVerdicts,
  Revocation: answer<Revocation>({
    agent_id: text,
    status: { const: 'revoked' },
    reason: personSchema,
    revoked_at: instant,
  }),
  Suspension: answer<Suspension>({
    agent_id: text,
    status: { const: 'suspended' },
    reason: personSchema,
    suspended_until: timeSchema,
  }),
  Reinstatement: answer<Reinstatement>({
    agent_id: text,
    status: { type: 'string', enum: ['active', 'expired'] },
  }),
  ...webhookResponses,
  OpenApi: { type: 'object', description: 'An OpenAPI 3.1 document.', required: ['openapi', 'paths'] },
  JwkSet: answer({
    keys: {
      type: 'array',
      items: shownKey(
        {
          use: { const: 'sig' },
          nbf: { type: 'integer', description: 'When it begins to sign.' },
          exp: { type: 'integer', description: 'When it is no longer published.' },
        },
        ['nbf', 'exp'],
      ),
    },
  }),
  SignedPassport: answer<SignedPassportToken>({
    token: { type: 'string', description: 'JWT of the type agent-passport+jwt.' },
    kid: { ...thumbprint, description: 'The key of the service that signed it.' },
    expires_at: instant,
  }),
  StatusListToken: {
    type: 'string',
    description: 'JWT of the type statuslist+jwt (Token Status List), 2 bits for each status.',
  },
  Health: answer({ status: { type: 'string', enum: ['ok', 'unavailable'] } }),
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details.',
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      code: text,
      request_id: text,
      errors: {
        type: 'array',
        items: answer({ path: { type: 'string', description: 'JSON Pointer.' }, code: text, message: text }),
      },
      // The proof, for domain_unproven.
      ...domainProof,
      roles: { type: 'array', items: text, description: 'The roles that may, for insufficient_role.' },
      change: { type: 'object', description: 'The comparison with the version before, for would_widen.' },
      because: {
        type: 'string',
        enum: ['requested', 'widened', 'changed'],
        description: 'Why the approval of this person does not count, for second_person_required.',
      },
      approval_id: {
        ...personSchema,
        description: 'The approval that a change needs, for second_person_required.',
      },
      expires_at: { ...timeSchema, description: 'The end of that approval.' },
      too_many: { type: 'boolean', description: 'True where too many others wait for a person.' },
      until: { ...timeSchema, description: 'The instant from which on a conflict is over, if it is known.' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    additionalProperties: false,
  },
};
