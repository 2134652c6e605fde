/** What the service answers. Used by the OpenAPI document, and by the tests to check every answer. */
import { PASSPORT_STATUSES } from '../base/passport-status.ts';
import { API_KEY_STATUSES, VERDICTS } from '../base/vocabulary.ts';
import type { AccountOverview, ApiKey, Passport, PassportVersion, VerdictRecord } from '../records.ts';
import type { Reinstatement, Revocation, Suspension } from '../state-records.ts';
import { agentId, amount, currency, environment, instant, keyName, plan, scopes } from './fields.ts';
import { type JsonSchema, nullable, ref } from './json-schema.ts';
import { optionalFields, passportFields } from './passport.ts';

/** The schema of a record: the compiler asks for every field of its type. */
function answer<Shape = Record<string, unknown>>(
  properties: Readonly<Record<keyof Shape & string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function page(item: string, extra: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return answer({
    data: { type: 'array', items: ref(item) },
    has_more: { type: 'boolean' },
    next_cursor: nullable({ type: 'string' }),
    ...extra,
  });
}

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const topList: JsonSchema = { type: 'array', maxItems: 10, items: answer({ key: text, count }) };
const when = nullable(instant);
const who = nullable(text);
const optionalPassportFields = Object.keys(optionalFields);

const keyId: JsonSchema = { type: 'string', pattern: '^key_[0-9A-Za-z]{22}$' };

/** What a key and a new key both show, besides the id. */
const keyFields = {
  name: keyName,
  start: { type: 'string', description: 'The prefix and four characters: all that is ever shown again.' },
  environment,
  scopes,
  agent_ids: nullable({ type: 'array', items: agentId }),
  created_at: instant,
  expires_at: when,
} satisfies Partial<Record<keyof ApiKey, JsonSchema>>;

const newKeyFields: Readonly<Record<string, JsonSchema>> = {
  id: keyId,
  key: {
    type: 'string',
    description: 'The secret, shown this once: left out when a request is answered again.',
  },
  plan,
  message: text,
  ...keyFields,
};

const limit = nullable({ type: 'integer', minimum: 0, description: 'null: no limit.' });

const passport: Readonly<Record<keyof Passport, JsonSchema>> = {
  agent_id: agentId,
  ...passportFields,
  status: { type: 'string', enum: PASSPORT_STATUSES },
  version: { type: 'integer', minimum: 1 },
  created_at: instant,
  updated_at: instant,
  suspended_until: when,
  suspended_by: who,
  suspension_reason: who,
  revoked_at: when,
  revoked_by: who,
  revocation_reason: who,
};

/** The names of the response schemas. */
export type ResponseName =
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
  | 'Reason'
  | 'VerdictRecord'
  | 'VerdictBatch'
  | 'VerdictPage'
  | 'Analytics'
  | 'Revocation'
  | 'Suspension'
  | 'Reinstatement'
  | 'Health'
  | 'OpenApi'
  | 'Problem';

/** The response schemas by name. */
export const responseSchemas: Readonly<Record<ResponseName, JsonSchema>> = {
  Session: answer({
    access_token: { type: 'string', description: 'JWT for the Authorization header.' },
    token_type: { const: 'bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
  }),
  NewAccount: answer({ id: text, email: text, plan }),
  NewKey: answer(newKeyFields, ['key']),
  RotatedKey: answer(
    { ...newKeyFields, replaces: { type: 'string', description: 'The key that was rotated.' } },
    ['key'],
  ),
  Key: answer<ApiKey>({
    id: keyId,
    ...keyFields,
    status: { type: 'string', enum: API_KEY_STATUSES },
    last_used_at: when,
    revoked_at: when,
    rotated_to: who,
    created_by: who,
    changed_at: when,
    changed_by: who,
    revoked_by: who,
  }),
  KeyPage: page('Key', { active_count: count }),
  AccountOverview: answer<AccountOverview>({
    id: text,
    email: text,
    plan,
    created_at: instant,
    usage: answer({ active_keys: count, passports: count }),
    limits: answer({ keys: limit, passports: limit, verifications_per_minute: limit }),
  }),
  Passport: answer<Passport>(passport, optionalPassportFields),
  PassportPage: page('Passport'),
  PassportVersion: answer<PassportVersion>(
    { ...passport, changed_by: text, changed_at: instant },
    optionalPassportFields,
  ),
  PassportVersionPage: page('PassportVersion'),
  Reason: {
    type: 'object',
    description: 'Why the verdict is not ALLOW, with the particulars of the rule beside code and message.',
    properties: { code: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' }, message: text },
    required: ['code', 'message'],
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
  VerdictRecord: answer<VerdictRecord>({
    verdict: { type: 'string', enum: VERDICTS },
    reasons: { type: 'array', items: ref('Reason') },
    decision_id: { type: 'string', pattern: '^dec_' },
    agent_id: text,
    action: text,
    target: nullable(text),
    amount: nullable(amount),
    currency: nullable(currency),
    passport_version: nullable({ type: 'integer' }),
    environment,
    key_id: who,
    request_id: who,
    dry_run: { type: 'boolean' },
    evaluated_at: instant,
  }),
  VerdictBatch: answer({ verdicts: { type: 'array', items: ref('VerdictRecord') } }),
  VerdictPage: page('VerdictRecord'),
  Analytics: answer({
    overview: answer({
      total_agents: count,
      active_agents: count,
      suspended_agents: count,
      revoked_agents: count,
      total_verifications: count,
      allowed: count,
      denied: count,
    }),
    series: { type: 'array', items: answer({ start: instant, allowed: count, denied: count }) },
    top_agents: topList,
    top_actions: topList,
    top_reasons: topList,
    latency_us: answer({ p50: nullable(count), p95: nullable(count), p99: nullable(count) }),
    journal_dropped: count,
    complete_since: instant,
  }),
  Revocation: answer<Revocation>({
    agent_id: text,
    status: { const: 'revoked' },
    reason: who,
    revoked_at: instant,
  }),
  Suspension: answer<Suspension>({
    agent_id: text,
    status: { const: 'suspended' },
    reason: who,
    suspended_until: when,
  }),
  Reinstatement: answer<Reinstatement>({
    agent_id: text,
    status: { type: 'string', enum: ['active', 'expired'] },
  }),
  OpenApi: { type: 'object', description: 'An OpenAPI 3.1 document.', required: ['openapi', 'paths'] },
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
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    additionalProperties: false,
  },
};
