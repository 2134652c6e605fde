import * as fc from 'fast-check';
import type { Budget, Passport } from '../records.ts';
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
  const own = fc
    .subarray(currency === undefined ? [often] : [often, some], { minLength: 1 })
    .map((budgets) => ({ budgets }));
  const spent = fc.constantFrom<SpentBudgets[string]>(
    { often: { count: 0 }, some: { spent: 0 } },
    { often: { count: 2 }, some: { spent: '49' } },
    { often: { count: 3 }, some: { spent: 50 } },
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
