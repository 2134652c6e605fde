import type { ConfirmedPassports, FiledVerdicts } from '../records/verifier.ts';
import { agentId, environment, instant } from './fields.ts';
import { answer, type JsonSchema, ref } from './json-schema.ts';

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
