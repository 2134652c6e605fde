import { formatInstant } from '../../base/values/instant.ts';
import type { Change } from '../../ports/storage.ts';
import type { BudgetReport, BudgetState, Environment, Intent, Reason, VerdictRecord } from '../../records.ts';
import type { Usage } from '../../verdict/budgets.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { type BudgetTaking, budgetsIn, takingsIn } from '../../verdict/takings.ts';
import type { Context } from '../shared/context.ts';
import type { KnownPassport } from '../storage/caches.ts';
import { answered, groupSteps, type StepGroup, type StepsAnswer } from '../storage/step-groups.ts';
import { notWritten } from '../storage/store.ts';
import { reportOf, stateOf, usageIn } from './budget-state.ts';
import { type CountedWindow, windowOf } from './counters.ts';

/** Reads the budgets of a passport at an instant by the clock of the storage, in milliseconds since the Unix epoch. */
export async function readReports(
  context: Pick<Context, 'store'>,
  preparedPassport: PreparedPassport,
  environment: Environment,
  atMs: number,
): Promise<readonly BudgetReport[]> {
  const { agent_id } = preparedPassport.passport;
  const budgets = budgetsIn(preparedPassport).map((budget) => ({ agent_id, budget }));
  const countedTakings = await readCounted(context, environment, budgets, atMs);
  return countedTakings.map(({ budget, window, usage }) => reportOf(agent_id, budget, usage, window));
}

export async function readStates(
  context: Pick<Context, 'store' | 'clockWatch'>,
  { record, intent, found, ancestors = [] }: SpendRequest,
): Promise<readonly BudgetState[]> {
  const takings = takingsIn([found.prepared, ...ancestors], intent);
  const countedTakings = await readCounted(
    context,
    record.environment,
    takings,
    await context.clockWatch.storeNow(),
  );
  return countedTakings.map(({ agent_id, budget, window, usage }) =>
    stateOf(agent_id, budget, usage, window),
  );
}

type Counted = Pick<BudgetTaking, 'agent_id' | 'budget'> & {
  readonly window: CountedWindow;
  readonly usage: Usage;
};

async function readCounted(
  { store }: Pick<Context, 'store'>,
  environment: Environment,
  budgets: readonly Pick<BudgetTaking, 'agent_id' | 'budget'>[],
  atMs: number,
): Promise<readonly Counted[]> {
  if (budgets.length === 0) return [];
  const windows = budgets.map(({ agent_id, budget }) => windowOf({ environment, agent_id }, budget, atMs));
  const usages = await readUsages({ store }, windows, atMs);
  return budgets.map(({ agent_id, budget }, index) => {
    return { agent_id, budget, window: windows[index] as CountedWindow, usage: usages[index] as Usage };
  });
}

/**
 * @internal Reads the used amounts of windows at an instant by the clock of the storage, in milliseconds since the Unix
 * epoch.
 */
export async function readUsages(
  { store }: Pick<Context, 'store'>,
  windows: readonly CountedWindow[],
  atMs: number,
): Promise<readonly Usage[]> {
  const present = formatInstant(atMs);
  const look = (counter: string): Change => ({ op: 'add', counter, by: 0, at: present });
  const looks = groupSteps(
    ...windows.map((window): StepGroup<CountedWindow> => {
      const counters = window.counters.map(({ used }) => used);
      return [window, (window.held === undefined ? counters : [...counters, window.held]).map(look)];
    }),
  );
  const answer = answered(await store.write(...looks.changes));
  if (!answer.written || answer.values.length !== looks.changes.length) throw notWritten();
  return windows.map((window) => usageIn(window, looks.of(window, answer).values));
}

/** A step that adds to a counter. It fails if the sum would be above `max`. */
export type Addition = Extract<Change, { op: 'add' }> & { readonly max: number };

/** A limited thing other than a budget that an `ALLOW` uses up. */
export interface Taking {
  /** The step that the write contains. */
  readonly change: Addition;
  /** The reasons of the `DENY` if this step fails. */
  readonly refusal: readonly Reason[];
}

/** The steps that an approval adds to the write. */
export interface ApprovalPart {
  /**
   * The reasons for a `DENY` even if all steps fit. The write then only tests the other steps. `undefined` if the
   * approval has no objection.
   */
  readonly refusal: readonly Reason[] | undefined;
  /** The steps that the write contains. */
  readonly changes: readonly Change[];
}

/** A passport that is created in the same write as its first `ALLOW`. */
export interface MadePart {
  readonly changes: readonly Change[];
  /**
   * Returns the reasons of the `DENY` if these changes fail. Returns `undefined` if another request has created the
   * agent meanwhile.
   */
  refusal(answer: StepsAnswer): readonly Reason[] | undefined;
}

/** An intent that the passports allow before their budgets are checked. */
export interface SpendRequest {
  /** The verdict before the budgets are checked. */
  readonly record: VerdictRecord;
  readonly intent: Intent;
  readonly found: Pick<KnownPassport, 'account_id' | 'prepared'>;
  /** The passports of the ancestors, nearest first. Absent without a parent. */
  readonly ancestors?: readonly PreparedPassport[] | undefined;
  /**
   * The steps for other limits in the same write. The first step that fails gives the only reason. A dry run ignores
   * these steps.
   */
  readonly takings?: readonly Taking[];
  readonly approval?: ApprovalPart;
  /** The passport of the agent, if it is created with its first `ALLOW`. */
  readonly made?: MadePart | undefined;
  /** The end of the permit in seconds since the Unix epoch. Absent without a permit. */
  readonly permitExp?: number | undefined;
  /** The step that stores the verdict for repeated requests. The same write contains this step if anything is spent. */
  readonly remember?: Change | undefined;
}
