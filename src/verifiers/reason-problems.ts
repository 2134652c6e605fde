/** Checks the reasons that a local verifier sends: their codes, how often each may occur, and their data. */
import { isBudgetName } from '../base/values/budget.ts';
import { MAX_CONDITIONS } from '../base/values/conditions/condition.ts';
import { MAX_ANCESTORS, MAX_ID } from '../base/values/field-limits.ts';
import { parseInstant } from '../base/values/instant.ts';
import { currencyCode, readAmount } from '../base/values/money.ts';
import { MAX_ORDERS, MAX_SAME } from '../base/values/order.ts';
import { BUDGET_UNITS, isBudgetUnit } from '../base/values/usage.ts';
import type { Reason } from '../records.ts';
import { CONDITION_MESSAGES } from '../verdict/conditions.ts';
import { PROOF_MESSAGES } from '../verdict/proof.ts';
import { AGENT_NOT_FOUND, PARENT_DENIED, PARENT_NOT_FOUND, RULE_FAILED, RULES } from '../verdict/rules.ts';
import { USAGE_REQUIRED } from '../verdict/usage.ts';

type Fact = Reason[string];

/** The data of a reason in order, each with its check. */
type Facts = Readonly<Record<string, (fact: Fact) => boolean>>;

const NONE: Facts = {};
const SINCE: Facts = { since: isInstant };
const UNTIL: Facts = { until: isInstant };

const FACTS_OF_RULES: Readonly<Record<string, Facts>> = {
  agent_revoked: SINCE,
  agent_suspended: UNTIL,
  agent_expired: SINCE,
  agent_not_yet_valid: UNTIL,
  currency_mismatch: { expected: isCurrency, actual: isCurrency },
  amount_over_limit: { limit: isAmount, actual: isAmount },
};

const PARTS: readonly Fact[] = ['question', 'passport', 'at', 'ancestors', 'proof', 'intent', 'approval'];

const FACTS_OF_CONDITIONS: Readonly<Record<keyof typeof CONDITION_MESSAGES | 'usage_required', Facts>> = {
  usage_required: { unit: isBudgetUnit },
  parameter_required: { at: isPlace },
  parameter_not_allowed: {
    at: isPlace,
    test: (fact) => typeof fact === 'string' && /^[a-z_]{1,16}$/.test(fact),
  },
  session_required: { order: (fact) => typeof fact === 'string' && isBudgetName(fact) },
};

/**
 * The maximum number of reasons of one passport with the same code in `FACTS_OF_CONDITIONS`. There is one for each
 * condition, and one for each value of a rule of order.
 */
const MAX_OF_CONDITIONS = MAX_CONDITIONS + MAX_ORDERS * MAX_SAME;

/**
 * The reasons that a verifier may give. For rules of order, paces, budgets, approvals and proofs, it must ask the
 * service.
 */
const FACTS: ReadonlyMap<string, Facts> = new Map([
  ...RULES.map(({ code }): [string, Facts] => [code, FACTS_OF_RULES[code] ?? NONE]),
  ...Object.entries(FACTS_OF_CONDITIONS),
  [AGENT_NOT_FOUND.code, NONE],
  [PARENT_NOT_FOUND.code, { parent: isAgent }],
  [RULE_FAILED.code, { rule: (fact) => PARTS.includes(fact) }],
  ['proof_required', { proof: isRequirement }],
]);

/** The messages of these reasons. A verifier of another release may have other messages. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ...[...RULES, AGENT_NOT_FOUND, PARENT_NOT_FOUND, PARENT_DENIED, RULE_FAILED].map(
    ({ code, message }) => [code, message] as const,
  ),
  ...Object.entries(CONDITION_MESSAGES),
  ['usage_required', USAGE_REQUIRED],
  ['proof_required', PROOF_MESSAGES.proof_required],
]);

export function reasonsProblem(reasons: readonly Reason[]): string | undefined {
  const codes = new Map<string, number>();
  const parents = new Set<Fact>();
  for (const reason of reasons) {
    const { code } = reason;
    const facts = factsOf(reason);
    if (facts === undefined) return 'has a reason that a verifier does not give';
    if (!hasFacts(reason, facts)) return `has the reason ${code} with other facts than the rules give it`;
    // Each rule of each passport gives one reason, and each of its conditions.
    const isAbove = code === PARENT_DENIED.code;
    const name = isAbove ? `${code} ${reason['parent']} ${reason['reason']}` : code;
    const maximum = mostOf(isAbove ? reason['reason'] : code);
    const times = (codes.get(name) ?? 0) + 1;
    if (times > maximum) return `has the reason ${code} more often than the rules give it`;
    codes.set(name, times);
    if (isAbove) parents.add(reason['parent'] as Fact);
  }
  return parents.size > MAX_ANCESTORS ? 'has reasons of too many passports above' : undefined;
}

/** Returns how often one passport may give a reason. */
function mostOf(code: Fact | undefined): number {
  if (code === 'usage_required') return BUDGET_UNITS.length;
  return Object.hasOwn(FACTS_OF_CONDITIONS, `${code}`) ? MAX_OF_CONDITIONS : 1;
}

export function withOwnMessages(reasons: readonly Reason[]): readonly Reason[] {
  if (reasons.every(({ code, message }) => MESSAGES.get(code) === message)) return reasons;
  return reasons.map((reason) => ({ ...reason, message: MESSAGES.get(reason.code) ?? reason.message }));
}

function factsOf({ code, reason }: Reason): Facts | undefined {
  if (code !== PARENT_DENIED.code) return FACTS.get(code);
  if (reason === RULE_FAILED.code)
    return { parent: isAgent, reason: isAny, rule: (fact) => fact === 'passport' };
  const ofCondition = FACTS_OF_CONDITIONS[reason as keyof typeof FACTS_OF_CONDITIONS];
  if (ofCondition !== undefined) return { parent: isAgent, reason: isAny, ...ofCondition };
  const isRule = RULES.some((rule) => rule.code === reason);
  return isRule ? { parent: isAgent, reason: isAny, ...FACTS_OF_RULES[reason as string] } : undefined;
}

function hasFacts(reason: Reason, facts: Facts): boolean {
  const { code: _, message: __, ...ownFields } = reason;
  const names = Object.keys(facts);
  return (
    Object.keys(ownFields).length === names.length &&
    names.every((name) => Object.hasOwn(ownFields, name) && facts[name]?.(ownFields[name] as Fact) === true)
  );
}

/** Accepts any value, because it was checked before. */
function isAny(): boolean {
  return true;
}

function isAgent(fact: Fact): boolean {
  return typeof fact === 'string' && fact.length > 0 && fact.length <= MAX_ID;
}

/** Returns `true` if the value is the place of a condition: a JSON Pointer, or an empty text for all parameters. */
function isPlace(fact: Fact): boolean {
  return typeof fact === 'string' && fact.length <= MAX_ID && /^(?:$|\/)/.test(fact);
}

function isInstant(fact: Fact): boolean {
  return fact === null || (typeof fact === 'string' && parseInstant(fact) !== undefined);
}

function isCurrency(fact: Fact): boolean {
  return fact === null || (typeof fact === 'string' && currencyCode(fact) === fact);
}

function isRequirement(fact: Fact): boolean {
  return fact === 'identity' || fact === 'intent';
}

function isAmount(fact: Fact): boolean {
  return typeof fact === 'string' && readAmount(fact) !== null;
}
