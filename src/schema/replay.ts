/** The schemas of a replay: its input and its answer. */
import { COMPARISON_RESULTS, ENVIRONMENTS } from '../base/values/vocabulary.ts';
import type { Comparison, Difference } from '../records/comparison.ts';
import type {
  PassportReplay,
  ReplayExample,
  ReplayReason,
  ReplayTurns,
  UnknownCode,
} from '../records/replay.ts';
import { amount, environment, instant } from './fields.ts';
import { answer, closedObject, type JsonSchema, nullable, ref } from './json-schema.ts';

const count: JsonSchema = { type: 'integer', minimum: 0 };
const reasons: JsonSchema = { type: 'array', items: ref('Reason') };

export const replayRequest: JsonSchema = closedObject(
  {
    patch: ref('PassportPatch'),
    from: instant,
    to: instant,
    environment: { ...environment, enum: ENVIRONMENTS, description: 'Of the verdicts; default live.' },
    passport: {
      type: 'string',
      enum: ['current', 'recorded'],
      description:
        'The passports as they are, or the versions that each record names; recorded does not take a patch.',
    },
    examples: {
      type: 'integer',
      minimum: 0,
      maximum: 100,
      description: 'The most examples of each kind; default 20.',
    },
  },
  [],
  'The verdicts to replay, by default of the last 30 days, and a patch. With from equal to to only the change is answered.',
);

const facts: JsonSchema = {
  type: 'object',
  properties: {
    budgets: { type: 'object', additionalProperties: { type: 'object' } },
    approval: { type: 'object' },
    proof: { type: 'object' },
  },
  additionalProperties: false,
  description: 'The other facts that the passport was asked with.',
};

export const difference: JsonSchema = answer<Difference>({
  code: { type: 'string' },
  reasons,
  intent: {
    anyOf: [ref('Intent'), { type: 'null' }],
    description: 'null: no single intent shows this difference.',
  },
  at: instant,
  allowed: facts,
  denied: facts,
});

const differences: JsonSchema = { type: 'array', items: difference };

export const comparison: JsonSchema = answer<Comparison>({
  result: { type: 'string', enum: COMPARISON_RESULTS },
  wider: { ...differences, description: 'Intents that only the passport after the change allows.' },
  narrower: { ...differences, description: 'Intents that only the passport before the change allows.' },
});

const turns: Readonly<Record<keyof ReplayTurns, JsonSchema>> = { now_denied: count, now_allowed: count };

/** The codes of unknown verdicts, in order of priority. */
const UNKNOWN_CODES = [
  ...['not_seen', 'amount', 'proof', 'approval', 'holds', 'usage', 'budget', 'history'],
  ...['given_back', 'order', 'parameters', 'erased', 'version'],
] as readonly UnknownCode[];

const texts: JsonSchema = { type: 'array', items: { type: 'string' } };

export const replayAnswer: JsonSchema = answer<PassportReplay>({
  change: {
    anyOf: [ref('Comparison'), { type: 'null' }],
    description: 'The passport compared with what the patch makes of it; null without a patch.',
  },
  covered: answer<PassportReplay['covered']>({
    from: instant,
    to: instant,
    records: count,
    complete: {
      type: 'boolean',
      description: 'false: older records of the time that was asked for are missing.',
    },
  }),
  judged: { ...count, description: 'The sum of unchanged, now_denied, now_allowed and all of unknown.' },
  unchanged: count,
  ...turns,
  unknown: {
    type: 'object',
    properties: Object.fromEntries(UNKNOWN_CODES.map((code) => [code, count])),
    additionalProperties: false,
    description: 'The records without a certain verdict, by cause.',
  },
  by_change: { ...answer<ReplayTurns>(turns), description: 'Against the passport without the patch.' },
  reasons: { type: 'array', items: answer<ReplayReason>({ code: { type: 'string' }, count }) },
  used: answer<PassportReplay['used']>({
    unused: answer<PassportReplay['used']['unused']>({ allowed_actions: texts, allowed_targets: texts }),
    highest_amount: nullable(amount),
  }),
  examples: {
    type: 'array',
    items: answer<ReplayExample>({
      record: ref('VerdictRecord'),
      verdict: { type: ['string', 'null'], enum: ['ALLOW', 'DENY', null] },
      reasons,
      unknown: { type: ['string', 'null'], enum: [...UNKNOWN_CODES, null] },
    }),
  },
  dropped: { ...count, description: 'Records of the account in this time that are reported lost.' },
});
