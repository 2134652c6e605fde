/** What clients were told of their spends, in whole cents as BigInt, beside what a store holds in the end. */
import { expect } from 'vitest';
import type { SpendRecord } from '../../../src/core/spending/collections.ts';
import type { BudgetState } from '../../../src/records.ts';
import { centsOf, keptOf } from './stored.ts';

/** One spend as its client knows it. */
export interface Entry {
  readonly agent_id: string;
  readonly cents: bigint;
  /** What has not gone back. */
  kept: bigint;
  status: 'held' | 'committed' | 'gone';
  /** Whether it is held for so short a time that it is over when the sums are compared. */
  readonly isShort: boolean;
}

/** What budgets are to say. */
interface Sums {
  spent: bigint;
  held: bigint;
  spends: bigint;
  holds: bigint;
}

/** The spends of several agents. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** How many attempts without a key had no answer, by what they asked for. */
  readonly #unanswered = new Map<string, number>();

  get size(): number {
    return this.#entries.size;
  }

  /** One more that was allowed; a repeated answer names the same. */
  enter(decision_id: string, entry: Entry): void {
    expect(this.#entries.has(decision_id)).toBe(false);
    this.#entries.set(decision_id, entry);
  }

  /** An attempt that may have spent or not. */
  leaveOpen(agent_id: string, cents: bigint): void {
    const what = `${agent_id} ${cents}`;
    this.#unanswered.set(what, (this.#unanswered.get(what) ?? 0) + 1);
  }

  /**
   * Every spend is one of the ledger, in the same state, or that of an attempt that had no answer; how many of those
   * there were, and the sums of each agent.
   */
  check(stored: readonly SpendRecord[]): { readonly unknown: number; readonly sums: Map<string, Sums> } {
    const sums = new Map<string, Sums>();
    const open = new Map(this.#unanswered);
    let known = 0;
    for (const spend of stored) {
      const { id, agent_id, amount } = spend;
      const what = `${agent_id} ${centsOf(amount)}`;
      const entry = this.#entries.get(id);
      if (entry === undefined) {
        const left = (open.get(what) ?? 0) - 1;
        if (left < 0) throw new Error(`No client has asked for the spend ${id}: ${what}`);
        open.set(what, left);
        addTo(sums, agent_id, keptOf(spend), spend.status === 'held');
        continue;
      }
      known += 1;
      const kept = entry.isShort && entry.status === 'held' ? 0n : entry.kept;
      const isHeld = entry.status === 'held' && !entry.isShort;
      const told = `${entry.agent_id} ${entry.cents} ${kept} ${isHeld}`;
      const found = `${what} ${keptOf(spend)} ${spend.status === 'held'}`;
      if (told !== found) throw new Error(`The spend ${id} is ${found}; its client was told ${told}`);
      addTo(sums, agent_id, kept, isHeld);
    }
    // None that was answered is lost, and none is there twice.
    expect(known).toBe(this.#entries.size);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
    return { unknown: stored.length - known, sums };
  }
}

function addTo(sums: Map<string, Sums>, agent_id: string, kept: bigint, isHeld: boolean): void {
  const sum = sums.get(agent_id) ?? { spent: 0n, held: 0n, spends: 0n, holds: 0n };
  sums.set(agent_id, sum);
  const count = kept > 0n ? 1n : 0n;
  if (isHeld) {
    sum.held += kept;
    sum.holds += count;
  } else {
    sum.spent += kept;
    sum.spends += count;
  }
}

/** What the sums of these agents are together, as budgets say it: name, spent and held. */
export function linesOf(sums: Map<string, Sums>, agents: readonly string[]): readonly string[] {
  const total: Sums = { spent: 0n, held: 0n, spends: 0n, holds: 0n };
  for (const agent of agents) {
    const sum = sums.get(agent);
    if (sum === undefined) continue;
    total.spent += sum.spent;
    total.held += sum.held;
    total.spends += sum.spends;
    total.holds += sum.holds;
  }
  return [`money ${total.spent} ${total.held}`, `often ${total.spends} ${total.holds}`];
}

/** A budget as `linesOf` has it, after a look that it holds. */
export function lineOf({ name, limit, count, spent, held, remaining }: BudgetState): string {
  const toUnits = count === null ? (value: unknown) => centsOf(String(value)) : BigInt;
  const [most, ...rest] = [limit ?? count, spent, held, remaining].map((value) => toUnits(value as number));
  const [used, reserved, left] = rest as [bigint, bigint, bigint];
  if (used < 0n || reserved < 0n || left < 0n || used + reserved + left !== most)
    throw new Error(`${name}: ${used} and ${reserved} of ${most}, ${left} left`);
  return `${name} ${used} ${reserved}`;
}
