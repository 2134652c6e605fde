/** The counters of budgets: what is spent or held in each window, and what of it is held. */
import { type WindowSpan, windowAt } from '../../base/values/budget-window.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Environment, Instant } from '../../records.ts';
import type { PolicyBudget } from '../../verdict/budgets.ts';

/** Whose budgets. */
export interface BudgetOwner {
  readonly environment: Environment;
  readonly agent_id: string;
}

/** The two counters of a budget in one window, in its unit. */
export interface BudgetCounters {
  /** What is spent or held. */
  readonly used: string;
  /** What of it is held. */
  readonly held: string;
  /** When both end; `null`: never. */
  readonly expires_at: Instant | null;
}

/** A window of a budget, with its counters. */
export interface CountedWindow extends BudgetCounters {
  /** Both `null` for a window without ends. */
  readonly window_start: Instant | null;
  readonly resets_at: Instant | null;
}

/** Gives the window of a budget that holds `at`, in milliseconds since the Unix epoch. */
export type WindowOf = (owner: BudgetOwner, budget: PolicyBudget, at: number) => CountedWindow;

/** How long the counters of a window stay behind its end. */
export const KEPT_MS: number = 100 * RESOLUTION_MS.day;

/** The unit of a budget that counts intents, where the currency stands. */
const INTENTS = '#';

/** The window of a budget that holds `at`, in milliseconds since the Unix epoch. */
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

/** The last window of a budget that was asked for. */
interface Kept extends BudgetOwner {
  readonly start: number;
  readonly end: number;
  readonly found: CountedWindow;
}

/** A `windowOf` that keeps the last window of each budget: to spell one takes as long as a verdict. */
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

/** The counter of the open holds of an agent. */
export function holdsCounter({ environment, agent_id }: BudgetOwner): string {
  return `holds:${environment}:${agent_id}`;
}
