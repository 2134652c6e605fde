/**
 * Creates fast verdicts from the table of rules. Each rule that denies is one bit of a number. Verdicts that many
 * inputs share are created only once for each number.
 */
import type { Reason, Verdict } from '../records.ts';
import type { Asked, Evaluated } from './rule.ts';
import { type OwnRule, PARENT_DENIED, RULES } from './rules.ts';

const none: OwnRule['denies'] = () => false;

// Each of these calls always calls the same function, so that V8 inlines it: a loop takes twice as long.
const [
  rule0 = none,
  rule1 = none,
  rule2 = none,
  rule3 = none,
  rule4 = none,
  rule5 = none,
  rule6 = none,
  rule7 = none,
  rule8 = none,
  rule9 = none,
  rule10 = none,
  rule11 = none,
  rule12 = none,
  rule13 = none,
  rule14 = none,
  rule15 = none,
] = RULES.map(({ denies }) => denies);
if (RULES.length > 16) throw new Error('There are more than 16 rules.');

/** The bits of the rules with data of the input in their reasons, and of the rules with data of the passport. */
const VARYING = bitsOf(({ facts }) => facts !== undefined);
const OF_PASSPORT = bitsOf(({ factsOfPassport }) => factsOfPassport !== undefined);

/** The verdicts without data of the input or the passport, by their denial bits. */
const shared = new Map<number, Verdict>();

/** @internal The verdict `ALLOW`, which all callers share. */
export const ALLOW: Verdict = sharedOf([]);

/** @internal Returns the rules that deny as bits. Bit `n` stands for rule `n` of the table. */
export function denialsOf(judged: Evaluated): number {
  return (
    (rule0(judged) ? 0x1 : 0) |
    (rule1(judged) ? 0x2 : 0) |
    (rule2(judged) ? 0x4 : 0) |
    (rule3(judged) ? 0x8 : 0) |
    (rule4(judged) ? 0x10 : 0) |
    (rule5(judged) ? 0x20 : 0) |
    (rule6(judged) ? 0x40 : 0) |
    (rule7(judged) ? 0x80 : 0) |
    (rule8(judged) ? 0x100 : 0) |
    (rule9(judged) ? 0x200 : 0) |
    (rule10(judged) ? 0x400 : 0) |
    (rule11(judged) ? 0x800 : 0) |
    (rule12(judged) ? 0x1000 : 0) |
    (rule13(judged) ? 0x2000 : 0) |
    (rule14(judged) ? 0x4000 : 0) |
    (rule15(judged) ? 0x8000 : 0)
  );
}

/** @internal Returns the verdict for these denial bits. Shared verdicts are frozen. */
export function verdictOn(denials: number, asked: Asked): Verdict {
  if (denials === 0) return ALLOW;
  if ((denials & VARYING) !== 0) return verdictOf(reasonsOn(denials, asked));
  if ((denials & OF_PASSPORT) === 0) {
    const found = shared.get(denials);
    if (found !== undefined) return found;
    const verdict = sharedOf(reasonsOn(denials, asked));
    shared.set(denials, verdict);
    return verdict;
  }
  const { verdicts } = asked.policy.times;
  const found = verdicts[denials];
  if (found !== undefined) return found;
  const verdict = sharedOf(reasonsOn(denials, asked));
  // Only verdicts that depend on times alone are kept, because they repeat: all combinations would fill the memory.
  if ((denials & ~OF_PASSPORT) === 0) verdicts[denials] = verdict;
  return verdict;
}

/** @internal Returns the reason of a rule that denies. */
export function reasonOf({ code, message, factsOfPassport, facts }: OwnRule, asked: Asked): Reason {
  if (facts !== undefined) return { code, message, ...facts(asked) };
  return { code, message, ...factsOfPassport?.(asked.policy) };
}

/** @internal Adds the reasons of the passport of `parent`, an ancestor of the acting agent. */
export function addReasonsAbove(reasons: Reason[], parent: string, denials: number, asked: Asked): void {
  for (let left = denials; left !== 0; left &= left - 1) {
    reasons.push(reasonAbove(RULES[firstRule(left)] as OwnRule, parent, asked));
  }
}

function reasonAbove(
  { code: reason, factsOfPassport, facts }: OwnRule,
  parent: string,
  asked: Asked,
): Reason {
  const { code, message } = PARENT_DENIED;
  // The literal without facts is the common one, and takes a tenth of the time of the others.
  if (facts !== undefined) return { code, message, parent, reason, ...facts(asked) };
  if (factsOfPassport !== undefined)
    return { code, message, parent, reason, ...factsOfPassport(asked.policy) };
  return { code, message, parent, reason };
}

/** @internal Returns the verdict: `ALLOW` if there are no reasons, `DENY` otherwise. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  return { verdict: reasons.length === 0 ? 'ALLOW' : 'DENY', reasons };
}

/** @internal Returns a verdict that all callers share. It is frozen, so that no caller can change it. */
export function sharedOf(reasons: readonly Reason[]): Verdict {
  return Object.freeze(verdictOf(Object.freeze(reasons.map((reason) => Object.freeze(reason)))));
}

function reasonsOn(denials: number, asked: Asked): Reason[] {
  const reasons: Reason[] = [];
  for (let left = denials; left !== 0; left &= left - 1) {
    reasons.push(reasonOf(RULES[firstRule(left)] as OwnRule, asked));
  }
  return reasons;
}

/** @internal Returns the index in the table of the first rule that denies. */
export function firstRule(denials: number): number {
  return 31 - Math.clz32(denials & -denials);
}

function bitsOf(holds: (rule: OwnRule) => boolean): number {
  return RULES.reduce((bits, rule, index) => (holds(rule) ? bits | (1 << index) : bits), 0);
}
