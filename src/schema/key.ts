import type { ApiKey } from '../records.ts';
import { agentId, environment, instant, keyName, plan, scopes } from './fields.ts';
import { type JsonSchema, nullable } from './json-schema.ts';

type SharedField = keyof Pick<
  ApiKey,
  'name' | 'start' | 'environment' | 'scopes' | 'agent_ids' | 'created_at' | 'expires_at'
>;

export const keyId: JsonSchema = { type: 'string', pattern: '^key_[0-9A-Za-z]{22}$' };

export const keyFields: Readonly<Record<SharedField, JsonSchema>> = {
  name: keyName,
  start: { type: 'string', description: 'The prefix and four characters: all that is ever shown again.' },
  environment,
  scopes,
  agent_ids: nullable({ type: 'array', items: agentId }),
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
