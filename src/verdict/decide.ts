import { parseInstant } from '../instant.ts';
import type { Verdict } from '../records.ts';
import { ask, failed } from './ask.ts';
import { AGENT_NOT_FOUND, headsOf, TARGET_INVALID } from './codes.ts';
import { readAmountIn, readCurrency } from './facts.ts';
import { type Preparation, preparationOf } from './prepare.ts';
import { isRecord, ownOf } from './read.ts';
import { reasonsOf, verdictOf } from './reasons.ts';
import type { Caller, Facts, Question, Rule } from './rule.ts';
import { defaultRules, denialsOf } from './rules.ts';

/**
 * The verdict on an intent: ALLOW exactly when no rule has a reason against it. Without clock, I/O and randomness:
 * the same question gives the same verdict. Total for any JSON value and more; what cannot be judged is a DENY.
 *
 * @example
 * const { verdict, reasons } = decide({ passport, intent, at: Date.now() });
 */
export function decide(question: Question, rules: readonly Rule[] = defaultRules): Verdict {
  try {
    return judge(question, rules);
  } catch {
    return unjudged('question');
  }
}

function judge({ passport, intent, at, caller }: Question, rules: readonly Rule[]): Verdict {
  if (passport === null || passport === undefined || intent === null || intent === undefined)
    return verdictOf(headsOf(AGENT_NOT_FOUND));
  const preparation = preparationOf(passport);
  const { agent_id, policy } = preparation;
  const asked = ownOf(intent);
  if (agent_id === undefined || asked.agent_id !== agent_id || !sees(caller, preparation))
    return verdictOf(headsOf(AGENT_NOT_FOUND));
  if (policy === undefined) return unjudged('passport');
  const instant = typeof at === 'string' ? parseInstant(at) : at;
  if (!Number.isFinite(instant)) return unjudged('at');
  // Every member of the intent is read once, here.
  const { action, target, parameters } = asked;
  const isGiven = isRecord(parameters);
  const given = isGiven ? ownOf(parameters) : undefined;
  const currency = readCurrency(given?.currency, policy);
  const facts: Facts = {
    passport: preparation.passport,
    intent,
    at: instant as number,
    action: typeof action === 'string' ? action : '',
    target: target === undefined || typeof target === 'string' ? target : null,
    amount: isGiven || parameters === undefined ? readAmountIn(given?.amount, policy, currency) : null,
    currency,
    policy,
  };
  const denials = denialsOf(facts);
  return rules === defaultRules ? verdictOf(reasonsOf(denials, facts)) : verdictWith(rules, facts, denials);
}

/** The verdict of a host's list of rules. */
function verdictWith(rules: readonly Rule[], facts: Facts, denials: number): Verdict {
  if (!Array.isArray(rules) || rules.length === 0) return unjudged('rules');
  const told = denials & TARGET_INVALID ? { ...facts, target: null } : facts;
  const isOurs = defaultRules.every((rule, index) => rules[index] === rule);
  return verdictOf(
    isOurs ? [...reasonsOf(denials, facts), ...ask(rules, defaultRules.length, told)] : ask(rules, 0, told),
  );
}

function sees(caller: Caller | null | undefined, { agent_id, account_id }: Preparation): boolean {
  if (caller === undefined || caller === null) return true;
  if (!isRecord(caller)) return false;
  // A field that is there narrows, whatever it holds: an account id that is `undefined` sees nothing.
  if ('account_id' in caller && (account_id === undefined || caller.account_id !== account_id)) return false;
  const { agent_ids }: { readonly agent_ids?: unknown } = caller;
  return (
    agent_ids === undefined ||
    agent_ids === null ||
    (Array.isArray(agent_ids) && agent_ids.includes(agent_id))
  );
}

/** The verdict when a part of the question, named by `rule`, could not be read. */
function unjudged(rule: string): Verdict {
  return verdictOf([failed(rule)]);
}
