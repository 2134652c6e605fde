import { formatInstant } from '../../base/values/instant.ts';
import { isSameJson } from '../../base/values/same-json.ts';
import type { Comparison, Difference } from '../../records/comparison.ts';
import type { ApprovalRequirement, Budget, Passport } from '../../records.ts';
import { attempt } from '../read.ts';
import { compare, onlyAllowedBy, resultOf } from './compare.ts';
import { CHANGING, loosestOf } from './fields.ts';
import { anyCurrency, approvalOr, counterOf, type Fields } from './loosest.ts';
import { isReadable, type Side, sideOf } from './side.ts';

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
