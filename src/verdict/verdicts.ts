/**
 * Creates fast verdicts from the table of rules. Each rule that denies is one bit of a number. Verdicts that many
 * inputs share are created only once for each number.
 */
import type { Reason, Verdict } from '../records.ts';
import type { Asked, Evaluated } from './rule.ts';
import { type OwnRule, PARENT_DENIED, RULES } from './rules.ts';

const nothingDenied: OwnRule['denies'] = () => false;

// Each of these calls always calls the same function, so that V8 inlines it: a loop takes twice as long.
const [
  rule0 = nothingDenied,
  rule1 = nothingDenied,
  rule2 = nothingDenied,
  rule3 = nothingDenied,
  rule4 = nothingDenied,
  rule5 = nothingDenied,
  rule6 = nothingDenied,
  rule7 = nothingDenied,
  rule8 = nothingDenied,
  rule9 = nothingDenied,
  rule10 = nothingDenied,
  rule11 = nothingDenied,
  rule12 = nothingDenied,
  rule13 = nothingDenied,
  rule14 = nothingDenied,
  rule15 = nothingDenied,
] = RULES.map(({ denies }) => denies);
if (RULES.length > 16) throw new Error('There are more than 16 rules.');

/** The bits of the rules with data of the input in their reasons, and of the rules with data of the passport. */
const VARYING = bitsOf(({ facts }) => facts !== undefined);
const OF_PASSPORT = bitsOf(({ factsOfPassport }) => factsOfPassport !== undefined);

/** The verdicts without data of the input or the passport, by their denial bits. */
const sharedVerdicts = new Map<number, Verdict>();

/** @internal The verdict `ALLOW`, which all callers share. */
export const ALLOW: Verdict = sharedOf([]);

/** @internal Returns the rules that deny as bits. Bit `n` stands for rule `n` of the table. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line for each rule, flat; a further function takes room in ./verdict.
export function denialsOf(evaluation: Evaluated): number {
  return (
    (rule0(evaluation) ? 0x1 : 0) |
    (rule1(evaluation) ? 0x2 : 0) |
    (rule2(evaluation) ? 0x4 : 0) |
    (rule3(evaluation) ? 0x8 : 0) |
    (rule4(evaluation) ? 0x10 : 0) |
    (rule5(evaluation) ? 0x20 : 0) |
    (rule6(evaluation) ? 0x40 : 0) |
    (rule7(evaluation) ? 0x80 : 0) |
    (rule8(evaluation) ? 0x100 : 0) |
    (rule9(evaluation) ? 0x200 : 0) |
    (rule10(evaluation) ? 0x400 : 0) |
    (rule11(evaluation) ? 0x800 : 0) |
    (rule12(evaluation) ? 0x1000 : 0) |
    (rule13(evaluation) ? 0x2000 : 0) |
    (rule14(evaluation) ? 0x4000 : 0) |
    (rule15(evaluation) ? 0x8000 : 0)
  );
}

/** @internal Returns the verdict for these denial bits. Shared verdicts are frozen. */
export function verdictOn(denials: number, question: Asked): Verdict {
  if (denials === 0) return ALLOW;
  if ((denials & VARYING) !== 0) return verdictOf(reasonsOn(denials, question));
  if ((denials & OF_PASSPORT) === 0) {
    const foundVerdict = sharedVerdicts.get(denials);
    if (foundVerdict !== undefined) return foundVerdict;
    const verdict = sharedOf(reasonsOn(denials, question));
    sharedVerdicts.set(denials, verdict);
    return verdict;
  }
  const { verdicts } = question.policy.times;
  const knownVerdict = verdicts[denials];
  if (knownVerdict !== undefined) return knownVerdict;
  const verdict = sharedOf(reasonsOn(denials, question));
  // Only verdicts that depend on times alone are kept, because they repeat: all combinations would fill the memory.
  if ((denials & ~OF_PASSPORT) === 0) verdicts[denials] = verdict;
  return verdict;
}

/** @internal Returns the reason of a rule that denies. */
export function reasonOf({ code, message, factsOfPassport, facts }: OwnRule, question: Asked): Reason {
  if (facts !== undefined) return { code, message, ...facts(question) };
  return { code, message, ...factsOfPassport?.(question.policy) };
}

/** @internal Adds the reasons of the passport of `parent`, an ancestor of the acting agent. */
export function addReasonsAbove(reasons: Reason[], parent: string, denials: number, question: Asked): void {
  for (let leftDenials = denials; leftDenials !== 0; leftDenials &= leftDenials - 1) {
    reasons.push(reasonAbove(RULES[firstRule(leftDenials)] as OwnRule, parent, question));
  }
}

function reasonAbove(
  { code: reason, factsOfPassport, facts }: OwnRule,
  parent: string,
  question: Asked,
): Reason {
  const { code, message } = PARENT_DENIED;
  // The literal without facts is the common one, and takes a tenth of the time of the others.
  if (facts !== undefined) return { code, message, parent, reason, ...facts(question) };
  if (factsOfPassport !== undefined)
    return { code, message, parent, reason, ...factsOfPassport(question.policy) };
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

function reasonsOn(denials: number, question: Asked): Reason[] {
  const reasons: Reason[] = [];
  for (let leftDenials = denials; leftDenials !== 0; leftDenials &= leftDenials - 1) {
    reasons.push(reasonOf(RULES[firstRule(leftDenials)] as OwnRule, question));
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
