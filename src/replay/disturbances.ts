/**
 * The difference that a replay makes to the budgets of parent agents at every level. Other agents take from these
 * budgets too, and the replay does not read their records. If all records of the replay that take from such a budget
 * keep their verdicts, the counter would have been the same, and the recorded answers hold.
 *
 * A count of intents stays full in more cases. Let `d` be the difference between the replayed and the recorded count.
 * Agents that are not read bring `d` nearer to 0, never past it. An agent that a fuller counter denies takes one
 * less. An agent that an emptier counter allows takes one more. A refund was counted in both, or ends a spend that
 * the replay does not have, so that `d` grows. So `d` is below 0 by at most the number of records that took and no
 * longer take. A record that did not take, and that only this counter can deny, adds one or finds the counter full. A
 * hold may end at another time than recorded. With a hold, only equality counts.
 *
 * So a refund may bring `d` above 0. With money, an agent that is not read may take more than was left. Once a record
 * took and no longer takes, an ALLOW is certain only if a count has room for each such record.
 */
import type { Take } from './counter-set.ts';
import type { Counter } from './counters.ts';
import { type ShownBudget, shownOf } from './shown-budgets.ts';

/** The records that take from a counter of an agent above. */
export interface Disturbance {
  /** The number of records that take and did not, or may do so; and of those that took and do not, or may not. */
  more: number;
  less: number;
  /** The times of records that took and do not, without a later record that took in its place or found it full. */
  readonly owed: number[];
  /** By a counter: the records not evaluated yet that are still denied if that counter is as recorded. */
  readonly denied: Map<Counter, number>;
  /** By a counter: the records not evaluated yet that are still allowed if that counter has room, or is as recorded. */
  readonly allowed: Map<Counter, number>;
}

/** The differences of all counters of agents above. */
export interface Disturbances {
  of(counter: Counter): Disturbance;
  /** Says whether the store had counted the same, apart from `own` records that take more. */
  isSame(counter: Counter, own?: number): boolean;
  /** Says whether a counter that was full is so. */
  isFullStill(counter: Counter, own?: number): boolean;
  /** Says whether records of the replay may take more or less than they did. */
  isMoved(counter: Counter): boolean;
  /** Says whether a take fits for certain into a counter that its record shows. */
  hasRoom(counter: Counter, take: Take, shown: readonly ShownBudget[]): boolean;
  /** Notes that records take under a version that is not there. */
  miss(): void;
}

/** Makes the differences; `isKnown` says whether all is known that was taken from a counter of the replay. */
export function createDisturbances(isKnown: (counter: Counter) => boolean): Disturbances {
  const disturbances = new WeakMap<Counter, Disturbance>();
  let isMissed = false;

  function of(counter: Counter): Disturbance {
    const known = disturbances.get(counter);
    if (known !== undefined) return known;
    const made = { more: 0, less: 0, owed: [], denied: new Map(), allowed: new Map() };
    disturbances.set(counter, made);
    return made;
  }

  function isSame(counter: Counter, own = 0, asked: Set<Counter> = new Set()): boolean {
    if (asked.has(counter)) return true;
    asked.add(counter);
    const { more, less, denied, allowed } = of(counter);
    if (isMissed || !counter.isKnown || more > own || less > 0) return false;
    for (const one of denied.keys()) if (!isSame(one, 0, asked)) return false;
    return [...allowed.keys()].every((one) => isAllowedBy(one, asked));
  }

  /** Says whether all that may have come fit in a counter, or it is one above that is the same. */
  function isAllowedBy(counter: Counter, asked?: Set<Counter>): boolean {
    if (disturbances.has(counter)) return isSame(counter, 0, asked);
    return isKnown(counter) && counter.upper <= counter.max;
  }

  /** Says whether the count is known to be as near to the recorded one as those that take something else. */
  function isNear({ isKnown, isCount, isHeld, isChanged }: Counter): boolean {
    return !isMissed && isKnown && isCount && !isHeld && !isChanged;
  }

  function isFullStill(counter: Counter, own = 0): boolean {
    if (isSame(counter, own)) return true;
    const { owed, allowed } = of(counter);
    if (!isNear(counter) || owed.length > 0) return false;
    // Who is denied by this one finds it full.
    return [...allowed.keys()].every((one) => one === counter || isAllowedBy(one));
  }

  function hasRoom(counter: Counter, { budget }: Take, shown: readonly ShownBudget[]): boolean {
    const one = shownOf(counter, shown);
    const { more, less, allowed, denied } = of(counter);
    const waits = sum(allowed) + sum(denied);
    return one !== undefined && isNear(counter) && one.used + more + less + waits <= budget.max;
  }

  function isMoved(counter: Counter, asked: Set<Counter> = new Set()): boolean {
    if (asked.has(counter)) return false;
    asked.add(counter);
    const { more, less, denied, allowed } = of(counter);
    if (more > 0 || less > 0) return true;
    for (const one of denied.keys()) if (!isFullStill(one)) return true;
    const isAllowed = (one: Counter): boolean =>
      disturbances.has(one) ? !isMoved(one, asked) : isAllowedBy(one);
    return ![...allowed.keys()].every(isAllowed);
  }

  return {
    of,
    isSame: (counter, own) => isSame(counter, own),
    isFullStill,
    isMoved: (counter) => isMoved(counter),
    hasRoom,
    miss() {
      isMissed = true;
    },
  };
}

function sum(of: ReadonlyMap<Counter, number>): number {
  let all = 0;
  for (const count of of.values()) all += count;
  return all;
}
