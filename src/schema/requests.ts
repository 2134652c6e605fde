/** What callers send. These are compiled ahead of time into `validators.generated.ts`. */
import {
  actionEntries,
  agentId,
  agentIds,
  amount,
  currency,
  email,
  environment,
  graceSeconds,
  instant,
  keyName,
  reason,
  scopes,
  targetEntries,
} from './fields.ts';
import { closedObject, type JsonSchema, nullable, ref } from './json-schema.ts';

const decided = {
  allowed_actions: actionEntries,
  monetary_limit_per_txn: amount,
  denied_actions: actionEntries,
  currency,
  allowed_targets: targetEntries,
  monetary_actions: actionEntries,
  not_before: instant,
  expires_at: instant,
  description: { type: 'string', maxLength: 500 },
  metadata: {
    type: 'object',
    maxProperties: 20,
    additionalProperties: { type: 'string', maxLength: 500 },
    description: 'At most 20 string values of at most 500 characters.',
  },
} satisfies Record<string, JsonSchema>;

/** The fields of a passport that a caller may name, each with its schema. */
export const passportFields: Readonly<Record<string, JsonSchema>> = {
  domain: {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    description:
      'Lower-case ASCII domain of at least two labels, an optional port as %3A and number. Never mapped, trimmed or lower-cased.',
    examples: ['example.com'],
  },
  agent_name: {
    type: 'string',
    minLength: 1,
    maxLength: 63,
    description: '[a-z0-9][a-z0-9._-]{0,62}, not ending in a dot.',
    examples: ['shopper'],
  },
  ...decided,
};

const patchable: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(Object.entries(decided).map(([name, schema]) => [name, nullable(schema)])),
  allowed_actions: actionEntries,
  monetary_limit_per_txn: amount,
  metadata: nullable({
    type: 'object',
    additionalProperties: nullable({ type: 'string', maxLength: 500 }),
    description: 'Merged into what is stored; null removes a name.',
  }),
};

/** The request schemas by name. */
export const requestSchemas: Readonly<Record<RequestName, JsonSchema>> = {
  LoginRequest: closedObject(
    { email: { type: 'string', maxLength: 1024 }, password: { type: 'string' } },
    ['email', 'password'],
    'Who signs in.',
  ),
  RegisterRequest: closedObject(
    { email, password: { type: 'string', description: '12 to 128 characters, any Unicode.' } },
    ['email', 'password'],
    'The account to open.',
  ),
  KeyRequest: closedObject(
    { name: keyName, environment, scopes, agent_ids: agentIds, expires_at: instant },
    ['name'],
    'The key to make. Scopes default to verify and revoke; a test key may only verify.',
  ),
  KeyPatch: closedObject(
    { name: keyName, scopes, agent_ids: nullable(agentIds) },
    [],
    'What to change of a key. agent_ids null: every agent of the account.',
  ),
  KeyRotation: closedObject(
    { grace_seconds: graceSeconds },
    [],
    'How long the replaced key goes on working.',
  ),
  PasswordChange: closedObject(
    {
      current_password: { type: 'string' },
      new_password: { type: 'string', description: '12 to 128 characters, any Unicode.' },
    },
    ['current_password', 'new_password'],
    'The password as it is and as it is to be.',
  ),
  PassportRequest: closedObject(
    passportFields,
    ['domain', 'agent_name', 'allowed_actions', 'monetary_limit_per_txn'],
    'The passport to issue.',
  ),
  PassportPatch: closedObject(patchable, [], 'JSON Merge Patch (RFC 7396): null removes an optional field.'),
  Intent: closedObject(
    {
      agent_id: { type: 'string', minLength: 1, maxLength: 512 },
      action: { type: 'string', minLength: 1, maxLength: 256, examples: ['payments.create'] },
      target: { type: 'string', maxLength: 512, description: 'The DID the action is aimed at.' },
      parameters: { type: 'object' },
      dry_run: { type: 'boolean', description: 'Ask without acting.' },
    },
    ['agent_id', 'action'],
    'What an agent is about to do.',
  ),
  IntentBatch: closedObject(
    { intents: { type: 'array', items: ref('Intent'), minItems: 1, maxItems: 100 } },
    ['intents'],
    'One to a hundred intents, answered in their order.',
  ),
  RevokeRequest: closedObject(
    { agent_id: agentId, reason },
    ['agent_id'],
    'The passport to revoke for ever.',
  ),
  SuspendRequest: closedObject(
    { agent_id: agentId, reason, until: instant },
    ['agent_id'],
    'The passport to suspend, until an instant in the future or until it is reinstated.',
  ),
  ReinstateRequest: closedObject({ agent_id: agentId }, ['agent_id'], 'The suspended passport to reinstate.'),
};

/**
 * The request schemas as they are described. What is wrong in the parameters of an intent is denied, not refused: its
 * types are only told here.
 */
export const describedRequests: Readonly<Record<RequestName, JsonSchema>> = {
  ...requestSchemas,
  Intent: {
    ...requestSchemas.Intent,
    properties: {
      ...Object(requestSchemas.Intent['properties']),
      parameters: {
        type: 'object',
        description: 'amount and currency are judged; anything else is for rules of the host.',
        properties: { amount, currency },
        additionalProperties: true,
      },
    },
  },
};

/** The names of the request schemas. */
export type RequestName =
  | 'LoginRequest'
  | 'RegisterRequest'
  | 'KeyRequest'
  | 'KeyPatch'
  | 'KeyRotation'
  | 'PasswordChange'
  | 'PassportRequest'
  | 'PassportPatch'
  | 'Intent'
  | 'IntentBatch'
  | 'RevokeRequest'
  | 'SuspendRequest'
  | 'ReinstateRequest';
