import * as fc from 'fast-check';
import type { ApprovalRequirement, Passport } from '../records.ts';
import type { ApprovalFact, SpentBudgets } from '../verdict/index.ts';
import { budgetedArbitrary } from './budget-arbitraries.ts';

/**
 * The budgets and the approval rule of an agent. `stored` has generators of the matching data with which
 * `decide` evaluates an intent.
 */
export interface Limited {
  readonly own: Pick<Passport, 'approval' | 'budgets'>;
  readonly stored: {
    readonly budgets?: fc.Arbitrary<SpentBudgets>;
    readonly approval?: fc.Arbitrary<ApprovalFact>;
  };
}

export function limitedArbitrary(
  passport: Pick<Passport, 'agent_id' | 'currency' | 'monetary_actions'>,
): fc.Arbitrary<Limited> {
  return fc
    .tuple(budgetedArbitrary(passport), approvingArbitrary(passport))
    .map(([{ own, budgets }, approving]) => ({
      own: { ...own, ...approving.own },
      stored: {
        ...(budgets !== undefined && { budgets: fc.constant(budgets) }),
        ...(approving.approval !== undefined && { approval: fc.constant(approving.approval) }),
      },
    }));
}

interface Approving {
  readonly own: Pick<Passport, 'approval'>;
  readonly approval: ApprovalFact | undefined;
}

const STATES = ['pending', 'rejected', 'expired', 'used', 'mismatch'] as const;

function approvingArbitrary({
  currency,
  monetary_actions = [],
}: Pick<Passport, 'currency' | 'monetary_actions'>): fc.Arbitrary<Approving> {
  const actions = { actions: ['payments.refund', 'quotes:*'] };
  const above = { above: '20', seconds: 60 };
  const hasAmounts = currency !== undefined && monetary_actions.length > 0;
  const approval = fc.constantFrom<ApprovalRequirement>(
    ...(hasAmounts ? [above, { ...above, ...actions }] : []),
    actions,
  );
  const own = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: approval.map((wanted) => ({ approval: wanted })) },
  );
  const state = fc.oneof(
    { weight: 1, arbitrary: fc.constant('approved' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...STATES) },
  );
  const fact = fc.option(
    state.map((known): ApprovalFact => ({ state: known })),
    { nil: undefined, freq: 8 },
  );
  const none = fc.constant(undefined);
  return fc.record({
    own,
    approval: fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: fact }),
  });
}
