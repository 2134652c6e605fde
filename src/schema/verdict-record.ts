import { VERDICTS } from '../base/values/vocabulary.ts';
import type { RecordedVerdict } from '../records/outcome.ts';
import type { Verdict, VerdictRecord } from '../records.ts';
import { usage } from './budget.ts';
import { amount, ancestorVersions, currency, environment, instant } from './fields.ts';
import { answer, type JsonSchema, nullable, ref } from './json-schema.ts';
import { recordedOutcome } from './outcome.ts';

const text: JsonSchema = { type: 'string' };
const personSchema = nullable(text);

export const verdict: Readonly<Record<keyof Verdict, JsonSchema>> = {
  verdict: { type: 'string', enum: VERDICTS },
  reasons: { type: 'array', items: ref('Reason') },
};

const recordFields: Readonly<Record<Exclude<keyof VerdictRecord, 'permit' | 'mark'>, JsonSchema>> = {
  ...verdict,
  decision_id: { type: 'string', pattern: '^dec_' },
  agent_id: text,
  action: text,
  target: nullable(text),
  amount: nullable(amount),
  currency: nullable(currency),
  usage: { ...usage, description: 'Present where the intent had it.' },
  passport_version: nullable({ type: 'integer' }),
  ancestor_versions: ancestorVersions,
  environment,
  key_id: personSchema,
  request_id: personSchema,
  trace_id: { ...personSchema, description: 'The trace of the question: 32 lower-case hexadecimal digits.' },
  dry_run: { type: 'boolean' },
  proof_kid: { ...personSchema, description: 'The thumbprint of the key that proved the intent.' },
  subject: {
    ...personSchema,
    description: 'For whom the agent acts, as the caller says; null without, and once erased.',
  },
  subject_erased: { const: true, description: 'Present once the subject was erased.' },
  approval_id: { ...personSchema, description: 'The approval that the intent named.' },
  hold_seconds: nullable({ type: 'integer' }),
  verifier: {
    ...personSchema,
    description:
      'The local verifier that decided, by the word of the holder of its key; null where the service answered.',
  },
  permit_audience: {
    ...personSchema,
    description: 'The resource for which a permit was issued; null where none was.',
  },
  budgets: {
    type: 'array',
    items: ref('BudgetState'),
    description: 'The budgets that an ALLOW took from, as they stood after it.',
  },
  evaluated_at: instant,
};

export const verdictRecord: JsonSchema = answer<VerdictRecord>(
  {
    ...recordFields,
    permit: {
      ...personSchema,
      description:
        'The permit, where the intent asks for one: null on DENY and for a dry run. It is not stored.',
    },
    mark: {
      ...text,
      maxLength: 1024,
      description: 'For the report of an outcome that a rule of order counts. It is not stored.',
    },
  },
  ['subject_erased', 'usage', 'permit', 'mark'],
);

export const recordedVerdict: JsonSchema = answer<RecordedVerdict>(
  { ...recordFields, outcome: recordedOutcome },
  ['subject_erased', 'usage'],
);
