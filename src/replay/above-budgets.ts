/**
 * Evaluates the budgets of parent agents that are above every replayed agent. Computes the amount that each
 * replayed record spends from them, and whether this amount fits.
 */

import type { Take } from './counter-set.ts';
import { CLOCKS_MS, type Counter } from './counters.ts';
import { type AboveEffect, type FoldedRow, NO_EFFECT, type ShownBudget, shownOf } from './shown-budgets.ts';

export interface AboveBudgets {
  /** Adds a record that was read but not yet evaluated. */
  note(row: FoldedRow): void;
  end(row: FoldedRow): void;
  /** Adds a record that is older than all records that are evaluated from now on. */
  settle(row: FoldedRow): void;
  /**
   * Returns `true` if the spend of a record still fits in the replay, and `false` if it does not fit. Uses
   * the result that the storage recorded. Returns `undefined` if the recorded result does not decide it.
   */
  fits(take: Take, row: FoldedRow): boolean | undefined;
  /**
   * Makes later results less certain. Call it after a record of a passport version that no longer exists. The amount
   * that this record spends is unknown.
   */
  miss(): void;
}

/** Creates the budgets of ancestors. `isKnown` returns `true` if the replay knows all spends of a counter. */
export function createAboveBudgets(isKnown: (counter: Counter) => boolean): AboveBudgets {
  const disturbances = createDisturbances(isKnown);
  const { of, isSame, isFullStill, isMoved, hasRoom } = disturbances;

  function count(row: FoldedRow, sign: 1 | -1): void {
    const { kind, on } = row.above;
    for (const counter of countersAbove(row)) {
      const disturbance = of(counter);
      if (kind === 'more' || kind === 'less') disturbance[kind] += sign;
      else if (kind !== 'none') for (const counter of on) add(disturbance[kind], counter, sign);
    }
  }

  function set(row: FoldedRow, effect: AboveEffect): void {
    row.above = effect;
    count(row, 1);
    if (effect.kind === 'less') for (const counter of countersAbove(row)) of(counter).owed.push(row.asked.at);
  }

  function stillFits(take: Take, row: FoldedRow): boolean {
    const { counters } = take;
    count(row, -1);
    const fits = !counters.some(isMoved) || counters.some((counter) => hasRoom(counter, take, row.shown));
    count(row, 1);
    return fits;
  }

  return {
    note: (row) => set(row, noted(row)),
    end(row) {
      const { isAllow } = row.asked.codes;
      if (row.verdict === (isAllow ? 'ALLOW' : 'DENY')) {
        count(row, -1);
        return;
      }
      const kind = isAllow ? 'less' : 'more';
      if (row.above.kind === kind) return;
      count(row, -1);
      set(row, { kind, on: [] });
    },
    settle({ asked, evaluation: { before, after }, takes, fits, verdict }) {
      if (asked.codes.isAllow || verdict === 'DENY' || before !== undefined || after !== undefined) return;
      for (const [index, { isAbove, by, counters }] of takes.entries()) {
        const [counter] = counters;
        if (!isAbove || by === undefined || counter === undefined || counters.length > 1) continue;
        const { owed } = of(counter);
        const isAlone = fits.every((fit, otherIndex) => otherIndex === index || fit === 'fits');
        if (isAlone && (owed[0] ?? asked.at) + CLOCKS_MS < asked.at) owed.shift();
      }
    },
    fits(take, row) {
      const { asked, shown, above } = row;
      const { counters } = take;
      const { codes } = asked;
      if (codes.isAllow) return stillFits(take, row) || undefined;
      if (codes.budgetsExceeded === 0 || shown.length !== codes.budgetsExceeded) return undefined;
      const ownCount = Number(above.kind === 'more');
      const full = fullOf(take, shown);
      if (full !== undefined) return isFull(full, take) && isFullStill(full.of, ownCount) ? false : undefined;
      // The storage names every budget that is exceeded.
      return counters.every((counter) => isSame(counter, ownCount) && !counter.isHeld) ? true : undefined;
    },
    miss: disturbances.miss,
  };
}

function noted({ asked: { codes }, evaluation, takes, shown }: FoldedRow): AboveEffect {
  const { denied, approval, before, after } = evaluation;
  const mayTake = denied.length === 0 && approval.length === 0;
  if (!codes.isAllow) return mayTake ? effectOfDenial(takes, shown) : NO_EFFECT;
  const isOpen = before !== undefined || after !== undefined || takes.some(({ by }) => by === undefined);
  if (!mayTake || isOpen) return { kind: 'less', on: [] };
  return { kind: 'allowed', on: takes.flatMap(({ counters }) => counters) };
}

function effectOfDenial(takes: readonly Take[], shown: readonly ShownBudget[]): AboveEffect {
  for (const take of takes) {
    const full = take.isAbove ? fullOf(take, shown) : undefined;
    if (full !== undefined && isFull(full, take)) return { kind: 'denied', on: [full.of] };
  }
  return { kind: 'more', on: [] };
}

interface Full {
  readonly of: Counter;
  readonly shown: ShownBudget;
}

function fullOf({ counters }: Take, shownBudgets: readonly ShownBudget[]): Full | undefined {
  for (const counter of counters) {
    const budget = shownOf(counter, shownBudgets);
    if (budget !== undefined) return { of: counter, shown: budget };
  }
  return undefined;
}

/** Returns `true` if the spend would not fit even if every hold had ended. */
function isFull({ shown: { spent } }: Full, { by, budget }: Take): boolean {
  return by !== undefined && by > budget.max - spent;
}

function countersAbove({ takes }: FoldedRow): readonly Counter[] {
  return takes.flatMap(({ isAbove, counters }) => (isAbove ? counters : []));
}

function add(amounts: Map<Counter, number>, counter: Counter, delta: number): void {
  const sum = (amounts.get(counter) ?? 0) + delta;
  if (sum === 0) amounts.delete(counter);
  else amounts.set(counter, sum);
}

// Computes how much a replay changes the budgets of parent agents at every level. Other agents also spend
// from these budgets, and the replay does not read their records. If all replayed records that spend from
// such a budget keep their verdicts, the counter would have been the same, and the recorded results stay
// valid. If a counter of intents was full when recorded, it stays full in more cases. Let `d` be the replayed
// count minus the recorded count. - Agents outside the replay bring `d` closer to 0. If `d` is above 0, such
// an agent may be denied in the replay and spend one less. If `d` is below 0, it may be allowed and spend one
// more. - A refund lowers both counts, so that `d` stays the same. If the replay does not have the refunded
// spend, only the recorded count falls, and `d` grows. - A record that spent and no longer spends lowers `d`
// by one. Therefore `d` is never below 0 by more than the number of these records. - A record that did not
// spend, and that only this counter can deny, raises `d` by one or finds the counter full. - A hold may end
// at another time than recorded. With a hold, the result is certain only if nothing changed. A refund may
// therefore raise `d` above 0. With money, an agent outside the replay may spend more than was left. After a
// record no longer spends, an ALLOW is certain only if the counter has room for each such record.

interface Disturbance {
  /**
   * The number of records that spend (or may spend) in the replay and did not spend when recorded. `less`: the number
   * of records for the opposite case.
   */
  more: number;
  less: number;
  /**
   * The times of records that spent when recorded and no longer spend. Each of them leaves room in the
   * counter. A time is removed if a later record uses this room, or finds the counter full.
   */
  readonly owed: number[];
  /**
   * The numbers of waiting records, by the counter that denied them when recorded. They stay denied if that
   * counter still has its recorded value.
   */
  readonly denied: Map<Counter, number>;
  /**
   * The numbers of waiting records, by each counter that allowed them when recorded. They stay allowed if that
   * counter has room or still has its recorded value.
   */
  readonly allowed: Map<Counter, number>;
}

interface Disturbances {
  of(counter: Counter): Disturbance;
  /**
   * Returns `true` if the counter has its recorded value. `ownCount` is the number of spends to ignore, which happen
   * only in the replay.
   */
  isSame(counter: Counter, ownCount?: number): boolean;
  isFullStill(counter: Counter, ownCount?: number): boolean;
  /** Returns `true` if replayed records may spend more or less than recorded. */
  isMoved(counter: Counter): boolean;
  hasRoom(counter: Counter, take: Take, shownBudgets: readonly ShownBudget[]): boolean;
  /** Says that some records spend with a passport version that no longer exists. */
  miss(): void;
}

/**
 * Creates the changes that a replay makes to counters. `isKnown` returns `true` if the replay knows all spends of a
 * counter.
 */
function createDisturbances(isKnown: (counter: Counter) => boolean): Disturbances {
  const disturbances = new WeakMap<Counter, Disturbance>();
  let isMissed = false;

  function of(counter: Counter): Disturbance {
    const disturbance = disturbances.get(counter);
    if (disturbance !== undefined) return disturbance;
    const result = { more: 0, less: 0, owed: [], denied: new Map(), allowed: new Map() };
    disturbances.set(counter, result);
    return result;
  }

  function isSame(counter: Counter, ownCount = 0, askedCounters: Set<Counter> = new Set()): boolean {
    if (askedCounters.has(counter)) return true;
    askedCounters.add(counter);
    const { more, less, denied, allowed } = of(counter);
    if (isMissed || !counter.isKnown || more > ownCount || less > 0) return false;
    for (const counter of denied.keys()) if (!isSame(counter, 0, askedCounters)) return false;
    return [...allowed.keys()].every((counter) => isAllowedBy(counter, askedCounters));
  }

  /**
   * Returns `true` if the counter certainly allows the records that wait for it. The counter of a parent agent allows
   * them again if it has the recorded value. Any other counter allows them if all requested amounts fit.
   */
  function isAllowedBy(counter: Counter, counters?: Set<Counter>): boolean {
    if (disturbances.has(counter)) return isSame(counter, 0, counters);
    return isKnown(counter) && counter.upper <= counter.max;
  }

  /** Returns `true` if agents outside the replay can only bring the count closer to the recorded count. */
  function isNear({ isKnown, isCount, isHeld, isChanged }: Counter): boolean {
    return !isMissed && isKnown && isCount && !isHeld && !isChanged;
  }

  function isFullStill(counter: Counter, ownCount = 0): boolean {
    if (isSame(counter, ownCount)) return true;
    const { owed, allowed } = of(counter);
    if (!isNear(counter) || owed.length > 0) return false;
    // Who is denied by this one finds it full.
    return [...allowed.keys()].every((entry) => entry === counter || isAllowedBy(entry));
  }

  function hasRoom(counter: Counter, { budget }: Take, shownBudgets: readonly ShownBudget[]): boolean {
    const shownBudget = shownOf(counter, shownBudgets);
    const { more, less, allowed, denied } = of(counter);
    const waits = sum(allowed) + sum(denied);
    return (
      shownBudget !== undefined && isNear(counter) && shownBudget.used + more + less + waits <= budget.max
    );
  }

  function isMoved(counter: Counter, askedCounters: Set<Counter> = new Set()): boolean {
    if (askedCounters.has(counter)) return false;
    askedCounters.add(counter);
    const { more, less, denied, allowed } = of(counter);
    if (more > 0 || less > 0) return true;
    for (const counter of denied.keys()) if (!isFullStill(counter)) return true;
    const isAllowed = (counter: Counter): boolean =>
      disturbances.has(counter) ? !isMoved(counter, askedCounters) : isAllowedBy(counter);
    return ![...allowed.keys()].every(isAllowed);
  }

  return {
    of,
    isSame: (counter, ownCount) => isSame(counter, ownCount),
    isFullStill,
    isMoved: (counter) => isMoved(counter),
    hasRoom,
    miss() {
      isMissed = true;
    },
  };
}

function sum(counts: ReadonlyMap<Counter, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
