/** The schemas of budgets, and of the usage that an intent names. */
import { MAX_BUDGET_COUNT, MAX_BUDGETS } from '../base/values/budget.ts';
import { BUDGET_UNITS } from '../base/values/usage.ts';
import { BUDGET_WINDOWS, SPEND_STATUSES } from '../base/values/vocabulary.ts';
import type { Budget, BudgetState, Spend } from '../records.ts';
import { actionEntries, agentId, amount, currency, environment, instant } from './fields.ts';
import { closedObject, type JsonSchema, nullable } from './json-schema.ts';

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

// The schemas of a budget's state and of a spend, as in verdict records and reports.

export const budgetState: Readonly<Record<keyof BudgetState, JsonSchema>> = {
  agent_id: agentId,
  name: { type: 'string' },
  window: { type: 'string', enum: BUDGET_WINDOWS },
  limit: nullable({ ...amount, description: 'null for a budget that counts intents.' }),
  count: nullable({ type: 'integer', minimum: 1, description: 'null for a budget of money.' }),
  spent: { ...amount, description: 'Without held amounts.' },
  held: { ...amount, description: 'Reserved, and neither committed nor released yet.' },
  remaining: { ...amount, description: 'The rest of limit or count; at least 0.' },
  resets_at: nullable(instant),
  unit: { ...budgetUnit, description: 'Absent for money and for a count.' },
};

export const spend: Readonly<Record<keyof Spend, JsonSchema>> = {
  decision_id: { type: 'string', pattern: '^dec_' },
  agent_id: agentId,
  environment,
  status: { type: 'string', enum: SPEND_STATUSES },
  amount: nullable({ ...amount, description: 'What was allowed.' }),
  released_amount: nullable({ ...amount, description: 'The returned amount.' }),
  currency: nullable(currency),
  overrun_amount: { ...amount, description: 'The amount above the hold; absent without any.' },
  usage: { ...usage, description: 'Present where the intent had it.' },
  released_usage: { ...usage, description: 'The returned usage; absent without any.' },
  overrun_usage: {
    ...usage,
    description: 'The usage above the hold; absent without any.',
  },
  held_until: nullable(instant),
  permit_until: nullable({
    ...instant,
    description: 'Until then a resource may accept the permit, and nothing of the spend goes back.',
  }),
  created_at: instant,
  updated_at: instant,
};
