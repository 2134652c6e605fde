/** Removes the counters of an agent. */
import { rollingSeconds, windowAt } from '../../base/values/budget-window.ts';
import { partOf } from '../../base/values/spans.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import type { PolicyBudget } from '../../verdict/budgets.ts';
import { prepare } from '../../verdict/index.ts';
import type { PolicyPace } from '../../verdict/pace.ts';
import { preparationOf } from '../../verdict/prepare.ts';
import { budgetsIn } from '../../verdict/takings.ts';
import { pendingCounter } from '../approvals/approval-record.ts';
import { evaluatedPassport } from '../passports/change-between.ts';
import type { PassportRecord } from '../passports/collections.ts';
import { sightingCounter } from '../passports/sightings.ts';
import { workloadCounter } from '../passports/workload-passport.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { type BudgetOwner, holdsCounter, KEPT_MS, warnedCounter, windowOf } from '../spending/counters.ts';
import { paceCounters } from '../spending/limit-plans.ts';
import { forget } from '../storage/store.ts';
import type { Pieces } from './remove-records.ts';

const PAGE = 50;
/** The counters that one write forgets. SQLite needs about 3 ms for them, and blocks the event loop meanwhile. */
const PIECE = 100;

export async function* forgetCounters(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  passport: PassportRecord,
): Pieces {
  const { id: agent_id, created_at } = passport;
  const owners = ENVIRONMENTS.map((environment) => ({ environment, agent_id }));
  const budgets = new Map<string, PolicyBudget>();
  const paces = new Map<string, PolicyPace>();
  const trustedNames = new Set<string>();
  const note = (record: PassportRecord): void => {
    for (const { issuer } of record.trusted_issuers ?? [])
      trustedNames.add(workloadCounter(agent_id, issuer));
    const preparedPassport = prepare(evaluatedPassport(record));
    for (const pace of preparationOf(preparedPassport).policy?.paces ?? [])
      paces.set(`${pace.seconds} ${pace.name}`, pace);
    for (const budget of budgetsIn(preparedPassport)) {
      budgets.set(`${budget.window} ${budget.currency} ${budget.name}`, budget);
    }
  };
  note(passport);
  for await (const version of everyRecord(recordsBy(store, 'passport_versions', { agent_id }), PAGE))
    note(version.passport);
  const ownedNames = owners.flatMap((owner) => [
    holdsCounter(owner),
    pendingCounter(owner, 'approvals'),
    pendingCounter(owner, 'proposals'),
  ]);
  let names = [sightingCounter(agent_id), ...ownedNames];
  const limits = {
    budgets: [...budgets.values()],
    paces: [...paces.values()],
    now: clock.now(),
    created: Date.parse(created_at),
  };
  const groups = [
    ...[...trustedNames].map((name) => [name]),
    ...owners.flatMap((owner) => [...countersOf(owner, limits)]),
  ];
  for (const groupIds of groups) {
    if (names.length + groupIds.length > PIECE) {
      await store.write(...forget(names));
      yield names.length;
      names = [];
    }
    names.push(...groupIds);
  }
  await store.write(...forget(names));
  yield names.length;
}

interface Counting {
  readonly budgets: readonly PolicyBudget[];
  readonly paces: readonly PolicyPace[];
  readonly now: number;
  readonly created: number;
}

function* countersOf(
  owner: BudgetOwner,
  { budgets, paces, now, created }: Counting,
): Iterable<readonly string[]> {
  for (const pace of paces) yield paceCounters(owner, pace);
  for (const budget of budgets) {
    for (const instant of instantsOf(budget, now, created)) {
      const window = windowOf(owner, budget, instant);
      const { counters, held } = window;
      const counterId = warnedCounter(owner, budget, window);
      yield [...counters.map(({ used }) => used), ...(held === undefined ? [] : [held]), counterId];
    }
  }
}

/** Returns one instant in each budget window that may have counters. Counters of earlier windows are already purged. */
function* instantsOf({ window }: PolicyBudget, now: number, createdMs: number): Iterable<number> {
  const seconds = rollingSeconds(window);
  if (seconds !== undefined) {
    yield* [now - seconds * 1_000, now, now + partOf(seconds)];
    return;
  }
  const { day } = RESOLUTION_MS;
  const first = Math.max(now - KEPT_MS - 366 * day, createdMs - day);
  for (
    let windowMs = first;
    windowMs <= now + day;
    windowMs = windowAt(window, windowMs)?.end ?? Number.POSITIVE_INFINITY
  )
    yield windowMs;
}
