/** What callers send. These are compiled ahead of time into `validators.generated.ts`. */
import {
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
} from './fields.ts';
import { closedObject, type JsonSchema, nullable, ref } from './json-schema.ts';
import { passportFields, patchFields, requiredFields } from './passport.ts';

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
  PassportRequest: closedObject(passportFields, Object.keys(requiredFields), 'The passport to issue.'),
  PassportPatch: closedObject(
    patchFields,
    [],
    'JSON Merge Patch (RFC 7396): null removes an optional field.',
  ),
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
    'The passport to revoke, permanently.',
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
