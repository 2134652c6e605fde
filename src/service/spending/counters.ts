/** The counters of budgets: for each window the sum of what is spent or held, and the part that is held. */
import { type WindowSpan, windowAt } from '../../base/values/budget-window.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Environment, Instant } from '../../records.ts';
import type { PolicyBudget } from '../../verdict/budgets.ts';

/** The agent and the environment of a budget. */
export interface BudgetOwner {
  readonly environment: Environment;
  readonly agent_id: string;
}

/** The two counters of a budget in one window, in the unit of the budget. */
export interface BudgetCounters {
  /** The counter of what is spent or held. */
  readonly used: string;
  /** The counter of what is held. */
  readonly held: string;
  /** The instant at which both expire; `null`: never. */
  readonly expires_at: Instant | null;
}

/** A window of a budget, with its counters. */
export interface CountedWindow extends BudgetCounters {
  /** The ends of the window; both are `null` for a window without ends. */
  readonly window_start: Instant | null;
  readonly resets_at: Instant | null;
}

/** Returns the window of a budget that contains `at`, in milliseconds since the Unix epoch. */
export type WindowOf = (owner: BudgetOwner, budget: PolicyBudget, at: number) => CountedWindow;

/** The time that the counters of a window are kept after its end. */
export const KEPT_MS: number = 100 * RESOLUTION_MS.day;

/** The unit of a budget that counts intents; it takes the place of a currency. */
const INTENTS = '#';

/** Returns the window of a budget that contains `at`, in milliseconds since the Unix epoch. */
export const windowOf: WindowOf = ({ environment, agent_id }, { name, window, currency }, at) => {
  const span: WindowSpan | undefined = windowAt(window, at);
  const id = `${environment}:${window}:${span?.start ?? ''}:${currency ?? INTENTS}:${name}:${agent_id}`;
  return {
    used: `used:${id}`,
    held: `held:${id}`,
    expires_at: span === undefined ? null : formatInstant(span.end + KEPT_MS),
    window_start: span === undefined ? null : formatInstant(span.start),
    resets_at: span === undefined ? null : formatInstant(span.end),
  };
};

/** The last window that was used of a budget. */
interface Kept extends BudgetOwner {
  readonly start: number;
  readonly end: number;
  readonly found: CountedWindow;
}

/** Makes a `windowOf` that keeps the last window of each budget: formatting one takes as long as a verdict. */
export function createWindowOf(): WindowOf {
  const last = new WeakMap<PolicyBudget, Kept>();
  return (owner, budget, at) => {
    const { environment, agent_id } = owner;
    const kept = last.get(budget);
    if (kept !== undefined && at >= kept.start && at < kept.end) {
      if (kept.environment === environment && kept.agent_id === agent_id) return kept.found;
    }
    const found = windowOf(owner, budget, at);
    const { start, end } = windowAt(budget.window, at) ?? ALWAYS;
    last.set(budget, { environment, agent_id, start, end, found });
    return found;
  };
}

const ALWAYS: WindowSpan = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** Returns the name of the counter of the open holds of an agent. */
export function holdsCounter({ environment, agent_id }: BudgetOwner): string {
  return `holds:${environment}:${agent_id}`;
}
