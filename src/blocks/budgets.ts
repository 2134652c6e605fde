/** The budgets that an ALLOW took from, as one text for each row that has any. */
import type { BudgetState, VerdictRecord } from '../records.ts';

type Packed = readonly [
  agent_id: string | 0,
  name: string,
  window: BudgetState['window'],
  limit: BudgetState['limit'],
  count: BudgetState['count'],
  spent: BudgetState['spent'],
  held: BudgetState['held'],
  remaining: BudgetState['remaining'],
  resets_at: BudgetState['resets_at'],
];

const NONE: readonly BudgetState[] = Object.freeze([]);

/** Writes the budgets of a record as text. */
export function budgetsText({ agent_id, budgets }: Pick<VerdictRecord, 'agent_id' | 'budgets'>): string {
  const packed = budgets.map((budget): Packed => {
    const { name, window, limit, count, spent, held, remaining, resets_at } = budget;
    const owner = budget.agent_id === agent_id ? 0 : budget.agent_id;
    return [owner, name, window, limit, count, spent, held, remaining, resets_at];
  });
  return JSON.stringify(packed);
}

/** Reads the text of `budgetsText` for a record of that agent. */
export function readBudgets(text: string | null | undefined, agent_id: string): readonly BudgetState[] {
  if (text === null || text === undefined) return NONE;
  const packed: readonly Packed[] = JSON.parse(text);
  return packed.map(([owner, name, window, limit, count, spent, held, remaining, resets_at]) => {
    const used = { spent, held, remaining, resets_at };
    return { agent_id: owner === 0 ? agent_id : owner, name, window, limit, count, ...used };
  });
}
