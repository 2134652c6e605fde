import { instantReader } from '../base/values/instant.ts';
import { elementsOf, plainCopy } from '../base/values/plain-data.ts';
import type { Intent, Passport, Reason, Verdict } from '../records.ts';
import {
  ancestorReasons,
  asksPerson,
  type Chain,
  chainOf,
  plainReasons,
  requiredProof,
  type Said,
  takingsUnder,
} from './ancestors.ts';
import { approvalVerdict } from './approval.ts';
import { budgetReasons, DEFERRED } from './budgets.ts';
import { conditionReasons } from './conditions.ts';
import { ordersOn } from './order.ts';
import { orderReasons } from './order-values.ts';
import { historyReasons, pacesOn } from './pace.ts';
import { ASKS, isNamedTarget, type Policy, readAmountIn, readCurrency, readTarget } from './policy.ts';
import { type Preparation, type PreparedPassport, preparationOf, prepare } from './prepare.ts';
import { proofReasons } from './proof.ts';
import { attempt, demandNone, demandOwn, isRecord, type Members, NOTHING } from './read.ts';
import type { Caller, Facts, Question, Rule } from './rule.ts';
import { ask, defaultRules, failed } from './rule-list.ts';
import { AGENT_NOT_FOUND } from './rules.ts';
import type { UnreadPart } from './unread-parts.ts';
import { usageReasons } from './usage.ts';
import { ALLOW, denialsOf, sharedOf, verdictOf, verdictOn } from './verdicts.ts';

const readInstant = instantReader();

const NOT_FOUND = sharedOf([AGENT_NOT_FOUND]);

/**
 * Returns the verdict on an intent: ALLOW if no rule has a reason against it. Reads no clock, does no I/O and uses no
 * randomness, so the same question always gives the same verdict. Never throws. Returns a DENY if the question cannot
 * be evaluated, or if `rules` does not contain all of `defaultRules`. Most verdicts are frozen objects that all callers
 * share.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { decide } from 'agent-identity-service/verdict';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'shopper'];
 * const may = { allowed_actions: ['payments.*'], monetary_limit_per_txn: 100 };
 * const passport = await service.passports.create({ domain, agent_name, ...may });
 * const intent = { agent_id: passport.agent_id, action: 'payments.create', parameters: { amount: 250 } };
 * const { verdict, reasons } = decide({ passport, intent, at: Date.now() });
 * console.log(verdict, reasons[0]?.code); // DENY amount_over_limit
 */
export function decide(question: Question, rules: readonly Rule[] = defaultRules): Verdict {
  try {
    return judge(rules === defaultRules ? question : copyOf(question), rules);
  } catch {
    return unjudged('question');
  }
}

/**
 * The input of `decide` with copies of the passport and the intent for rules of the application. `copy` is `undefined`
 * for an intent that cannot be copied.
 */
interface CopiedQuestion extends Question {
  readonly copy?: Intent | undefined;
}

function copyOf({
  passport,
  intent,
  at,
  caller,
  ancestors,
  proof,
  budgets,
  history,
  approval,
}: Question): CopiedQuestion {
  const copy = attempt(() => plainCopy(intent, { undefinedBelow: 'parameters' }) as Intent);
  return {
    passport: passport && prepare(passport as Passport),
    intent: copy ?? intent,
    at,
    caller,
    ancestors,
    proof,
    budgets,
    history,
    approval,
    copy,
  };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every verdict runs it, and V8 allocates less if the steps are in one function.
function judge(question: CopiedQuestion, rules: readonly Rule[]): Verdict {
  const { passport, intent, at: time, caller, proof, approval } = question;
  if (passport === null || passport === undefined || intent === null || intent === undefined)
    return NOT_FOUND;
  const preparation = preparationOf(passport);
  const { policy } = preparation;
  // Checked once for the intent and its parameters, not once for each.
  demandNone(NOTHING);
  demandOwn(intent);
  // Every member of the intent is read exactly once, here.
  const { agent_id, action: does, target: aim, parameters }: Members = intent;
  if (agent_id === undefined || agent_id !== preparation.agent_id) return NOT_FOUND;
  if (caller !== undefined && caller !== null && !sees(caller, preparation)) return NOT_FOUND;
  if (policy === undefined) return unjudged('passport');
  const instant = typeof time === 'string' ? readInstant(time) : time;
  if (!Number.isFinite(instant)) return unjudged('at');
  const members: Members = isRecord(parameters)
    ? parameters
    : { amount: parameters === undefined ? undefined : null };
  demandOwn(members);
  const { amount: sum, currency: currencyName } = members;
  const currency = readCurrency(currencyName, policy);
  const amount = readAmountIn(sum, policy, currency);
  const action = typeof does === 'string' ? does : '';
  const isTargetNamed = isNamedTarget(aim, policy);
  const target = readTarget(aim, isTargetNamed);
  const atMs = instant as number;
  // Two literals: V8 allocates neither for an ALLOW, because nothing keeps the first. That saves a tenth of the time.
  const denials = denialsOf({ at: atMs, action, target, isTargetNamed, amount, currency, policy });
  const { asks } = policy;
  const isPlain = rules === defaultRules && proof === undefined && approval === undefined;
  if (isPlain && asks === 0) return denials === 0 ? ALLOW : verdictOn(denials, { amount, currency, policy });
  const read = { amount, currency, policy };
  const ownVerdict = withParts(denials === 0 ? ALLOW : verdictOn(denials, read), policy, action, {
    parameters,
    intent,
  });
  if (isPlain && asks === ASKS.conditions) return ownVerdict;
  const facts = { at: atMs, action, target, amount: sum, currency: currencyName, parameters, intent };
  if (isPlain && (asks & ASKS.more) === 0) {
    const reasonsAbove = plainReasons(question.ancestors, facts, read);
    if (reasonsAbove !== undefined)
      return reasonsAbove.length === 0 ? ownVerdict : verdictOf([...ownVerdict.reasons, ...reasonsAbove]);
  }
  return evaluateFurther(question, rules, {
    preparation,
    policy,
    reasons: withOrder(ownVerdict.reasons, policy, facts),
    said: facts,
    at: atMs,
    action,
    target,
    amount,
    currency,
  });
}

function withParts(
  ownVerdict: Verdict,
  { budgets, conditions }: Policy,
  action: string,
  { parameters, intent }: { readonly parameters: unknown; readonly intent: object },
): Verdict {
  const lacking = usageReasons(budgets, action, intent);
  const failedReasons = conditionReasons(conditions, action, parameters);
  return lacking.length + failedReasons.length === 0
    ? ownVerdict
    : verdictOf([...ownVerdict.reasons, ...lacking, ...failedReasons]);
}

function withOrder(reasons: readonly Reason[], { orders }: Policy, facts: Said): readonly Reason[] {
  const lacking = orderReasons(orders, facts, reasons);
  return lacking.length === 0 ? reasons : [...reasons, ...lacking];
}

interface SoFar extends Omit<Facts, 'passport' | 'intent'> {
  readonly preparation: Preparation;
  readonly policy: Policy;
  readonly reasons: readonly Reason[];
  readonly said: Said;
}

function evaluateFurther(question: CopiedQuestion, givenRules: readonly Rule[], soFar: SoFar): Verdict {
  const { preparation, policy, reasons, said, at, action, target, amount, currency } = soFar;
  const { copy, ancestors, proof } = question;
  const chain = attempt(() => chainOf(policy, ancestors));
  if (!chain) return unjudged('ancestors');
  const provedReasons = attempt(() => proofReasons(requiredProof(policy, chain), proof));
  if (!provedReasons) return unjudged('proof');
  const ownReasons = [...reasons, ...ancestorReasons(chain, said), ...provedReasons.before];
  const knownFields = { chain, ...soFar };
  if (givenRules === defaultRules)
    return withStored([...ownReasons, ...provedReasons.after], question, knownFields);
  const { shown } = preparation;
  if (!shown || !copy) return unjudged(shown ? 'intent' : 'passport');
  // A copy: a rule of the host that removes entries from its own list does not change this one.
  const rules = attempt(() => elementsOf(givenRules) as Rule[]);
  if (!rules || !defaultRules.every((rule) => rules.includes(rule))) return unjudged('rules');
  const facts = { passport: shown, intent: copy, at, action, target, amount, currency };
  return withStored(
    [...ownReasons, ...ask(rules, Object.freeze(facts)), ...provedReasons.after],
    question,
    knownFields,
  );
}

/**
 * Returns the verdict. Evaluates order and paces only if no other rule denies. Then evaluates budgets only if order and
 * paces allow the intent. Evaluates the approval only if the budgets suffice.
 */
function withStored(
  reasons: readonly Reason[],
  { budgets, history, approval }: CopiedQuestion,
  { preparation, policy, chain, said, at }: SoFar & { readonly chain: Chain },
): Verdict {
  if (reasons.length > 0 || budgets === DEFERRED) return verdictOf(reasons);
  const ancestors = [{ agent_id: preparation.agent_id ?? '', policy }, ...chain.ancestors];
  const countedAncestors = ancestors.filter(
    ({ policy }) => policy?.paces !== undefined || policy?.orders !== undefined,
  );
  if (countedAncestors.length > 0) {
    const { action } = said;
    const orders = countedAncestors.flatMap(({ agent_id, policy }) =>
      ordersOn(agent_id, policy?.orders, action),
    );
    const paces = countedAncestors.flatMap(({ agent_id, policy }) =>
      pacesOn(agent_id, policy?.paces, action),
    );
    const deniedReasons = historyReasons(history, { orders, paces }, at);
    if (deniedReasons.length > 0) return verdictOf(deniedReasons);
  }
  const holders = ancestors.filter((ancestor) => ancestor.policy?.budgets !== undefined);
  if (holders.length > 0) {
    const takings = holders.flatMap((ancestor) => takingsUnder(ancestor, said));
    const exceededReasons = budgetReasons(budgets, takings, at);
    if (exceededReasons.length > 0) return verdictOf(exceededReasons);
  }
  const isNeeded = ancestors.some((ancestor) => asksPerson(ancestor, said));
  const approvedReasons = attempt(() => approvalVerdict(isNeeded, approval));
  return approvedReasons ? verdictOf(approvedReasons) : unjudged('approval');
}

/**
 * @internal Returns `true` if the caller may see this passport. Otherwise the verdict has the reason `agent_not_found`.
 */
export function isSeenBy(caller: Caller, passport: PreparedPassport): boolean {
  return attempt(() => sees(caller, preparationOf(passport))) ?? false;
}

function sees(caller: Caller, { agent_id, account_id }: Preparation): boolean {
  if (!isRecord(caller)) return false;
  // A field that is present narrows, with any value: an `account_id` of `undefined` sees nothing.
  if ('account_id' in caller && (account_id === undefined || caller.account_id !== account_id)) return false;
  const { agent_ids }: { readonly agent_ids?: unknown } = caller;
  return (
    agent_ids === undefined ||
    agent_ids === null ||
    (Array.isArray(agent_ids) && elementsOf(agent_ids).includes(agent_id))
  );
}

function unjudged(part: UnreadPart): Verdict {
  return verdictOf([failed(part)]);
}
