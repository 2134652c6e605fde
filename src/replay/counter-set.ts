/** The counters of budgets for one set of passports, and the amounts that a record spends from them. */
import { rollingSeconds, type WindowSpan } from '../base/values/budget-window.ts';
import { type PolicyBudget, takingsOf } from '../verdict/budgets.ts';
import { preparationOf } from '../verdict/prepare.ts';
import { amountUnder, type PassportChain, withoutOverrun } from './chains.ts';
import { CLOCKS_MS, type Counter, counterKey, newCounter, windowsAround } from './counters.ts';
import type { AskedRow } from './recorded-reasons.ts';

/** An amount that a record spends from a budget. */
export interface Take {
  readonly budget: PolicyBudget;
  /** The amount in units. `undefined` if it is higher than a counter can hold. */
  readonly by: number | undefined;
  /** The counter of the budget's window, or two counters near the edge of a window. */
  readonly counters: readonly Counter[];
  readonly isAbove: boolean;
}

export interface CounterTerms {
  readonly isAbove: (agent_id: string) => boolean;
  /**
   * Returns `true` if the replay has read every record that spent in a window of an agent. The window starts at
   * `start`, or at the creation of the agent.
   */
  readonly isKnown: (agent_id: string, start: number, end: number) => boolean;
}

const MAX_COUNTERS = 4_096;

export const ALWAYS: WindowSpan = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };

export function createCounterSet(
  terms: CounterTerms,
): (row: AskedRow, chain: PassportChain) => readonly Take[] {
  const counters = new Map<string, Counter>();
  let keptCount = MAX_COUNTERS;

  function forgetBefore(atMs: number): void {
    for (const [name, { span }] of counters) {
      if (span !== undefined && span.end < atMs) counters.delete(name);
    }
    keptCount = Math.max(MAX_COUNTERS, 2 * counters.size);
  }

  function counterOf(agent_id: string, budget: PolicyBudget, span: Counter['span'], atMs: number): Counter {
    const key = counterKey(agent_id, budget, span);
    const knownCounter = counters.get(key);
    if (knownCounter !== undefined) {
      knownCounter.isChanged ||= knownCounter.max !== budget.max;
      knownCounter.max = Math.min(knownCounter.max, budget.max);
      return knownCounter;
    }
    if (counters.size >= keptCount) forgetBefore(atMs - 3 * CLOCKS_MS);
    const { start, end } = span ?? ALWAYS;
    const isKnown = terms.isKnown(agent_id, start, end);
    const { currency, max } = budget;
    const counter = newCounter({ key, agent_id, span, isKnown, isCount: currency === null, max });
    counters.set(key, counter);
    return counter;
  }

  return (row, { hasBudgets, all }) => {
    if (!hasBudgets) return [];
    const { action, at } = row;
    return all.flatMap((passport) => {
      const { policy, agent_id = '' } = preparationOf(passport);
      if (policy?.budgets === undefined) return [];
      const isAbove = terms.isAbove(agent_id);
      return takingsOf(
        agent_id,
        withoutOverrun(policy.budgets),
        action,
        amountUnder(policy, row),
        undefined,
      ).flatMap(({ budget, by }) => {
        if (rollingSeconds(budget.window) !== undefined) return [];
        const spans = windowsAround(budget.window, at);
        const ownCounters = spans.map((span) => counterOf(agent_id, budget, span, at));
        return { budget, by, isAbove, counters: ownCounters };
      });
    });
  };
}
