import type { ConfirmedPassports, FiledVerdicts } from '../records/verifier.ts';
import { agentId, environment, instant } from './fields.ts';
import { answer, closedObject, type JsonSchema, ref } from './json-schema.ts';

export const confirmedPassports: JsonSchema = answer<ConfirmedPassports>({
  turn: { type: 'integer', minimum: 0 },
  as_of_ms: {
    type: 'number',
    description:
      'From the arrival of the request to the instant at which all of this was so, in milliseconds.',
  },
  at: { ...instant, description: 'That instant, by the clock of the store.' },
  ask: {
    type: ['string', 'null'],
    enum: ['rules', 'strict', 'rate', null],
    description: 'Why every question must go to the service; null: the verifier may decide.',
  },
  decision_version: { type: 'integer', minimum: 1 },
  account_id: { type: 'string' },
  key_id: { type: 'string' },
  environment,
  passports: {
    type: 'object',
    description:
      'The differences from the request, with the passports above; null if this key does not see the agent.',
    additionalProperties: { anyOf: [ref('Passport'), { type: 'null' }] },
  },
  unread: {
    type: 'array',
    items: agentId,
    description: 'Agents that did not fit into this answer. Ask for them again.',
  },
});

export const filedVerdicts: JsonSchema = answer<FiledVerdicts>({
  seq: { type: 'integer', minimum: 1 },
  result: {
    type: 'string',
    enum: ['filed', 'known'],
    description: 'known: this block, or one of a higher number, was filed before.',
  },
});

/** The names of the requests of local verifiers. */
export type VerifierRequestName = 'VerifierRequest' | 'VerifierVerdicts';

export const verifierRequests: Readonly<Record<VerifierRequestName, JsonSchema>> = {
  VerifierRequest: closedObject(
    {
      turn: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      agents: {
        type: 'object',
        maxProperties: 200,
        additionalProperties: { type: ['string', 'null'] },
        description: 'By agent: "<version> <updated_at>" as it is known, "" absent, null nothing.',
      },
      wait_ms: { type: 'integer', minimum: 0, maximum: 1000, description: 'How long to wait for a change.' },
    },
    ['turn', 'agents', 'wait_ms'],
    'The passports that a local verifier holds.',
  ),
  VerifierVerdicts: closedObject(
    {
      writer: {
        type: 'string',
        pattern: '^[0-9a-f]{32}$',
        description: '32 random hexadecimal digits, new with each start of the verifier.',
      },
      seq: {
        type: 'integer',
        minimum: 1,
        maximum: 218_340_105_584_895,
        description: 'The number of the block: the count in the id of its last record.',
      },
      block: { type: 'string', minLength: 1, maxLength: 1_048_576, description: 'The block as base64url.' },
      erasable: {
        type: 'string',
        minLength: 1,
        maxLength: 2_097_152,
        description: 'The bytes with the subjects of the block, as base64url.',
      },
    },
    ['writer', 'seq', 'block'],
    'Verdicts that a local verifier has decided.',
  ),
};
