/** Budgets, patches and intents that are refused, each with the paths that are named. */
import type { PassportInput, PassportPatch } from '../../../src/records.ts';

/** What is wrong, the fields that are, and what is named. */
type Case<Fields = object> = readonly [what: string, fields: Fields, ...paths: readonly string[]];
/** The same with a list of paths. */
type Tried<Fields = object> = readonly [what: string, fields: Fields, paths: readonly string[]];

function tried<Fields>(cases: readonly Case<Fields>[]): readonly Tried<Fields>[] {
  return cases.map(([what, fields, ...paths]) => [what, fields, paths]);
}

/** A passport that may have budgets. */
export const SHOPPER: PassportInput = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['pay', 'look'],
  monetary_actions: ['pay'],
  monetary_limit_per_txn: 1_000,
  currency: 'EUR',
};

const DAY = { window: 'day', limit: 100 };
const list = (...budgets: readonly unknown[]) => ({ budgets });
const named = (count: number) =>
  list(...Array.from({ length: count }, (_, index) => ({ ...DAY, name: `b${index}` })));

function each(field: string, base: object, values: readonly unknown[], path = `/budgets/0/${field}`): Case[] {
  return values.map((value) => [
    `a ${field} of ${JSON.stringify(value)}`,
    list({ ...base, [field]: value }),
    path,
  ]);
}

/** Passports that are not issued. */
export const WRONG_BUDGETS: readonly Tried[] = tried([
  ...[{}, 'day', 1, true].map((budgets): Case => [`${JSON.stringify(budgets)}`, { budgets }, '/budgets']),
  ['nine budgets', named(9), '/budgets'],
  ['a text for a budget', list('day'), '/budgets/0'],
  ['null for a budget', list(DAY, null), '/budgets/1'],
  ['a list for a budget', list([DAY]), '/budgets/0'],
  ['a budget without a window', list({ limit: 1 }), '/budgets/0/window'],
  ...each('window', { limit: 1 }, ['', 'minute', 'Day', 'days', 1, null, ['day']]),
  ['neither a limit nor a count', list({ window: 'day' }), '/budgets/0'],
  ['both a limit and a count', list({ ...DAY, count: 5 }), '/budgets/0'],
  ...each('limit', { window: 'day' }, [
    ...[-1, '-1', '-0', '', 'x', '1e2', ' 1', '01', '1.', 1.001, '1.001', 1e16, null, true, [1], {}],
    // One cent more than a counter holds.
    '90071992547409.92',
  ]),
  ...each('count', { window: 'day' }, [0, -1, 1.5, 1_000_000_001, '5', null, true, [5]]),
  ...each('name', DAY, ['', 'Day', '1a', '_a', 'a b', 'ä', 'a'.repeat(33), 5, null]),
  [
    'two budgets of one name',
    list({ ...DAY, name: 'a' }, { window: 'hour', count: 1, name: 'a' }),
    '/budgets/1/name',
  ],
  ['two budgets of one window without names', list(DAY, { window: 'day', count: 1 }), '/budgets/1/name'],
  [
    'a name that is the window of another',
    list(DAY, { window: 'week', limit: 1, name: 'day' }),
    '/budgets/1/name',
  ],
  ...each('actions', DAY, [
    [],
    'pay',
    {},
    null,
    ['pay', 'pay'],
    Array.from({ length: 257 }, (_, n) => `a.${n}`),
  ]),
  ...each('actions', DAY, [[''], ['a b'], ['*.a'], [1]], '/budgets/0/actions/0'),
  ...['currency', 'spent', 'agent_id', 'Window', 'constructor'].map(
    (field): Case => [`a field ${field}`, list({ ...DAY, [field]: 'EUR' }), `/budgets/0/${field}`],
  ),
  ['a limit without a currency', { ...list(DAY), currency: undefined }, '/currency'],
  [
    'a limit of every action without monetary_actions',
    { ...list(DAY), monetary_actions: undefined },
    '/monetary_actions',
  ],
  [
    'a limit of every action with no monetary_actions',
    { ...list(DAY), monetary_actions: [] },
    '/monetary_actions',
  ],
  [
    'a limit that lacks both',
    { ...list(DAY), currency: undefined, monetary_actions: undefined },
    ...['/currency', '/monetary_actions'],
  ],
  [
    'more decimals than the currency',
    { ...list({ window: 'day', limit: '1.5' }), currency: 'JPY' },
    '/budgets/0/limit',
  ],
]);

/** Budgets that are allowed, as a check of the list above. */
export const RIGHT_BUDGETS: readonly object[] = [
  list(),
  named(8),
  list({ window: 'day', limit: '90071992547409.91' }),
  list({ window: 'day', limit: 0 }, { window: 'lifetime', count: 1_000_000_000 }),
  { ...list({ window: 'day', count: 1 }), currency: undefined, monetary_actions: undefined },
  { ...list({ ...DAY, actions: ['pay'] }), monetary_actions: undefined },
  list({ ...DAY, name: 'a'.repeat(32) }),
];

/** Patches of `SHOPPER` with a budget of 100.50 a day that break a rule across fields. */
export const WRONG_PATCHES: readonly Tried<PassportPatch>[] = tried<PassportPatch>([
  ['takes the currency away', { currency: null }, '/currency'],
  ['takes monetary_actions away', { monetary_actions: null }, '/monetary_actions'],
  ['empties monetary_actions', { monetary_actions: [] }, '/monetary_actions'],
  ['takes both away', { currency: null, monetary_actions: null }, '/currency', '/monetary_actions'],
  ['has a currency without those decimals', { currency: 'JPY' }, '/budgets/0/limit'],
  [
    'adds a second budget of the name',
    {
      budgets: [
        { window: 'day', count: 1 },
        { window: 'day', limit: 1 },
      ],
    },
    '/budgets/1/name',
  ],
]);
