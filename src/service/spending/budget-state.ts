/** The state of a budget, from the values of its counters. */
import { unitsAmount } from '../../base/values/units.ts';
import type { Amount, BudgetReport, BudgetState } from '../../records.ts';
import type { PolicyBudget, Usage } from '../../verdict/budgets.ts';
import type { CountedWindow } from './counters.ts';

/** Returns what is spent of `used`, without what is held. */
export function usageOf(used: number, held: number): Usage {
  return { spent: used - held, held };
}

/** Returns the state of a budget of an agent in a window. */
export function stateOf(
  agent_id: string,
  budget: PolicyBudget,
  { spent, held }: Usage,
  { resets_at }: Pick<CountedWindow, 'resets_at'>,
): BudgetState {
  const { name, window, currency, max } = budget;
  return {
    agent_id,
    name,
    window,
    limit: currency === null ? null : shown(budget, max),
    count: currency === null ? max : null,
    spent: shown(budget, spent),
    held: shown(budget, held),
    remaining: shown(budget, max - spent - held),
    resets_at,
  };
}

/** Returns the state with the start of the window. */
export function reportOf(
  agent_id: string,
  budget: PolicyBudget,
  usage: Usage,
  { window_start, resets_at }: Pick<CountedWindow, 'window_start' | 'resets_at'>,
): BudgetReport {
  const { resets_at: _, ...state } = stateOf(agent_id, budget, usage, { resets_at });
  return { ...state, window_start, resets_at };
}

/** Returns the amount, never below 0: more may be spent than a limit that was lowered later. */
function shown({ currency, decimals }: PolicyBudget, units: number): Amount {
  const own = Math.max(0, units);
  return currency === null ? own : unitsAmount(own, decimals);
}
