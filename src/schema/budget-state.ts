/** The schemas of a budget's state and of a spend, as in verdict records and reports. */
import { BUDGET_WINDOWS, SPEND_STATUSES } from '../base/values/vocabulary.ts';
import type { BudgetState, Spend } from '../records.ts';
import { budgetUnit, usage } from './budget.ts';
import { agentId, amount, currency, environment, instant } from './fields.ts';
import { type JsonSchema, nullable } from './json-schema.ts';

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
