/**
 * The counters of budgets in a replay. Each counter has the maximum that may have been spent, and the minimum that was
 * certainly spent.
 */

import { type WindowSpan, windowAt } from '../base/values/budget-window.ts';
import { toSafeUnits } from '../base/values/money.ts';
import type { Amount, BudgetWindow, Reason } from '../records.ts';
import { budgetExceeded, type PolicyBudget } from '../verdict/budgets.ts';

/** The maximum difference in milliseconds between the clocks of nodes, including writes that overtake each other. */
export const CLOCKS_MS = 5_000;

export interface ShownCounter {
  /**
   * The amount that recorded `ALLOW`s have spent so far. `tookBefore` counts only `ALLOW`s that are more than 5 seconds
   * old.
   */
  took: number;
  tookBefore: number;
  /** The maximum that was spent before the first record of the replay. 0 if all records of the window are read. */
  readonly base: number;
  /**
   * The intervals that records have filled, each from the value of the counter before a spend to the value
   * after it. `undefined` if the replay does not read all spends of the counter.
   */
  readonly tiles: Tiles | undefined;
  /** The maximum that may have been refunded before the latest record that contains the counter. */
  mayBeBack: number;
  /** `true` if an amount was certainly refunded. */
  isBack: boolean;
}

/**
 * A part of the amount in a counter. A second counter can limit the refunds of this part. The records that spent the
 * part contain both counters, and show the refunds of the second counter.
 */
export interface CounterPart {
  /** The spent units. */
  most: number;
  /** The maximum number of units that a record spent from the first counter for each unit of the second counter. */
  ratio: number;
}

/** The parts of a counter, by the second counter. The part with the key `undefined` has no second counter. */
export type CounterParts = Map<ShownCounter | undefined, CounterPart>;

/** The amounts that records with one certain verdict, such as `ALLOW`, spent from a counter when they were recorded. */
export interface Told {
  /** The intervals of the counter that a single record has filled. */
  readonly alone: Spans;
  /** The sum of the amounts of all other records that are more than 5 seconds old. */
  others: number;
}

export interface Counter {
  readonly key: string;
  readonly agent_id: string;
  readonly span: WindowSpan | undefined;
  /** `false` if records of the window are missing. */
  readonly isKnown: boolean;
  readonly isCount: boolean;
  /** The lowest limit that the budget had for any record so far. */
  max: number;
  isChanged: boolean;
  /** The maximum that all records so far may have spent. */
  upper: number;
  /** The part of `upper` that was not spent when recorded. */
  more: number;
  isHeld: boolean;
  /** The amount that records more than 5 seconds old have certainly spent. */
  certain: number;
  /** The records that have certainly spent. */
  readonly allowed: Told;
  /** The records that spent when recorded and are now certainly denied. */
  readonly denied: Told;
  /** The sum of the amounts of old records, if all of these amounts fitted. */
  came: number;
  /** The minimum that old records have spent if one of their amounts did not fit. */
  least: number;
  /** The sum of holds that no record contains, so that their end cannot be seen. */
  held: number;
  readonly parts: CounterParts;
}

export function newCounter(
  counter: Pick<Counter, 'key' | 'agent_id' | 'span' | 'isKnown' | 'isCount' | 'max'>,
): Counter {
  return {
    ...counter,
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

/** Returns the one or two windows that may contain an instant, because clocks differ. */
export function windowsAround(window: BudgetWindow, atMs: number): readonly (WindowSpan | undefined)[] {
  const span = windowAt(window, atMs);
  if (span === undefined) return [undefined];
  if (atMs - CLOCKS_MS < span.start) return [windowAt(window, span.start - 1), span];
  if (atMs + CLOCKS_MS >= span.end) return [span, windowAt(window, span.end)];
  return [span];
}

export function counterKey(
  agent_id: string,
  { name, window, currency }: Pick<PolicyBudget, 'name' | 'window'> & { readonly currency: string | null },
  span: WindowSpan | undefined,
): string {
  return `${window}:${span?.start ?? ''}:${currency ?? '#'}:${name}:${agent_id}`;
}

/** Returns an amount of a budget in units. Returns `undefined` if a counter cannot hold it. */
export function unitsOf(amount: Amount, decimals: number): number | undefined {
  try {
    return toSafeUnits(amount, decimals);
  } catch {
    return undefined;
  }
}

export function exceeded(
  { agent_id }: Counter,
  budget: PolicyBudget,
  spentCount: number,
  atMs: number,
): Reason {
  return budgetExceeded(agent_id, budget, { spent: spentCount, held: 0 }, atMs);
}

interface Tiles {
  add(start: number, end: number): void;
  /** Returns `true` if an added interval overlaps no other interval. */
  isAlone(start: number, end: number): boolean;
  /** Returns a lower limit for the amount that was spent after an interval that overlaps no other. */
  readonly above: Spans['above'];
}

export function createTiles(): Tiles {
  const takenSpans = createSpans();
  const twice = createSpans();
  return {
    add(start, end) {
      for (const piece of takenSpans.common(start, end)) twice.add(...piece);
      takenSpans.add(start, end);
    },
    isAlone: (start, end) => !twice.meets(start, end),
    above: takenSpans.above,
  };
}

/** A set of intervals of a counter, each from one amount to another, in units. */
interface Spans {
  add(start: number, end: number): void;
  /** Returns the pieces of an interval that were added before. */
  common(start: number, end: number): readonly (readonly [from: number, to: number])[];
  /** Returns `true` if a part of the interval may have been added. */
  meets(start: number, end: number): boolean;
  above(amount: number): number;
  below(amount: number): number;
}

/** The maximum number of separate intervals. If there are more, the lower half is replaced by its sum. */
const MAX_SPANS = 256;

export function createSpans(): Spans {
  /** The starts of the intervals, sorted. The intervals do not touch each other. */
  let starts: number[] = [];
  let ends: number[] = [];
  let total = 0;
  /** The amount below which only the sum is known. */
  let joinedCount = 0;

  function placeOf(amount: number): number {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) < amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function common(start: number, end: number): readonly (readonly [number, number])[] {
    const pieces: (readonly [number, number])[] =
      start < joinedCount ? [[start, Math.min(end, joinedCount)]] : [];
    for (let place = placeOf(start); place < ends.length && (starts[place] as number) < end; place += 1) {
      const piece = [Math.max(start, starts[place] as number), Math.min(end, ends[place] as number)] as const;
      if (piece[0] < piece[1]) pieces.push(piece);
    }
    return pieces;
  }

  function above(amount: number): number {
    let sum = 0;
    for (let place = ends.length - 1; place >= 0 && (ends[place] as number) > amount; place -= 1)
      sum += (ends[place] as number) - Math.max(amount, starts[place] as number);
    return sum;
  }

  function join(): void {
    const half = MAX_SPANS / 2;
    joinedCount = ends[half - 1] as number;
    starts = starts.slice(half);
    ends = ends.slice(half);
  }

  return {
    add(begin, end) {
      const start = Math.max(begin, joinedCount);
      if (end <= start) return;
      const place = placeOf(start);
      let next = place;
      let [low, high, knownCount] = [start, end, 0];
      for (; next < ends.length && (starts[next] as number) <= end; next += 1) {
        low = Math.min(low, starts[next] as number);
        high = Math.max(high, ends[next] as number);
        knownCount += (ends[next] as number) - (starts[next] as number);
      }
      total += high - low - knownCount;
      starts.splice(place, next - place, low);
      ends.splice(place, next - place, high);
      if (ends.length > MAX_SPANS) join();
    },
    common,
    meets: (start, end) => common(start, end).length > 0,
    above,
    below: (amount) => (amount < joinedCount ? 0 : total - above(amount)),
  };
}
