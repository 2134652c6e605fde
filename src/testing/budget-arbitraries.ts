import * as fc from 'fast-check';
import type { Amount, Budget, Passport } from '../records.ts';
import type { SpentBudgets } from '../verdict/index.ts';

export interface Budgeted {
  readonly own: Pick<Passport, 'budgets'>;
  readonly budgets: SpentBudgets | undefined;
}

/** Generates budgets only sometimes. Their used part leaves enough, exceeds the limit, or is unknown. */
export function budgetedArbitrary({
  agent_id,
  currency,
}: Pick<Passport, 'agent_id' | 'currency'>): fc.Arbitrary<Budgeted> {
  const often: Budget = { name: 'often', window: 'day', count: 3 };
  const some: Budget = { name: 'some', window: 'month', limit: '50', actions: ['payments.*'] };
  const more: Budget = { ...some, name: 'more', overrun: true, warn_at: 0.5 };
  const words: Budget = {
    name: 'words',
    window: 'day',
    unit: 'tokens',
    limit: 1_000,
    actions: ['payments.*'],
  };
  const work: Budget = {
    name: 'work',
    window: 'hour',
    unit: 'credits',
    limit: '0.5',
    actions: ['quotes:*', 'x'],
    overrun: true,
    warn_at: 0.8,
  };
  const units = [often, words, work];
  const own = fc
    .subarray(currency === undefined ? units : [...units, some, more], { minLength: 1, maxLength: 2 })
    .map((budgets) => ({ budgets }));
  const spent = fc.constantFrom<SpentBudgets[string]>(
    usedOf(0, 0, 0, 0),
    usedOf(2, '49', '900', '0.4'),
    usedOf(2, 50, 1_000, '0.499999'),
    usedOf(3, 50, '1200', 0.5),
    {},
  );
  const known = fc.option(spent, { nil: undefined, freq: 6 });
  const budgeted = fc.tuple(own, known).map(
    ([fields, state]): Budgeted => ({
      own: fields,
      budgets: state === undefined ? undefined : { [agent_id]: state },
    }),
  );
  const without = fc.constant<Budgeted>({ own: {}, budgets: undefined });
  return fc.oneof({ weight: 5, arbitrary: without }, { weight: 1, arbitrary: budgeted });
}

function usedOf(count: number, money: Amount, tokens: Amount, credits: Amount): SpentBudgets[string] {
  return {
    often: { count },
    some: { spent: money },
    more: { spent: money },
    words: { spent: tokens },
    work: { spent: credits },
  };
}

const NO_USAGES: readonly unknown[] = [
  ...[null, 5, 'tokens', [], {}, { tokens: -1 }, { tokens: 1.5 }, { tokens: '01' }, { tokens: null }],
  ...[
    { tokens: 1e12 + 1 },
    { credits: '0.0000001' },
    { credits: 1e-7 },
    { credits: Number.NaN },
    { words: 1 },
  ],
];

export function usageArbitrary(): fc.Arbitrary<unknown> {
  const tokens = fc.constantFrom<Amount>(0, 1, 100, '100', 101, 1_000, '1001', 1e12);
  const credits = fc.constantFrom<Amount>(0, '0.000001', 0.1, '0.100001', '0.5', 0.500001, '1000000000000');
  const usage = fc
    .record({ tokens, credits }, { requiredKeys: [] })
    .filter((named) => Object.keys(named).length > 0);
  return fc.oneof({ weight: 9, arbitrary: usage }, { weight: 1, arbitrary: strange(NO_USAGES) });
}

/** Generates one of the values. Lists and objects are new each time, because a test may change or freeze them. */
export function strange(values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.constantFrom(...values).map((value) => {
    if (Array.isArray(value)) return [...value];
    return typeof value === 'object' && value !== null ? { ...value } : value;
  });
}
