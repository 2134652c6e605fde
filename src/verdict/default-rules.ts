import { isNamedTarget } from './facts.ts';
import { preparationOf } from './prepare.ts';
import { demand } from './read.ts';
import type { Facts, Rule } from './rule.ts';
import { type OwnRule, RULES } from './rules.ts';
import { reasonOf } from './verdicts.ts';

/**
 * Our rules, in the order of their reasons. A host adds its own: `[...defaultRules, outsideHours]`. Each judges the
 * passport of the facts it is given; `decide` asks the table that they are made of.
 */
export const defaultRules: readonly Rule[] = Object.freeze(RULES.map(toRule));

function toRule(own: OwnRule): Rule {
  const rule = (facts: Facts) => {
    const { policy } = preparationOf(facts.passport);
    demand(policy !== undefined);
    const judged = { ...facts, policy, isTargetNamed: isNamedTarget(facts.target, policy) };
    return own.denies(judged) ? reasonOf(own, judged) : undefined;
  };
  return Object.defineProperty(rule, 'name', { value: own.code });
}
