import { API_KEY_STATUSES } from '../base/values/vocabulary.ts';
import type { ApiKey } from '../records.ts';
import { agentId, environment, instant, keyDomains, keyName, plan, scopes } from './fields.ts';
import { answer, type JsonSchema, nullable } from './json-schema.ts';

type SharedField = keyof Pick<
  ApiKey,
  | 'name'
  | 'start'
  | 'environment'
  | 'scopes'
  | 'agent_ids'
  | 'domains'
  | 'person'
  | 'created_at'
  | 'expires_at'
>;

export const keyId: JsonSchema = { type: 'string', pattern: '^key_[0-9A-Za-z]{22}$' };

export const keyFields: Readonly<Record<SharedField, JsonSchema>> = {
  name: keyName,
  start: { type: 'string', description: 'The prefix and four characters: all that is ever shown again.' },
  environment,
  scopes,
  agent_ids: nullable({ type: 'array', items: agentId }),
  domains: nullable(keyDomains),
  person: nullable({ type: 'string', description: 'The member behind the key.' }),
  created_at: instant,
  expires_at: nullable(instant),
};

export const newKeyFields: Readonly<Record<string, JsonSchema>> = {
  id: keyId,
  key: {
    type: 'string',
    description: 'The secret, shown this once: left out when a request is answered again.',
  },
  plan,
  message: { type: 'string' },
  ...keyFields,
};

/** The fields that a key has only if it is a management key, or if a management key has created it. */
export const managedFields: readonly string[] = ['domains', 'person'];

const personSchema: JsonSchema = { type: ['string', 'null'] };

export const key: JsonSchema = answer<ApiKey>(
  {
    id: keyId,
    ...keyFields,
    status: { type: 'string', enum: API_KEY_STATUSES },
    last_used_at: nullable(instant),
    revoked_at: nullable(instant),
    rotated_to: personSchema,
    created_by: personSchema,
    changed_at: nullable(instant),
    changed_by: personSchema,
    revoked_by: personSchema,
  },
  managedFields,
);
