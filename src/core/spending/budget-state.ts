import { unitsAmount } from '../../base/values/money.ts';
import { fitsFrom } from '../../base/values/spans.ts';
import type { Amount, BudgetReport, BudgetState } from '../../records.ts';
import type { BudgetTaking, PolicyBudget, Usage } from '../../verdict/budgets.ts';
import type { CountedWindow } from './counters.ts';

/** Returns the spent and held amounts of a window. `values` has the sum of both first, then the held amount. */
export function usageIn({ rolling }: CountedWindow, values: readonly number[]): Usage {
  if (rolling !== undefined) return { spent: Math.max(...values), held: 0 };
  const [usedUnits = Number.NaN, heldUnits = Number.NaN] = values;
  return { spent: usedUnits - heldUnits, held: heldUnits };
}

/**
 * Returns the instant from which an amount fits into a rolling window. Returns `undefined` if it never fits, and for a
 * calendar window.
 */
export function fitsAtOf(
  { rolling }: CountedWindow,
  values: readonly number[],
  { budget: { max }, by }: BudgetTaking,
): number | undefined {
  if (rolling === undefined || by === undefined) return undefined;
  return fitsFrom(rolling.seconds, rolling.spans, values, { by, max });
}

export function stateOf(
  agent_id: string,
  budget: PolicyBudget,
  { spent, held }: Usage,
  { resets_at }: Pick<CountedWindow, 'resets_at'>,
): BudgetState {
  const { name, window, currency, unit, max } = budget;
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
    ...(unit !== undefined && { unit }),
  };
}

export function reportOf(
  agent_id: string,
  budget: PolicyBudget,
  usage: Usage,
  { window_start, resets_at }: Pick<CountedWindow, 'window_start' | 'resets_at'>,
): BudgetReport {
  const { resets_at: _, ...state } = stateOf(agent_id, budget, usage, { resets_at });
  return { ...state, window_start, resets_at };
}

function shown({ currency, decimals }: PolicyBudget, units: number): Amount {
  const ownUnits = Math.max(0, units);
  return currency === null ? ownUnits : unitsAmount(ownUnits, decimals);
}
