/** Stores the budgets that an `ALLOW` spent from, as one text for each record that has any. */
import { MAX_BUDGETS } from '../base/values/budget.ts';
import { MAX_ANCESTORS, MAX_ID } from '../base/values/field-limits.ts';
import { isBudgetUnit } from '../base/values/usage.ts';
import type { BudgetState, BudgetUnit, VerdictRecord } from '../records.ts';
import { type FlatShape, parseFlat } from './context.ts';

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
  unit?: BudgetUnit,
];

const NONE: readonly BudgetState[] = Object.freeze([]);

export function budgetsText({ agent_id, budgets }: Pick<VerdictRecord, 'agent_id' | 'budgets'>): string {
  const packedList = budgets.map((budget): Packed => {
    const { name, window, limit, count, spent, held, remaining, resets_at, unit } = budget;
    const owner = budget.agent_id === agent_id ? 0 : budget.agent_id;
    const list = [owner, name, window, limit, count, spent, held, remaining, resets_at] as const;
    return unit === undefined ? list : [...list, unit];
  });
  return JSON.stringify(packedList);
}

const MOST_BUDGETS = MAX_BUDGETS * (MAX_ANCESTORS + 1);
const PARTS = 9;
/** The maximum length of a text. Each budget has room for one agent id, and for its other parts, which are shorter. */
const MAX_TEXT = 2 * MAX_ID * MOST_BUDGETS;

const SHAPE: FlatShape = { depth: 2, commas: (PARTS + 1) * MOST_BUDGETS };

export function readBudgets(text: string | null | undefined, agent_id: string): readonly BudgetState[] {
  if (text === null || text === undefined) return NONE;
  const packedValue: unknown = text.length > MAX_TEXT ? undefined : parseFlat(text, SHAPE);
  if (!isPacked(packedValue)) throw new RangeError('The budgets of a row are no list of budgets.');
  return packedValue.map(
    ([owner, name, window, limit, count, spentAmount, heldAmount, remaining, resets_at, unit]) => {
      const usedFields = {
        spent: spentAmount,
        held: heldAmount,
        remaining,
        resets_at,
        ...(unit !== undefined && { unit }),
      };
      return { agent_id: owner === 0 ? agent_id : owner, name, window, limit, count, ...usedFields };
    },
  );
}

function isPacked(value: unknown): value is readonly Packed[] {
  return Array.isArray(value) && value.length <= MOST_BUDGETS && value.every(isPackedBudget);
}

function isPackedBudget(value: unknown): boolean {
  return Array.isArray(value) && isPartNumber(value.length) && value.every(isPart) && isUnit(value[PARTS]);
}

/** Returns `true` if a budget can have this number of parts. A budget with a unit has one more part. */
function isPartNumber(length: number): boolean {
  return length === PARTS || length === PARTS + 1;
}

function isUnit(value: unknown): boolean {
  return value === undefined || isBudgetUnit(value);
}

function isPart(value: unknown): boolean {
  return value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_ID);
}
