import { formatInstant } from '../../base/values/instant.ts';
import type { Comparison, ComparisonResult, Difference } from '../../records/comparison.ts';
import type { Intent, Passport, ReasonCode, Verdict } from '../../records.ts';
import { decide } from '../decide.ts';
import { RULES } from '../rules.ts';
import { probesOf } from './fields.ts';
import { type Probe, pairOf } from './scene.ts';
import { isReadable, type ReadableSide, type Side, sideOf } from './side.ts';

/**
 * Compares two versions of a passport: which intents the later version allows and the earlier one denies, and the
 * reverse. Exact for all intents, instants and states of budgets, approvals and proofs. Treats both versions as active,
 * whatever their status. Does not compare rules of the application. Never throws.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { compare } from 'agent-identity-service/verdict/compare';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'buyer'];
 * const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 100 };
 * const before = await service.passports.create({ domain, agent_name, ...may });
 * const after = { ...before, allowed_actions: ['orders.*', 'payments.create'] };
 * const { result, wider } = compare(before, after);
 * console.log(result, wider[0]?.code, wider[0]?.intent?.action); // wider action_not_allowed payments.create
 */
export function compare(before: Passport, after: Passport): Comparison {
  const [earlier, later] = [sideOf(before), sideOf(after)];
  const wider = onlyAllowedBy(later, earlier);
  const narrower = onlyAllowedBy(earlier, later);
  return { result: resultOf(wider.length > 0, narrower.length > 0), wider, narrower };
}

/** @internal Returns the result of a comparison. */
export function resultOf(isWider: boolean, isNarrower: boolean): ComparisonResult {
  if (isWider) return isNarrower ? 'crossing' : 'wider';
  return isNarrower ? 'narrower' : 'equal';
}

/**
 * @internal Returns the differences in intents that the first passport allows and the second passport denies.
 * There is one difference for each code, in the order of the codes.
 */
export function onlyAllowedBy(allowing: Side, denying: Side): readonly Difference[] {
  if (!isReadable(allowing)) return [];
  const isSame = denying.agent_id === allowing.agent_id;
  // A passport of another agent, and one that cannot be read, deny every question that this one allows.
  const isComparable = isSame && isReadable(denying);
  const pair = pairOf(allowing, isComparable ? denying : allowing);
  if (pair === undefined) return [];
  const code = isSame ? 'rule_failed' : 'agent_not_found';
  const probes = isComparable ? probesOf(pair) : [{ ...pair.usual, code } as const];
  const found = new Map<string, Difference>();
  for (const probe of probes) {
    const difference = differenceOf(allowing, denying, probe);
    const known = found.get(difference.code);
    if (known === undefined || isClearer(difference, known)) found.set(difference.code, difference);
  }
  return [...found.values()].sort((one, other) => placeOf(one) - placeOf(other));
}

function isClearer(one: Difference, other: Difference): boolean {
  if (one.intent === null || other.intent === null) return other.intent === null;
  return one.reasons.length < other.reasons.length;
}

const LATER: readonly ReasonCode[] = [
  'usage_required',
  'parameter_required',
  'parameter_not_allowed',
  'session_required',
  'parent_not_found',
  'proof_required',
  'proof_invalid',
  'rule_failed',
  'order_required',
  'order_forbidden',
  'pace_exceeded',
  'budget_exceeded',
  'approval_required',
  'approval_pending',
  'approval_expired',
  'token_unavailable',
];

function placeOf({ code }: Difference): number {
  const own = RULES.findIndex((rule) => rule.code === code);
  return own >= 0 ? own : RULES.length + LATER.indexOf(code as ReasonCode);
}

/**
 * Returns a difference with its intent. If `decide` does not confirm the intent, the difference has no intent but still
 * counts. An error therefore never hides that a passport allows more.
 */
function differenceOf(allowing: ReadableSide, denying: Side, probe: Probe): Difference {
  const { code, action, target, parameters, session, usage, at, allowed, denied } = probe;
  if (probe.isUnseen)
    return { code, reasons: [], intent: null, at: formatInstant(at), allowed: {}, denied: {} };
  const intent: Intent = {
    agent_id: allowing.agent_id,
    action,
    ...(target !== undefined && { target }),
    ...(parameters !== undefined && { parameters }),
    ...(session !== undefined && { session }),
    ...(usage !== undefined && { usage }),
  };
  const ask = ({ passport, ancestors }: Side, asked: Difference['allowed']): Verdict =>
    decide({ passport, intent, at, ancestors, ...asked });
  const { verdict } = ask(allowing, allowed);
  // Where the parents differ, only the denying passport lacks its own.
  const isParentLost = code === 'parent_not_found';
  const { reasons } = ask(isParentLost ? { ...denying, ancestors: [] } : denying, denied);
  const [first] = reasons;
  const isConfirmed = verdict === 'ALLOW' && first !== undefined;
  return {
    code: isConfirmed ? first.code : code,
    reasons,
    intent: isConfirmed ? intent : null,
    at: formatInstant(at),
    allowed,
    denied,
  };
}
