import { parseInstant } from '../base/instant.ts';
import { elementsOf, plainCopy } from '../base/plain-data.ts';
import type { Intent, Passport, Verdict } from '../records.ts';
import { ask, failed } from './ask.ts';
import { defaultRules } from './default-rules.ts';
import { isNamedTarget, readAmountIn, readCurrency, readTarget } from './facts.ts';
import { type Preparation, preparationOf, prepare } from './prepare.ts';
import { attempt, demandNone, demandOwn, isRecord, type Members, NOTHING } from './read.ts';
import type { Caller, Facts, Question, Rule } from './rule.ts';
import { AGENT_NOT_FOUND } from './rules.ts';
import { ALLOW, denialsOf, sharedOf, verdictOf, verdictOn } from './verdicts.ts';

const NOT_FOUND = sharedOf([AGENT_NOT_FOUND]);

/**
 * The verdict on an intent: ALLOW exactly when no rule has a reason against it. Without clock, I/O and randomness:
 * the same question gives the same verdict. Total for any JSON value and more; what cannot be judged is a DENY, and so
 * is every question to a list of rules that lacks one of `defaultRules`. Most verdicts are shared by all who ask, and
 * frozen.
 *
 * @example
 * const { verdict, reasons } = decide({ passport, intent, at: Date.now() });
 */
export function decide(question: Question, rules: readonly Rule[] = defaultRules): Verdict {
  try {
    return judge(rules === defaultRules ? question : copyOf(question), rules);
  } catch {
    return unjudged('question');
  }
}

/** A question whose passport and intent are what rules of the host are shown; no `copy` where the intent has none. */
interface CopiedQuestion extends Question {
  readonly copy?: Intent | undefined;
}

function copyOf({ passport, intent, at, caller }: Question): CopiedQuestion {
  const copy = attempt(() => plainCopy(intent) as Intent);
  return { passport: passport && prepare(passport as Passport), intent: copy ?? intent, at, caller, copy };
}

function judge(question: CopiedQuestion, rules: readonly Rule[]): Verdict {
  const { passport, intent, at: asked, caller } = question;
  if (passport === null || passport === undefined || intent === null || intent === undefined)
    return NOT_FOUND;
  const preparation = preparationOf(passport);
  const { policy } = preparation;
  // Once for the intent and its parameters, not once for each.
  demandNone(NOTHING);
  demandOwn(intent);
  // Every member of the intent is read once, here.
  const { agent_id, action: does, target: aim, parameters }: Members = intent;
  if (agent_id === undefined || agent_id !== preparation.agent_id) return NOT_FOUND;
  if (caller !== undefined && caller !== null && !sees(caller, preparation)) return NOT_FOUND;
  if (policy === undefined) return unjudged('passport');
  const instant = typeof asked === 'string' ? parseInstant(asked) : asked;
  if (!Number.isFinite(instant)) return unjudged('at');
  const given: Members = isRecord(parameters)
    ? parameters
    : { amount: parameters === undefined ? undefined : null };
  demandOwn(given);
  const { amount: sum, currency: named } = given;
  const currency = readCurrency(named, policy);
  const amount = readAmountIn(sum, policy, currency);
  const action = typeof does === 'string' ? does : '';
  const isTargetNamed = isNamedTarget(aim, policy);
  const target = readTarget(aim, isTargetNamed);
  const at = instant as number;
  // Two literals: V8 allocates none for an ALLOW, as nothing keeps the first. That takes a tenth off.
  const denials = denialsOf({ at, action, target, isTargetNamed, amount, currency, policy });
  if (rules === defaultRules) return denials === 0 ? ALLOW : verdictOn(denials, { amount, currency, policy });
  const { shown } = preparation;
  const { copy } = question;
  if (!shown || !copy) return unjudged(shown ? 'intent' : 'passport');
  const facts = {
    passport: shown,
    intent: copy,
    at,
    action,
    target,
    amount,
    currency,
  };
  return verdictWith(rules, Object.freeze(facts), verdictOn(denials, { amount, currency, policy }));
}

/** The verdict of a host's list of rules, which adds to ours. */
function verdictWith(given: readonly Rule[], facts: Facts, { reasons }: Verdict): Verdict {
  // A list of our own: a rule that takes others off the host's takes none off this one.
  const rules = attempt(() => elementsOf(given) as Rule[]);
  if (!rules || !defaultRules.every((rule) => rules.includes(rule))) return unjudged('rules');
  return verdictOf([...reasons, ...ask(rules, facts)]);
}

function sees(caller: Caller, { agent_id, account_id }: Preparation): boolean {
  if (!isRecord(caller)) return false;
  // A field that is there narrows, whatever it holds: an account id that is `undefined` sees nothing.
  if ('account_id' in caller && (account_id === undefined || caller.account_id !== account_id)) return false;
  const { agent_ids }: { readonly agent_ids?: unknown } = caller;
  return (
    agent_ids === undefined ||
    agent_ids === null ||
    (Array.isArray(agent_ids) && elementsOf(agent_ids).includes(agent_id))
  );
}

/** The verdict when a part of the question, named by `rule`, could not be read. */
function unjudged(rule: string): Verdict {
  return verdictOf([failed(rule)]);
}
