import { formatInstant } from '../../base/values/instant.ts';
import { isSameJson } from '../../base/values/json-values.ts';
import type { Comparison, ComparisonResult, Difference } from '../../records/comparison.ts';
import type { ApprovalRequirement, Budget, Intent, Passport, ReasonCode, Verdict } from '../../records.ts';
import { decide } from '../decide.ts';
import { attempt } from '../read.ts';
import { RULES } from '../rules.ts';
import { CHANGING, loosestOf, probesOf } from './fields.ts';
import { anyCurrency, approvalOr, counterOf, type Fields } from './loosest.ts';
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
function resultOf(isWider: boolean, isNarrower: boolean): ComparisonResult {
  if (isWider) return isNarrower ? 'crossing' : 'wider';
  return isNarrower ? 'narrower' : 'equal';
}

/**
 * @internal Returns the differences in intents that the first passport allows and the second passport denies.
 * There is one difference for each code, in the order of the codes.
 */
function onlyAllowedBy(allowing: Side, denying: Side): readonly Difference[] {
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

/**
 * Compares two versions of a passport as `compare` does, and also compares each field separately. For the separate
 * comparison, all other fields have the most permissive value of both versions.
 *
 * `wider` then also contains a new permission of one field that another field still denies. Such a difference has no
 * intent. Use this function if the agent must not gain a permission when the other field is removed later. Never
 * throws.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { compare, compareFields } from 'agent-identity-service/verdict/compare';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'buyer'];
 * const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 100 };
 * const before = await service.passports.create({ domain, agent_name, ...may });
 * const after = { ...before, denied_actions: ['*'], monetary_limit_per_txn: 1000 };
 * console.log(compare(before, after).result, compareFields(before, after).result); // narrower crossing
 */
export function compareFields(before: Passport, after: Passport): Comparison {
  const { wider, narrower } = compare(before, after);
  const [earlier, later] = [sideOf(before), sideOf(after)];
  const isComparable = isReadable(earlier) && isReadable(later) && earlier.agent_id === later.agent_id;
  if (!isComparable) return { result: resultOf(wider.length > 0, narrower.length > 0), wider, narrower };
  const hidden = attempt(() => hiddenBy(before, after, earlier)) ?? [unseen('rule_failed', earlier)];
  const known = new Set(wider.map(({ code }) => code));
  const all = [...wider, ...hidden.filter(({ code }) => !known.has(code))];
  return { result: resultOf(all.length > 0, narrower.length > 0), wider: all, narrower };
}

function hiddenBy(before: Passport, after: Passport, side: Side): readonly Difference[] {
  const found = fieldsAlone(before, after).flatMap((versions) => widerIn(versions, side));
  return [...new Map(found.map((one) => [one.code, one])).values()];
}

function widerIn(versions: readonly Versions[], side: Side): readonly Difference[] {
  const sides = versions.map((pair) => pair.map(sideOf)).filter((pair) => pair.every(isReadable));
  // A field that cannot be compared counts: no error makes a passport look narrower than it is.
  if (sides.length === 0) return [unseen('rule_failed', side)];
  return sides.flatMap(([earlier, later]) =>
    earlier === undefined || later === undefined
      ? []
      : onlyAllowedBy(later, earlier).map(({ code }) => unseen(code, side)),
  );
}

function unseen(code: Difference['code'], { changed }: Side): Difference {
  return { code, reasons: [], intent: null, at: formatInstant(changed), allowed: {}, denied: {} };
}

type Versions = readonly [before: Passport, after: Passport];

/** The fields whose parts are compared separately. Every other field is compared as a whole. */
const IN_PARTS: readonly string[] = ['budgets', 'approval'];

const ASKED = ['above', 'actions'] as const satisfies readonly (keyof ApprovalRequirement)[];

const ASKING = ['seconds', 'count', 'by'] as const satisfies readonly (keyof ApprovalRequirement)[];

/**
 * Returns two versions for each field that differs. There is one pair for each currency of the two passports, because a
 * value may be valid in only one of them.
 */
function fieldsAlone(before: Passport, after: Passport): readonly (readonly Versions[])[] {
  const currencies = [...new Set([before.currency, after.currency])];
  const pairs = currencies.map((currency) => {
    const loosest = loosestOf(before, after, currency);
    const compared = [
      ...wholeFields(before, after, loosest),
      ...budgetsAlone(before, after, loosest),
      ...approvalAlone(before, after, loosest),
    ];
    return compared.map(([one, other]): Versions => [plain(before, one), plain(after, other)]);
  });
  const [first = []] = pairs;
  const alone = first.map((_, place) => pairs.flatMap((all) => all.slice(place, place + 1)));
  return currencies.length === 1 ? alone : [...alone, [currencyAlone(before, after)]];
}

type Pair = readonly [Fields, Fields];

function wholeFields(before: Fields, after: Fields, loosest: Fields): readonly Pair[] {
  const differs = (field: keyof Fields) => !isSameJson(before[field] ?? null, after[field] ?? null);
  return CHANGING.filter((field) => !IN_PARTS.includes(field) && differs(field)).map((field) => [
    { ...loosest, [field]: before[field] },
    { ...loosest, [field]: after[field] },
  ]);
}

function currencyAlone(before: Passport, after: Passport): Versions {
  const any = anyCurrency(loosestOf(before, after, before.currency));
  return [plain(before, any), plain(after, { ...any, currency: after.currency })];
}

function budgetsAlone(before: Fields, after: Fields, loosest: Fields): readonly Pair[] {
  const [earlier, later] = [before.budgets ?? [], after.budgets ?? []];
  const counters = new Set([...earlier, ...later].map(counterOf));
  const named = (budgets: readonly Budget[], counter: string) =>
    budgets.filter((budget) => counterOf(budget) === counter);
  return [...counters]
    .filter((counter) => !isSameJson(named(earlier, counter), named(later, counter)))
    .map((counter): Pair => {
      const names = [...named(earlier, counter), ...named(later, counter)].map(nameOf);
      const others = (loosest.budgets ?? []).filter((budget) => !names.includes(nameOf(budget)));
      return [
        { ...loosest, budgets: [...others, ...named(earlier, counter)] },
        { ...loosest, budgets: [...others, ...named(later, counter)] },
      ];
    });
}

function nameOf({ name, window }: Budget): string {
  return name ?? window;
}

function approvalAlone(before: Fields, after: Fields, loosest: Fields): readonly Pair[] {
  const [one = {}, other = {}] = [before.approval, after.approval];
  const withRule = (approval: ApprovalRequirement): Fields => ({
    ...loosest,
    approval: approvalOr(approval),
  });
  const differs = (part: keyof ApprovalRequirement) => !isSameJson(one[part] ?? null, other[part] ?? null);
  const asked = ASKED.filter(differs).map((part): Pair => {
    const { [part]: _, ...rest } = loosest.approval ?? {};
    return [withRule({ ...rest, ...partOf(one, part) }), withRule({ ...rest, ...partOf(other, part) })];
  });
  const hasBoth = before.approval !== undefined && after.approval !== undefined;
  const all = { actions: ['*'] };
  const asking = ASKING.filter((part) => hasBoth && differs(part)).map((part): Pair => {
    return [withRule({ ...all, ...partOf(one, part) }), withRule({ ...all, ...partOf(other, part) })];
  });
  const changes: readonly Pair[] = differs('changes')
    ? [[withRule({ ...all, ...partOf(one, 'changes') }), withRule({ ...all, ...partOf(other, 'changes') })]]
    : [];
  return [...asked, ...asking, ...changes];
}

function partOf(rule: ApprovalRequirement, part: keyof ApprovalRequirement): ApprovalRequirement {
  return rule[part] === undefined ? {} : { [part]: rule[part] };
}

function plain(passport: Passport, fields: Fields): Passport {
  return JSON.parse(JSON.stringify({ ...passport, ...fields }));
}
