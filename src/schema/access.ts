/** The AuthZEN requests and answers for the OpenAPI document. Unknown members are ignored. */

import { usage } from './budget.ts';
import { permitRequest, reasonHead } from './fields.ts';
import { answer, type JsonSchema, ref } from './json-schema.ts';

/** The names of the requests. */
export type AccessRequestName = 'AccessEvaluation' | 'AccessEvaluations';

/** The names of the answers. */
export type AccessResponseName = 'AccessDecision' | 'AccessDecisions' | 'ErrorMessage';

const text: JsonSchema = { type: 'string' };
const properties: JsonSchema = {
  type: 'object',
  description: 'For your own rules; the service evaluates amount and currency.',
};

const subject = part(
  {
    type: text,
    id: { type: 'string', minLength: 1, maxLength: 512, description: 'An agent_id, or what stands for one.' },
  },
  'The agent that asks to act.',
);
const action = part(
  { name: { type: 'string', minLength: 1, maxLength: 256 } },
  'The action that the agent asks to take.',
);
const resource = part(
  { type: text, id: { type: 'string', description: 'A DID is the target.' } },
  'The target of the action.',
);
const context: JsonSchema = {
  type: 'object',
  description: 'For your own rules; the service evaluates amount and currency.',
  properties: {
    agent_identity: {
      type: 'object',
      description: 'Fields of the intent itself.',
      properties: {
        proof: text,
        hold_seconds: { type: 'integer' },
        approval_id: text,
        subject: text,
        session: text,
        usage,
        permit: permitRequest,
      },
    },
  },
};

export const accessRequests: Readonly<Record<AccessRequestName, JsonSchema>> = {
  AccessEvaluation: {
    type: 'object',
    description: 'AuthZEN 1.0, section 6.1.',
    properties: { subject, action, resource, context },
    required: ['subject', 'action', 'resource'],
  },
  AccessEvaluations: {
    type: 'object',
    description:
      'AuthZEN 1.0, section 7.1: the members next to `evaluations` are the defaults of each evaluation.',
    properties: {
      subject: looser(subject),
      action: looser(action),
      resource: looser(resource),
      context,
      evaluations: { type: 'array', maxItems: 100, items: { type: 'object' } },
      options: {
        type: 'object',
        properties: {
          evaluations_semantic: {
            type: 'string',
            enum: ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'],
          },
        },
      },
    },
  },
};

export const accessResponses: Readonly<Record<AccessResponseName, JsonSchema>> = {
  AccessDecision: answer({
    decision: { type: 'boolean', description: 'true for ALLOW alone.' },
    context: answer(
      {
        decision_id: { type: 'string', pattern: '^dec_' },
        reasons: { type: 'array', minItems: 1, items: reasonHead },
        permit: { type: ['string', 'null'], description: 'If the evaluation asks for a permit.' },
        mark: { type: 'string', description: 'For the report of an outcome that a rule of order counts.' },
        error: answer({ status: { type: 'integer' }, message: text }),
      },
      ['decision_id', 'reasons', 'permit', 'mark', 'error'],
    ),
  }),
  AccessDecisions: {
    type: 'object',
    oneOf: [
      answer({ evaluations: { type: 'array', minItems: 1, maxItems: 100, items: ref('AccessDecision') } }),
      ref('AccessDecision'),
    ],
  },
  ErrorMessage: { type: 'string', description: 'What is wrong.' },
};

function part(requiredFields: Readonly<Record<string, JsonSchema>>, description: string): JsonSchema {
  return {
    type: 'object',
    description,
    properties: { ...requiredFields, properties },
    required: Object.keys(requiredFields),
  };
}

/**
 * Returns the schema without its required members. A batch uses this schema for its defaults, in which members may be
 * missing.
 */
function looser({ required: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
