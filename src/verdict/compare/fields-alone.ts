/** Each field of two versions of a passport, compared alone: all others have their most permissive value. */
import { isSameJson } from '../../base/values/same-json.ts';
import type { ApprovalRequirement, Budget, Passport } from '../../records.ts';
import { anyCurrency, approvalOr, counterOf, type Fields, loosestOf } from './loosest.ts';

/** Two versions of a passport that differ in one field. */
export type Versions = readonly [before: Passport, after: Passport];

/** The fields that are compared as a whole. */
const WHOLE = [
  'allowed_actions',
  'denied_actions',
  'allowed_targets',
  'monetary_actions',
  'monetary_limit_per_txn',
  'not_before',
  'expires_at',
  'proof',
  'public_keys',
  'conditions',
  'pace',
] as const satisfies readonly (keyof Fields)[];

/** The parts of an approval rule that say which intents need a person. */
const ASKED = ['above', 'actions'] as const satisfies readonly (keyof ApprovalRequirement)[];

/** The parts that say how a person is asked. */
const ASKING = ['seconds', 'count', 'by'] as const satisfies readonly (keyof ApprovalRequirement)[];

/**
 * Returns two versions for each field that differs, one pair for each currency of the two passports: a value may be
 * valid in one of them alone.
 */
export function fieldsAlone(before: Passport, after: Passport): readonly (readonly Versions[])[] {
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
  return WHOLE.filter((field) => !isSameJson(before[field] ?? null, after[field] ?? null)).map((field) => [
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

/** Returns the passport with these fields, without those that are undefined. */
function plain(passport: Passport, fields: Fields): Passport {
  return JSON.parse(JSON.stringify({ ...passport, ...fields }));
}
