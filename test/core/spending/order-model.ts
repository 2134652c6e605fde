/** What the order of actions says about an intent, as far as one can tell who does not see the clock of the storage. */

import type { Outcome } from '../../../src/records/outcome.ts';
import type { Order } from '../../../src/records.ts';

/** A rule with the key of its marks, for an intent of an action. */
export interface Rule {
  readonly order: Order;
  readonly key: string;
  readonly action: string;
}

/** The time of a call: the storage counted at some instant in it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Report extends Span {
  readonly decision_id: string;
  readonly outcome: Outcome;
  readonly evaluated: number;
  /** `false` if the answer was lost: it may have counted. */
  readonly isDone: boolean;
}

/** The marks of a key: ends that are certain, and ends that may be. */
interface Marks {
  /** It denies (or opens, of `needs`) for certain until then. */
  surely: number;
  /** It may deny (or open) until then. */
  maybe: number;
  /** The least and the greatest number of failures that count. */
  least: number;
  most: number;
}

/** The milliseconds by which two clocks may differ. */
const OFF_MS = 60;

/** The model of one storage. */
export interface OrderModel {
  /** Returns the only verdict that is right; `undefined` where both may be. */
  verdictOn(rules: readonly Rule[], span: Span): 'ALLOW' | 'DENY' | undefined;
  allowed(rules: readonly Rule[], span: Span): void;
  /** Notes a question whose answer was lost. */
  mayHaveAllowed(rules: readonly Rule[], span: Span, isDry: boolean): void;
  reported(rules: readonly Rule[], report: Report): void;
}

export function createModel(): OrderModel {
  const marks = new Map<string, Marks>();
  const counted = new Map<string, 'surely' | 'maybe'>();

  function marksOf(key: string): Marks {
    const found = marks.get(key) ?? { surely: 0, maybe: 0, least: 0, most: 0 };
    marks.set(key, found);
    return found;
  }

  const isNamed = (list: readonly string[] | undefined, action: string) => list?.includes(action) === true;
  const earlierOf = ({ order }: Rule) => (order.needs ?? order.forbids)?.actions;

  /** Says whether one rule allows: `undefined` where that cannot be told. */
  function allows({ order, key }: Rule, { from, to }: Span): boolean | undefined {
    const { surely, maybe, least, most } = marksOf(key);
    const isSurely = surely - OFF_MS > to;
    const isMaybe = maybe + OFF_MS > from;
    if (order.needs !== undefined) return isSurely ? true : isMaybe ? undefined : false;
    const failed = order.forbids?.failed;
    if (failed === undefined) return isSurely ? false : isMaybe ? undefined : true;
    if (isSurely && least >= failed) return false;
    return isMaybe && most >= failed ? undefined : true;
  }

  function note(rules: readonly Rule[], { from, to }: Span, isSure: boolean): void {
    for (const rule of rules) {
      const { forbids } = rule.order;
      if (forbids === undefined || forbids.failed !== undefined) continue;
      if (!isNamed(forbids.actions, rule.action)) continue;
      const found = marksOf(rule.key);
      if (isSure) found.surely = Math.max(found.surely, from + forbids.seconds * 1_000);
      found.maybe = Math.max(found.maybe, to + forbids.seconds * 1_000);
    }
  }

  return {
    verdictOn(rules, span) {
      const asked = rules.filter(({ order, action }) => isNamed(order.actions, action));
      const found = asked.map((rule) => allows(rule, span));
      if (found.includes(false)) return 'DENY';
      return found.includes(undefined) ? undefined : 'ALLOW';
    },

    allowed: (rules, span) => note(rules, span, true),

    mayHaveAllowed(rules, span, isDry) {
      if (!isDry) note(rules, span, false);
    },

    reported(rules, { decision_id, outcome, evaluated, isDone, from, to }) {
      if (outcome !== 'succeeded' && outcome !== 'failed') return;
      const before = counted.get(decision_id);
      if (before === 'surely') return;
      // An earlier report whose answer was lost may be the first: this one is not sure then.
      const isSure = isDone && before === undefined;
      counted.set(decision_id, isDone ? 'surely' : 'maybe');
      for (const rule of rules) {
        const { needs, forbids } = rule.order;
        if (!isNamed(earlierOf(rule), rule.action)) continue;
        const end = evaluated + (needs ?? forbids ?? { seconds: 0 }).seconds * 1_000;
        if (end + OFF_MS <= from) continue;
        const isLate = end - OFF_MS <= to;
        const found = marksOf(rule.key);
        if (needs !== undefined && outcome === 'succeeded') {
          if (isSure && !isLate) found.surely = Math.max(found.surely, end);
          found.maybe = Math.max(found.maybe, end);
        } else if (forbids?.failed !== undefined && outcome === 'failed') {
          // Failures that may have ended count no longer for certain, and those that may not have ended may count.
          if (found.surely - OFF_MS <= to) found.least = 0;
          if (found.maybe + OFF_MS <= from) found.most = 0;
          if (isSure && !isLate) {
            found.least += 1;
            found.surely = Math.max(found.surely, end);
          }
          found.most += 1;
          found.maybe = Math.max(found.maybe, end);
        }
      }
    },
  };
}
