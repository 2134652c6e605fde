/**
 * The counters of budgets in a replay: the amount that may have been taken from each, and the amount that surely was.
 */
import { type WindowSpan, windowAt } from '../base/values/budget-window.ts';
import { toSafeUnits } from '../base/values/money.ts';
import type { Amount, BudgetWindow, Reason } from '../records.ts';
import { budgetExceeded, type PolicyBudget } from '../verdict/budgets.ts';
import { createSpans, type Spans } from './spans.ts';

/** The most by which the clocks of nodes differ, and by which writes overtake each other. */
export const CLOCKS_MS = 5_000;

/** A counter as its store has shown it. */
export interface ShownCounter {
  /**
   * The amount that the recorded ALLOWs took so far. `tookBefore` counts only ALLOWs that are more than 5 seconds
   * old.
   */
  took: number;
  tookBefore: number;
  /** The most that had been taken before the records that are read; 0 when all of its window are. */
  readonly base: number;
  /** The parts that records took; `undefined` when others took that are not read. */
  readonly tiles: Tiles | undefined;
  /** The most that may have been refunded when the store showed the counter last. */
  mayBeBack: number;
  /** True if an amount was refunded for certain. */
  isBack: boolean;
}

/** The part of a counter's amount that one shown counter confirms. */
export interface CounterPart {
  /** The units that were taken. */
  most: number;
  /** The most units for each one of the shown counter. */
  ratio: number;
}

/** The parts of a counter. The part under `undefined` is not confirmed by any shown counter. */
export type CounterParts = Map<ShownCounter | undefined, CounterPart>;

/** Records with one certain verdict: the amount that they took as recorded. */
export interface Told {
  /** The parts of records that overlap no other record. */
  readonly alone: Spans;
  /** The sum of the others of more than 5 seconds ago. */
  others: number;
}

/** A counter in a window, in units. */
export interface Counter {
  readonly key: string;
  readonly agent_id: string;
  readonly span: WindowSpan | undefined;
  /** False when records of the window are missing. */
  readonly isKnown: boolean;
  /** True for a count of intents. */
  readonly isCount: boolean;
  /** The least limit under which something was asked of it, and whether there was another. */
  max: number;
  isChanged: boolean;
  /** The most that all records so far may have taken. */
  upper: number;
  /** The part of it that was not taken as recorded. */
  more: number;
  /** True when something of it may be held. */
  isHeld: boolean;
  /** The amount that records of more than 5 seconds ago took for certain. */
  certain: number;
  /** The records that took for certain. */
  readonly allowed: Told;
  /** The records that took as recorded and are denied for certain. */
  readonly denied: Told;
  /** The sum of all that asked, and the least that is taken when one of them did not fit. */
  came: number;
  least: number;
  /** The amount of holds that no record shows: they end unseen. */
  held: number;
  /** The part of it that may have been refunded. */
  readonly parts: CounterParts;
}

export function newCounter(
  of: Pick<Counter, 'key' | 'agent_id' | 'span' | 'isKnown' | 'isCount' | 'max'>,
): Counter {
  return {
    ...of,
    isChanged: false,
    isHeld: false,
    more: 0,
    allowed: newTold(),
    denied: newTold(),
    upper: 0,
    certain: 0,
    came: 0,
    least: Number.POSITIVE_INFINITY,
    held: 0,
    parts: new Map(),
  };
}

function newTold(): Told {
  return { alone: createSpans(), others: 0 };
}

/** Returns the one or two windows that hold an instant by clocks that differ. */
export function windowsAround(window: BudgetWindow, at: number): readonly (WindowSpan | undefined)[] {
  const span = windowAt(window, at);
  if (span === undefined) return [undefined];
  if (at - CLOCKS_MS < span.start) return [windowAt(window, span.start - 1), span];
  if (at + CLOCKS_MS >= span.end) return [span, windowAt(window, span.end)];
  return [span];
}

export function counterKey(
  agent_id: string,
  { name, window, currency }: Pick<PolicyBudget, 'name' | 'window'> & { readonly currency: string | null },
  span: WindowSpan | undefined,
): string {
  return `${window}:${span?.start ?? ''}:${currency ?? '#'}:${name}:${agent_id}`;
}

/** Returns an amount of a budget in units; `undefined` if no counter can hold it. */
export function unitsOf(amount: Amount, decimals: number): number | undefined {
  try {
    return toSafeUnits(amount, decimals);
  } catch {
    return undefined;
  }
}

export function exceeded({ agent_id }: Counter, budget: PolicyBudget, spent: number, at: number): Reason {
  return budgetExceeded(agent_id, budget, { spent, held: 0 }, at);
}

/** The intervals of a counter of which every record is read. */
interface Tiles {
  /** Adds the interval of a record. */
  add(from: number, to: number): void;
  /** Says whether an interval that was added overlaps no other one. */
  isAlone(from: number, to: number): boolean;
  /** Returns a lower bound of the amount that was taken after an interval that overlaps no other. */
  readonly above: Spans['above'];
}

/** Makes an empty set of intervals. */
export function createTiles(): Tiles {
  const taken = createSpans();
  const twice = createSpans();
  return {
    add(from, to) {
      for (const piece of taken.common(from, to)) twice.add(...piece);
      taken.add(from, to);
    },
    isAlone: (from, to) => !twice.meets(from, to),
    above: taken.above,
  };
}
