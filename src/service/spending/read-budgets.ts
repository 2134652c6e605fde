/** Reads the states of budgets from the storage, all at one moment. */
import { formatInstant } from '../../base/values/instant.ts';
import type { Change } from '../../ports/storage.ts';
import type { BudgetReport, BudgetState, Environment } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { type BudgetTaking, budgetsIn, takingsIn } from '../../verdict/takings.ts';
import type { Context } from '../shared/context.ts';
import { answered, groupSteps, type StepGroup } from '../storage/step-groups.ts';
import { notWritten } from '../storage/store.ts';
import { reportOf, stateOf, usageOf } from './budget-state.ts';
import { windowOf } from './counters.ts';
import type { SpendRequest } from './spend-request.ts';

/** Reads the budgets of a passport at an instant of the store, in milliseconds since the Unix epoch. */
export async function readReports(
  context: Context,
  prepared: PreparedPassport,
  environment: Environment,
  at: number,
): Promise<readonly BudgetReport[]> {
  const { agent_id } = prepared.passport;
  const budgets = budgetsIn(prepared);
  const owner = { environment, agent_id };
  const held = budgets.map((budget) => ({ agent_id, budget }));
  const usages = await readUsages(context, environment, held, at);
  return budgets.map((budget, index) =>
    reportOf(agent_id, budget, usages[index] ?? UNKNOWN, windowOf(owner, budget, at)),
  );
}

/** Reads the present state of the budgets that an intent spends from. */
export async function readStates(
  context: Context,
  { record, intent, found, ancestors = [] }: SpendRequest,
): Promise<readonly BudgetState[]> {
  const takings = takingsIn([found.prepared, ...ancestors], intent);
  const at = await context.clockWatch.storeNow();
  const { environment } = record;
  const usages = await readUsages(context, environment, takings, at);
  return takings.map(({ agent_id, budget }, index) =>
    stateOf(agent_id, budget, usages[index] ?? UNKNOWN, windowOf({ environment, agent_id }, budget, at)),
  );
}

const UNKNOWN = usageOf(Number.NaN, Number.NaN);

async function readUsages(
  { store }: Context,
  environment: Environment,
  budgets: readonly Pick<BudgetTaking, 'agent_id' | 'budget'>[],
  at: number,
): Promise<readonly ReturnType<typeof usageOf>[]> {
  if (budgets.length === 0) return [];
  const present = formatInstant(at);
  const look = (counter: string): Change => ({ op: 'add', counter, by: 0, at: present });
  const looks = groupSteps(
    ...budgets.map((asked): StepGroup<typeof asked> => {
      const { used, held } = windowOf({ environment, agent_id: asked.agent_id }, asked.budget, at);
      return [asked, [look(used), look(held)]];
    }),
  );
  const answer = answered(await store.write(...looks.changes));
  if (!answer.written || answer.values.length !== looks.changes.length) throw notWritten();
  return budgets.map((asked) => {
    const [used = Number.NaN, held = Number.NaN] = looks.of(asked, answer).values;
    return usageOf(used, held);
  });
}
