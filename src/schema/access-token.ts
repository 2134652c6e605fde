/** The form and the answers of the token endpoint, as OpenAPI describes them. */
import type { AccessTokenAnswer } from '../records/access-token.ts';
import { answer, type JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };

/** The form of the token endpoint. */
export const accessTokenForm: JsonSchema = {
  type: 'object',
  required: ['grant_type', 'resource'],
  properties: {
    grant_type: { const: 'client_credentials' },
    resource: { type: 'string', maxLength: 512, description: 'The https URL of the resource (RFC 8707).' },
    scope: {
      type: 'string',
      maxLength: 1024,
      description: 'At most 64 actions, separated by single spaces.',
    },
    client_id: { type: 'string', description: 'The `agent_id`.' },
    client_assertion_type: { const: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' },
    client_assertion: {
      type: 'string',
      maxLength: 8192,
      description: 'A JWT that a key of the agent signed (RFC 7523).',
    },
  },
};

/** The answers of the token endpoint. */
export const accessTokenResponses: Readonly<Record<'AccessToken' | 'OauthError', JsonSchema>> = {
  AccessToken: answer<AccessTokenAnswer>(
    {
      access_token: { type: 'string', description: 'JWT of the type at+jwt (RFC 9068).' },
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      expires_in: { type: 'integer', description: 'Seconds.' },
      scope: { type: 'string', description: 'The granted actions; absent if none was requested.' },
    },
    ['scope'],
  ),
  OauthError: answer({ error: text, error_description: text, decision_id: text }, ['decision_id']),
};
