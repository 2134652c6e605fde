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
  /** Of each budget of the calendar that it was taken from, the window. */
  readonly windows: ReadonlyMap<string, string>;
  /** Of each rolling budget that it was taken from, what still counts in each span, by the first part of the span. */
  readonly spans: ReadonlyMap<string, Map<number, bigint>>;
  /** What has not gone back. */
  left: bigint;
  status: 'held' | 'committed' | 'gone' | 'lapsed';
  readonly heldUntil: number;
}

/** What makes two budgets one, whatever its limit and its actions are. */
const identityOf = ({ name, window, counts }: ListedBudget): string => `${name} ${window} ${counts}`;

/** The length of a part of a rolling window: a twelfth. */
const PARTS_MS: Partial<Record<BudgetWindow, number>> = {
  rolling_hour: DAY_MS / 24 / 12,
  rolling_day: DAY_MS / 12,
  rolling_week: (7 * DAY_MS) / 12,
  rolling_month: (30 * DAY_MS) / 12,
};

const partsOf = ({ window }: ListedBudget): number => PARTS_MS[window] ?? 0;

export const isRolling = (budget: ListedBudget): boolean => partsOf(budget) > 0;

/** The first parts of the 13 spans with an instant. */
function spansWith(part: number): readonly number[] {
  return Array.from({ length: 13 }, (_, before) => part - before);
}

/** The name of the window of an instant: another way than that of the product. */
function windowNameOf(window: BudgetWindow, at: number): string {
  if (window === 'week') return `${Math.floor((at / DAY_MS + 3) / 7)}`;
  const lengths: Partial<Record<BudgetWindow, number>> = {
    hour: 13,
    day: 10,
    month: 7,
    year: 4,
    lifetime: 0,
  };
  return new Date(at).toISOString().slice(0, lengths[window]);
}

/** The spends of one agent. */
export class PlainList {
  readonly spends: ListedSpend[] = [];

  /** What is over goes back. */
  lapse(at: number): void {
    for (const spend of this.spends) {
      if (spend.status !== 'held' || spend.heldUntil > at) continue;
      this.giveBack(spend, spend.left, at);
      spend.status = 'lapsed';
    }
  }

  /** Gives back a part of a spend. What was counted in a span that has ended stays. */
  giveBack(spend: ListedSpend, units: bigint, at: number, ends: boolean = units === spend.left): void {
    spend.left -= units;
    for (const [identity, counted] of spend.spans) {
      const [, window, counts] = identity.split(' ') as [string, BudgetWindow, string];
      const back = counts === 'false' ? units : ends ? 1n : 0n;
      for (const [span, left] of counted) {
        if ((span + 13) * (PARTS_MS[window] ?? 0) > at) counted.set(span, left - back);
      }
    }
  }

  /** What is counted in a span of a rolling budget. */
  #inSpan(budget: ListedBudget, span: number): bigint {
    const identity = identityOf(budget);
    return this.spends.reduce((sum, { spans }) => sum + (spans.get(identity)?.get(span) ?? 0n), 0n);
  }

  /** The most that is counted in a span with the instant. */
  #rolling(budget: ListedBudget, at: number): bigint {
    const sums = spansWith(Math.floor(at / partsOf(budget))).map((span) => this.#inSpan(budget, span));
    return sums.reduce((most, sum) => (sum > most ? sum : most), 0n);
  }

  /** The first part from which on an amount fits, tried one after the other; `undefined` if it never fits. */
  fitsFrom(budget: ListedBudget, cents: bigint, at: number): number | undefined {
    const units = budget.counts ? 1n : cents;
    if (units > budget.max) return undefined;
    const length = partsOf(budget);
    const now = Math.floor(at / length);
    // What was counted later, before the clock was set back, is not looked at.
    const isFree = (part: number): boolean =>
      spansWith(part).every((span) => span > now || this.#inSpan(budget, span) + units <= budget.max);
    let part = now;
    while (!isFree(part)) part += 1;
    return part * length;
  }

  /** What is spent and held of a budget in its present window. */
  used(budget: ListedBudget, at: number): readonly [spent: bigint, held: bigint] {
    if (isRolling(budget)) return [this.#rolling(budget, at), 0n];
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
    const calendar = budgets.filter((budget) => !isRolling(budget));
    const windows = new Map(
      calendar.map((budget) => [identityOf(budget), windowNameOf(budget.window, at)] as const),
    );
    const spans = new Map(
      budgets.filter(isRolling).map((budget) => {
        const counted = spansWith(Math.floor(at / partsOf(budget)));
        const units = budget.counts ? 1n : spend.left;
        return [identityOf(budget), new Map(counted.map((span) => [span, units]))] as const;
      }),
    );
    this.spends.push({ ...spend, windows, spans });
  }
}
