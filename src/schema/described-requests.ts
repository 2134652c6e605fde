import { ASSERTION_GRANT, ASSERTION_TYPE } from '../base/values/access-token.ts';
import { MAX_PROOF_LENGTH } from '../base/values/proof-format.ts';
import { WEBHOOK_FORMATS, WEBHOOK_STATUSES } from '../base/values/vocabulary.ts';
import type { AccessTokenAnswer } from '../records/access-token.ts';
import { type AccessRequestName, accessRequests } from './access.ts';
import { amount, currency } from './fields.ts';
import { answer, type JsonSchema } from './json-schema.ts';
import { passportFields, patchFields } from './passport.ts';
import { type RequestName, requestSchemas } from './requests.ts';

const text: JsonSchema = { type: 'string' };

const accessTokenForm: JsonSchema = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials', ASSERTION_GRANT] },
    resource: {
      type: 'string',
      maxLength: 512,
      description:
        'The https URL of the resource (RFC 8707). Only the assertion about a user may name it instead.',
    },
    assertion: {
      type: 'string',
      maxLength: 8192,
      description: 'A JWT of a trusted issuer, for the grant jwt-bearer (RFC 7523).',
    },
    scope: {
      type: 'string',
      maxLength: 1024,
      description: 'At most 64 actions, separated by single spaces.',
    },
    client_id: { type: 'string', description: 'The `agent_id`. For a workload its parent.' },
    client_assertion_type: { const: ASSERTION_TYPE },
    client_assertion: {
      type: 'string',
      maxLength: 8192,
      description: 'A JWT that a key of the agent signed (RFC 7523).',
    },
  },
};

const introspectionForm: JsonSchema = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', maxLength: 8192, description: 'The access token.' } },
};

const whole: JsonSchema = { type: 'integer' };

/** The schemas of the answers of the token endpoints. */
export const accessTokenResponses: Readonly<
  Record<'AccessToken' | 'Introspection' | 'OauthError', JsonSchema>
> = {
  Introspection: {
    type: 'object',
    required: ['active'],
    properties: {
      active: { type: 'boolean', description: 'Whether the agent would get the token now.' },
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      scope: { type: 'string', description: 'The actions that the agent would get now.' },
      iss: text,
      aud: text,
      sub: text,
      client_id: { type: 'string', description: 'The `agent_id`.' },
      iat: whole,
      exp: whole,
      jti: { type: 'string', description: 'The `decision_id`.' },
      cnf: { type: 'object', properties: { jkt: text } },
      act: { type: 'object', properties: { sub: text } },
      subject_issuer: text,
    },
  },
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

const FORMAT = 'The body of requests: the event, or its line of OCSF 1.8.0. By default event.';

/**
 * The request schemas for the OpenAPI document. The types of intent parameters are only descriptions: a wrong type
 * leads to a denial, not to an error.
 */
export const describedRequests: Readonly<Record<DescribedRequestName, JsonSchema>> = {
  ...requestSchemas,
  // The check itself names the allowed words: the words of schema errors are those of passports.
  WebhookRequest: {
    ...requestSchemas.WebhookRequest,
    properties: {
      ...Object(requestSchemas.WebhookRequest['properties']),
      format: { type: 'string', enum: WEBHOOK_FORMATS, description: FORMAT },
    },
  },
  WebhookPatch: {
    ...requestSchemas.WebhookPatch,
    properties: {
      ...Object(requestSchemas.WebhookPatch['properties']),
      status: { type: 'string', enum: WEBHOOK_STATUSES },
      format: { type: 'string', enum: WEBHOOK_FORMATS, description: FORMAT },
    },
  },
  ...accessRequests,
  AccessTokenForm: accessTokenForm,
  IntrospectionForm: introspectionForm,
  // Code checks the conditions, and its errors have the words for each test.
  PassportRequest: withFields(requestSchemas.PassportRequest, passportFields),
  PassportPatch: withFields(requestSchemas.PassportPatch, patchFields),
  Intent: {
    ...requestSchemas.Intent,
    properties: {
      ...Object(requestSchemas.Intent['properties']),
      parameters: {
        type: 'object',
        description:
          'The rules evaluate amount, currency and the parameters that a condition of the passport names. The rest is for rules of the application.',
        properties: { amount, currency },
        additionalProperties: true,
      },
      proof: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_PROOF_LENGTH,
        description:
          'A proof of possession: a compact JWS with the typ agent-intent+jwt, signed with a key of the passport. Good for one ALLOW.',
      },
    },
  },
};

function withFields(schema: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...schema, properties: fields };
}

/** The names of all requests. AuthZEN requests are checked by their own code. */
export type DescribedRequestName = RequestName | AccessRequestName | 'AccessTokenForm' | 'IntrospectionForm';
