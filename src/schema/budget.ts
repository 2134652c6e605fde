/** The schemas of budgets, and of the usage that an intent names. */
import { MAX_BUDGET_COUNT, MAX_BUDGETS } from '../base/values/budget.ts';
import { BUDGET_UNITS } from '../base/values/usage.ts';
import { BUDGET_WINDOWS } from '../base/values/vocabulary.ts';
import type { Budget } from '../records.ts';
import { actionEntries, amount } from './fields.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

export const budgetUnit: JsonSchema = { type: 'string', enum: BUDGET_UNITS };

const usedSchema: JsonSchema = { type: ['number', 'string'] };

export const usage: JsonSchema = closedObject(
  {
    tokens: { ...usedSchema, description: 'Whole, 0 to 10^12.', examples: [1200] },
    credits: { ...usedSchema, description: 'Exact, 0 to 10^12, at most 6 decimals.', examples: ['0.25'] },
  },
  [],
  'The usage for budgets with a unit. It has at least one member.',
);

export const budget: Readonly<Record<keyof Budget, JsonSchema>> = {
  name: {
    type: 'string',
    description: '[a-z][a-z0-9_-]{0,31}, unique in the passport. By default the name of the window.',
  },
  window: {
    type: 'string',
    enum: BUDGET_WINDOWS,
    description: 'In UTC; a week begins on Monday. A rolling window is the time before each intent.',
  },
  limit: {
    ...amount,
    description: 'In the unit, or the currency of the passport; at most 2^53 - 1 of its minor units.',
  },
  unit: { ...budgetUnit, description: 'Of the limit; absent: money. It needs actions.' },
  count: { type: 'integer', minimum: 1, maximum: MAX_BUDGET_COUNT, description: 'Allowed intents.' },
  actions: { ...actionEntries, minItems: 1, description: 'What it counts. Absent: every action.' },
  warn_at: {
    type: 'number',
    minimum: 0.01,
    maximum: 0.99,
    description: 'The part of limit or count that sends budget.threshold. At most 2 decimals.',
  },
  overrun: {
    type: 'boolean',
    description: 'true: a commit may be above its hold. By default false, with a unit true. Not with count.',
  },
};

export const budgets: JsonSchema = {
  type: 'array',
  items: closedObject(
    budget,
    ['window'],
    'Either limit or count: what an agent may use in a window of time.',
  ),
  maxItems: MAX_BUDGETS,
  description: 'How much money the allowed intents may move together, or how many there may be.',
  examples: [[{ window: 'day', limit: 500 }]],
};
