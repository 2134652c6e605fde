import type { Reason } from '../records.ts';
import { isNamedTarget } from './policy.ts';
import { preparationOf } from './prepare.ts';
import { attempt, demand, isRecord, ownText } from './read.ts';
import type { Facts, Rule } from './rule.ts';
import { type OwnRule, RULE_FAILED, RULES } from './rules.ts';
import { reasonOf } from './verdicts.ts';

/**
 * The rules of this package, in the order of their reasons. An application adds its own: `[...defaultRules,
 * outsideHours]`. If you call one of these rules directly, it evaluates the passport in the facts that you give it.
 * `decide` does not call these functions, but evaluates the table from which they are made.
 *
 * @example
 * import { createIdentityService, defaultRules } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * function noGambling({ action }) {
 *   if (action.startsWith('casino.')) return { code: 'no_gambling', message: 'This shop does not gamble.' };
 * }
 * const rules = [...defaultRules, noGambling];
 * const service = createIdentityService({ storage: memoryStorage(), rules });
 * const may = { allowed_actions: ['*'], monetary_limit_per_txn: 0 };
 * const { agent_id } = await service.passports.create({ domain: 'example.com', agent_name: 'player', ...may });
 * const { reasons } = await service.verify({ agent_id, action: 'casino.bet' });
 * console.log(reasons[0]?.code); // no_gambling
 */
export const defaultRules: readonly Rule[] = Object.freeze(RULES.map(toRule));

function toRule(ownRule: OwnRule): Rule {
  const rule = (facts: Facts) => {
    const { policy } = preparationOf(facts.passport);
    demand(policy !== undefined);
    const evaluatedFields = { ...facts, policy, isTargetNamed: isNamedTarget(facts.target, policy) };
    return ownRule.denies(evaluatedFields) ? reasonOf(ownRule, evaluatedFields) : undefined;
  };
  return Object.defineProperty(rule, 'name', { value: ownRule.code });
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** @internal Returns the reasons of the application's rules, in list order. A rule that fails is also a reason. */
export function ask(rules: readonly Rule[], facts: Facts): Reason[] {
  const reasons: Reason[] = [];
  rules.forEach((rule, index) => {
    if (defaultRules.includes(rule)) return;
    try {
      const answer: unknown = rule(facts);
      if (answer !== undefined && answer !== null) reasons.push(reasonIn(answer));
    } catch {
      reasons.push(failed(attempt(() => ownText(rule, 'name')) || `rule ${index}`));
    }
  });
  return reasons;
}

/** @internal Returns the reason that names the rule, or the part of the input, that could not be evaluated. */
export function failed(rule: string): Reason {
  return { ...RULE_FAILED, rule };
}

/** Copies a reason, so that later changes by the application cannot change the verdict or make it throw. */
function reasonIn(answer: unknown): Reason {
  // The verdict is a DENY already: a later rejection must not end the process.
  if (answer instanceof Promise) answer.catch(() => undefined);
  demand(isRecord(answer));
  const reason: Record<string, unknown> = { ...answer };
  const { code, message } = reason;
  demand(typeof code === 'string' && CODE.test(code) && typeof message === 'string');
  demand(
    Object.values(reason).every(
      (fact) =>
        fact === null || typeof fact === 'string' || typeof fact === 'boolean' || Number.isFinite(fact),
    ),
  );
  return reason as Reason;
}
