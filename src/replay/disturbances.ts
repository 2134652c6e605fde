/**
 * Computes how much a replay changes the budgets of parent agents at every level. Other agents also spend from these
 * budgets, and the replay does not read their records. If all replayed records that spend from such a budget keep their
 * verdicts, the counter would have been the same, and the recorded results stay valid.
 *
 * If a counter of intents was full when recorded, it stays full in more cases. Let `d` be the replayed count
 * minus the recorded count.
 *
 * - Agents outside the replay bring `d` closer to 0. If `d` is above 0, such an agent may be denied in the
 *   replay and spend one less. If `d` is below 0, it may be allowed and spend one more.
 * - A refund lowers both counts, so that `d` stays the same. If the replay does not have the refunded spend,
 *   only the recorded count falls, and `d` grows.
 * - A record that spent and no longer spends lowers `d` by one. Therefore `d` is never below 0 by more than
 *   the number of these records.
 * - A record that did not spend, and that only this counter can deny, raises `d` by one or finds the counter
 *   full.
 * - A hold may end at another time than recorded. With a hold, the result is certain only if nothing changed.
 *
 * A refund may therefore raise `d` above 0. With money, an agent outside the replay may spend more than was left. After
 * a record no longer spends, an ALLOW is certain only if the counter has room for each such record.
 */
import type { Take } from './counter-set.ts';
import type { Counter } from './counters.ts';
import { type ShownBudget, shownOf } from './shown-budgets.ts';

export interface Disturbance {
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

export interface Disturbances {
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
export function createDisturbances(isKnown: (counter: Counter) => boolean): Disturbances {
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
