/** Budgets as a plain list of spends has them: own windows, own sums, in whole cents as BigInt. */
import type { BudgetWindow } from '../../../src/records.ts';

const DAY_MS = 24 * 3_600_000;

/** A budget that a passport may have. */
export interface ListedBudget {
  readonly name: string;
  readonly window: BudgetWindow;
  /** Intents, instead of money. */
  readonly counts: boolean;
  /** In cents, or in intents. */
  readonly max: bigint;
}

/** A spend as the list has it. */
export interface ListedSpend {
  readonly id: string;
  /** Of each budget that it was taken from, the window. */
  readonly windows: ReadonlyMap<string, string>;
  /** What has not gone back. */
  left: bigint;
  status: 'held' | 'committed' | 'gone' | 'lapsed';
  readonly heldUntil: number;
}

/** What makes two budgets one, whatever its limit and its actions are. */
const identityOf = ({ name, window, counts }: ListedBudget): string => `${name} ${window} ${counts}`;

/** The name of the window of an instant: another way than that of the product. */
function windowNameOf(window: BudgetWindow, at: number): string {
  if (window === 'week') return `${Math.floor((at / DAY_MS + 3) / 7)}`;
  const lengths = { hour: 13, day: 10, month: 7, year: 4, lifetime: 0 };
  return new Date(at).toISOString().slice(0, lengths[window]);
}

/** The spends of one agent. */
export class PlainList {
  readonly spends: ListedSpend[] = [];

  /** What is over goes back. */
  lapse(at: number): void {
    for (const spend of this.spends) {
      if (spend.status !== 'held' || spend.heldUntil > at) continue;
      spend.status = 'lapsed';
      spend.left = 0n;
    }
  }

  /** What is spent and held of a budget in its present window. */
  used(budget: ListedBudget, at: number): readonly [spent: bigint, held: bigint] {
    const identity = identityOf(budget);
    const present = windowNameOf(budget.window, at);
    let [spent, held] = [0n, 0n];
    for (const { windows, left, status } of this.spends) {
      if (status === 'gone' || status === 'lapsed' || windows.get(identity) !== present) continue;
      const units = budget.counts ? 1n : left;
      if (status === 'held') held += units;
      else spent += units;
    }
    return [spent, held];
  }

  /** The budgets that do not hold this amount too. */
  full(budgets: readonly ListedBudget[], cents: bigint, at: number): readonly ListedBudget[] {
    return budgets.filter((budget) => {
      const [spent, held] = this.used(budget, at);
      const units = budget.counts ? 1n : cents;
      return units > 0n && spent + held + units > budget.max;
    });
  }

  add(
    budgets: readonly ListedBudget[],
    spend: Pick<ListedSpend, 'id' | 'left' | 'status' | 'heldUntil'>,
    at: number,
  ): void {
    const windows = new Map(
      budgets.map((budget) => [identityOf(budget), windowNameOf(budget.window, at)] as const),
    );
    this.spends.push({ ...spend, windows });
  }
}
