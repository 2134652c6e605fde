/** Evaluates budgets: the amounts that an intent spends from them, and the reasons if a budget would be exceeded. */
import { type ActionSet, actionSet, matchesAction } from '../base/values/action.ts';
import { isBudgetName, isWarnPart, MAX_BUDGET_COUNT, MAX_BUDGETS } from '../base/values/budget.ts';
import { windowAt } from '../base/values/budget-window.ts';
import { formatInstant } from '../base/values/instant.ts';
import { readAmount, toSafeUnits, unitsText } from '../base/values/money.ts';
import { isBudgetUnit, UNIT_DECIMALS, usedOf } from '../base/values/usage.ts';
import { BUDGET_WINDOWS } from '../base/values/vocabulary.ts';
import type { SpentBudgets } from '../records/asked.ts';
import type { Amount, Budget, BudgetUnit, BudgetWindow, Reason } from '../records.ts';
import { demand, type Elements, isRecord, membersOf, namedActions } from './read.ts';

/**
 * @internal A budget, prepared for evaluation. The budget counts minor units of the currency, smallest parts of the
 * unit, or intents.
 */
export interface PolicyBudget {
  readonly name: string;
  readonly window: BudgetWindow;
  /** The currency or the unit of a limit. `null` for a budget that counts intents. */
  readonly currency: string | null;
  readonly unit: BudgetUnit | undefined;
  /** The limit, or the maximum number of intents, in units. */
  readonly max: number;
  readonly decimals: number;
  /** The actions that the budget counts. `undefined`: every action. */
  readonly actions: ActionSet | undefined;
  readonly warn_at: number | undefined;
  /** `true` if a commit may be above its hold. */
  readonly overrun: boolean;
  /** The actions that require an amount in the intent, because this budget counts amounts. */
  readonly requires: readonly string[];
}

/** @internal The amount that an intent spends from a budget. */
export interface BudgetTaking {
  readonly agent_id: string;
  readonly budget: PolicyBudget;
  /** The amount in units. `undefined` if it is larger than a counter can hold. */
  readonly by: number | undefined;
}

/** @internal The used part of a budget, in units. */
export interface Usage {
  readonly spent: number;
  readonly held: number;
}

/** @internal The messages of the reasons about budgets by code, in the order in which reasons are listed. */
export const BUDGET_MESSAGES = {
  budget_exceeded: 'The budget is exceeded.',
  budget_unknown: 'The spent amount of the budget is not known.',
  too_many_holds: 'The agent has too many open holds.',
} as const;

/** @internal The value of `budgets` that means: evaluate them later. A service evaluates its budgets in its storage. */
export const DEFERRED: SpentBudgets = Object.freeze({});

/** @internal The reason if the used part of a budget is not known. */
export const BUDGET_UNKNOWN: Reason = reason('budget_unknown');

/** @internal The reason if an agent has the maximum number of open holds. Only a service gives it. */
export const TOO_MANY_HOLDS: Reason = /* @__PURE__ */ reason('too_many_holds');

function reason(code: keyof typeof BUDGET_MESSAGES): Reason {
  return Object.freeze({ code, message: BUDGET_MESSAGES[code] });
}

interface BudgetContext {
  readonly currency: string | null;
  readonly decimals: number | undefined;
  readonly elements: Elements;
  readonly hasMonetary: boolean;
}

/**
 * @internal Reads the budgets of a passport. Returns `undefined` if there are none. Throws if a budget is not valid.
 */
export function budgetsOf(list: unknown, context: BudgetContext): readonly PolicyBudget[] | undefined {
  if (list === undefined) return undefined;
  const budgets = context.elements(list).map((entry) => budgetOf(entry, context));
  demand(budgets.length <= MAX_BUDGETS && new Set(budgets.map(({ name }) => name)).size === budgets.length);
  return budgets.length === 0 ? undefined : budgets;
}

function budgetOf(
  entry: unknown,
  { currency, decimals, elements, hasMonetary }: BudgetContext,
): PolicyBudget {
  const {
    window,
    name = window,
    limit,
    unit,
    count,
    actions,
    overrun,
    warn_at,
  } = membersOf<keyof Budget>(entry);
  demand(
    typeof name === 'string' &&
      isBudgetName(name) &&
      BUDGET_WINDOWS.some((knownWindow) => knownWindow === window),
  );
  demand((limit === undefined) !== (count === undefined));
  demand(warn_at === undefined || isWarnPart(warn_at));
  demand(overrun === undefined || (typeof overrun === 'boolean' && count === undefined));
  const actionNames = namedActions(actions, elements);
  const sharedFields = {
    name,
    window: window as BudgetWindow,
    actions: actionNames && actionSet(actionNames),
    overrun: overrun === true || unit !== undefined,
    warn_at,
    requires: limit === undefined || unit !== undefined ? [] : (actionNames ?? []),
  };
  if (unit !== undefined) {
    demand(isBudgetUnit(unit) && actionNames !== undefined && count === undefined && overrun !== false);
    return {
      currency: unit,
      unit,
      max: maxOf(limit, UNIT_DECIMALS[unit]),
      decimals: UNIT_DECIMALS[unit],
      ...sharedFields,
    };
  }
  if (count !== undefined) {
    demand(Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_BUDGET_COUNT);
    return { currency: null, unit: undefined, max: Number(count), decimals: 0, ...sharedFields };
  }
  demand(currency !== null && decimals !== undefined && (actionNames !== undefined || hasMonetary));
  return { currency, unit: undefined, max: maxOf(limit, decimals), decimals, ...sharedFields };
}

function maxOf(limit: unknown, decimals: number): number {
  const amount = readAmount(limit, decimals);
  const max = amount === null ? undefined : toSafeUnits(amount, decimals);
  demand(max !== undefined);
  return max;
}

/**
 * @internal Returns the amounts that an intent spends from the budgets of a passport, in their order. An amount of 0
 * spends nothing from a limit.
 */
export function takingsOf(
  agent_id: string,
  budgets: readonly PolicyBudget[] | undefined,
  action: string,
  amount: Amount | null | undefined,
  usage: unknown,
): readonly BudgetTaking[] {
  const takings: BudgetTaking[] = [];
  for (const budget of budgets ?? []) {
    if (budget.actions !== undefined && !matchesAction(budget.actions, action)) continue;
    const { unit } = budget;
    if (unit !== undefined) {
      const delta = usedUnits(usage, unit, budget.decimals);
      if (delta !== 0) takings.push({ agent_id, budget, by: delta });
    } else if (budget.currency === null) takings.push({ agent_id, budget, by: 1 });
    else if (amount !== undefined && amount !== null && amount !== 0) {
      takings.push({ agent_id, budget, by: toSafeUnits(amount, budget.decimals) });
    }
  }
  return takings;
}

/** Returns the used units. `undefined`, which fits nowhere, if the usage is missing or larger than a counter. */
function usedUnits(usage: unknown, unit: BudgetUnit, decimals: number): number | undefined {
  const amount = usedOf(usage, unit);
  return amount === undefined ? undefined : toSafeUnits(amount, decimals);
}

/**
 * @internal Returns the reason for an exceeded budget. `fitsAt` is the instant from which the intent fits into a
 * rolling window. It is absent if the intent never fits, or if the history is not known.
 */
export function budgetExceeded(
  agent_id: string,
  { name, window, currency, unit, max, decimals }: PolicyBudget,
  { spent, held }: Usage,
  atMs: number,
  fitsAt?: number,
): Reason {
  const show = (units: number) => (currency === null ? units : unitsText(units, decimals));
  const end = windowAt(window, atMs)?.end ?? fitsAt;
  return {
    code: 'budget_exceeded',
    message: BUDGET_MESSAGES.budget_exceeded,
    agent_id,
    budget: name,
    window,
    ...(currency === null ? { count: max } : { limit: show(max) }),
    spent: show(spent),
    held: show(held),
    remaining: show(Math.max(0, max - spent - held)),
    resets_at: end === undefined ? null : formatInstant(end),
    ...(unit !== undefined && { unit }),
  };
}

/**
 * @internal Returns the reasons of the budgets from which an intent spends, given the used parts of the budgets. Throws
 * if the used parts cannot be read.
 */
export function budgetReasons(
  budgets: SpentBudgets | undefined,
  takings: readonly BudgetTaking[],
  atMs: number,
): readonly Reason[] {
  if (budgets === undefined || budgets === null) return [BUDGET_UNKNOWN];
  const reasons: Reason[] = [];
  for (const { agent_id, budget, by } of takings) {
    const spentCount = spentOf(budgets, agent_id, budget);
    if (spentCount === undefined) return [BUDGET_UNKNOWN];
    if (by !== undefined && by <= budget.max - spentCount) continue;
    reasons.push(budgetExceeded(agent_id, budget, { spent: spentCount, held: 0 }, atMs));
  }
  return reasons;
}

function spentOf(budgets: SpentBudgets, agent_id: string, budget: PolicyBudget): number | undefined {
  const state = member(member(budgets, agent_id), budget.name);
  const { currency, decimals } = budget;
  const value = member(state, currency === null ? 'count' : 'spent');
  if (currency === null) return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
  const amount = readAmount(value, decimals);
  // An amount above what a counter holds is above any limit.
  return amount === null ? undefined : (toSafeUnits(amount, decimals) ?? Number.MAX_SAFE_INTEGER);
}

/** Reads an own data property of an object, without running a getter. */
function member(holder: unknown, name: string): unknown {
  return isRecord(holder) ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
}
