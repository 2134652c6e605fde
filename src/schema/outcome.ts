import { OUTCOMES } from '../base/values/vocabulary.ts';
import type { OutcomeInput, RecordedOutcome } from '../records/outcome.ts';
import { agentId, instant } from './fields.ts';
import { answer, closedObject, type JsonSchema, nullable } from './json-schema.ts';

const fields: Readonly<Record<keyof OutcomeInput, JsonSchema>> = {
  decision_id: { type: 'string', maxLength: 64, description: 'Of the verdict.' },
  evaluated_at: { ...instant, description: 'Of the verdict: at most 7 days ago.' },
  agent_id: { ...agentId, description: 'Of the verdict.' },
  outcome: {
    type: 'string',
    enum: OUTCOMES,
    description: 'failed: it ended with an error, and money may have moved.',
  },
  code: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'Your own code: a lower-case letter, then a-z, 0-9 and _.',
    examples: ['timeout'],
  },
  mark: {
    type: 'string',
    minLength: 1,
    maxLength: 1024,
    description: 'Of the verdict, if it has one.',
  },
};

export const outcomeReport: JsonSchema = closedObject(
  fields,
  ['decision_id', 'evaluated_at', 'agent_id', 'outcome'],
  'The outcome of a verdict.',
);

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };

export const recordedOutcome: JsonSchema = {
  ...nullable(
    answer<RecordedOutcome>({
      outcome: { type: 'string', enum: OUTCOMES },
      code: nullable(text),
      reported_at: instant,
      key_id: nullable(text),
    }),
  ),
  description: 'The first report that is not unknown, otherwise the first; null: none came.',
};

export const outcomeSums: JsonSchema = answer({
  succeeded: count,
  failed: count,
  not_attempted: count,
  unknown: count,
  unreported: { ...count, description: 'ALLOW less reports.' },
});
