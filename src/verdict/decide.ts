import { parseInstant } from '../instant.ts';
import type { Intent, Verdict } from '../records.ts';
import { ask, failed } from './ask.ts';
import { factsOf, own } from './facts.ts';
import { type Preparation, preparationOf } from './prepare.ts';
import { isRecord } from './read.ts';
import type { Caller, Question, Rule } from './rule.ts';
import { defaultRules, headsOf } from './rules.ts';
import { defaultVerdict, sharedVerdict, verdictOf } from './shortcut.ts';

const NOT_FOUND = sharedVerdict(headsOf(1));

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
  if (passport === null || passport === undefined) return NOT_FOUND;
  const preparation = preparationOf(passport);
  if (!concerns(intent, preparation) || !sees(caller, preparation)) return NOT_FOUND;
  const { policy } = preparation;
  if (policy === undefined) return unjudged('passport');
  const instant = typeof at === 'string' ? parseInstant(at) : at;
  if (!Number.isFinite(instant)) return unjudged('at');
  const facts = factsOf(preparation.passport, policy, intent, instant as number);
  if (rules === defaultRules) return defaultVerdict(facts);
  if (!Array.isArray(rules) || rules.length === 0) return unjudged('rules');
  if (!defaultRules.every((rule, index) => rules[index] === rule)) return verdictOf(ask(rules, 0, facts));
  return verdictOf([...defaultVerdict(facts).reasons, ...ask(rules, defaultRules.length, facts)]);
}

/** Whether the intent is one of the agent that the passport is for. */
function concerns(intent: Intent, { agent_id }: Preparation): boolean {
  return (
    agent_id !== undefined && intent?.agent_id === agent_id && own(intent, 'agent_id', agent_id) !== null
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
