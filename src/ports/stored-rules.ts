/** The stored forms of the rules of a passport. */

import type { ApprovalBy, BudgetWindow, Condition } from '../records.ts';

/** A condition. Its bounds are canonical amounts. */
export type StoredCondition = { readonly [Field in keyof Condition]: Condition[Field] };

/** A pace with its name. */
export type StoredPace = {
  readonly name: string;
  readonly actions?: readonly string[];
  readonly max: number;
  readonly seconds: number;
};

/** An approval rule. `above` is canonical decimal text. */
export type StoredApprovalRequirement = {
  readonly above?: string;
  readonly actions?: readonly string[];
  readonly seconds: number;
  readonly count?: number;
  readonly by?: ApprovalBy;
  readonly changes?: boolean;
};

/** A budget of a passport: either `limit`, as canonical decimal text, or `count`. */
export type StoredBudget = {
  readonly name: string;
  readonly window: BudgetWindow;
  readonly limit?: string;
  readonly count?: number;
  readonly actions?: readonly string[];
};
