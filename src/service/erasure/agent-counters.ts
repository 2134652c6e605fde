/** Removes the counters of an agent. */
import { rollingSeconds, windowAt } from '../../base/values/budget-window.ts';
import { partOf, SPAN_PARTS } from '../../base/values/spans.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import { MAX_PURGE_SIZE } from '../../ports/limits.ts';
import type { PassportRecord } from '../../ports/stored-records.ts';
import type { PolicyBudget } from '../../verdict/budgets.ts';
import { prepare } from '../../verdict/index.ts';
import { budgetsIn } from '../../verdict/takings.ts';
import { pendingCounter } from '../approvals/approval-record.ts';
import { judgedPassport } from '../passports/try-passport.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { holdsCounter, KEPT_MS, windowOf } from '../spending/counters.ts';
import type { Pieces } from './remove-records.ts';

/** The number of versions in one read. */
const PAGE = 50;

/** Removes the counters of an agent: of all budgets of all versions of its passport, in all windows. */
export async function* forgetCounters({ store, clock }: Context, passport: PassportRecord): Pieces {
  const { id: agent_id } = passport;
  const owners = ENVIRONMENTS.map((environment) => ({ environment, agent_id }));
  const budgets = new Map<string, PolicyBudget>();
  const note = (record: PassportRecord): void => {
    for (const budget of budgetsIn(prepare(judgedPassport(record)))) {
      budgets.set(`${budget.window} ${budget.currency} ${budget.name}`, budget);
    }
  };
  note(passport);
  for await (const version of everyRecord(recordsBy(store, 'passport_versions', { agent_id }), PAGE))
    note(version.passport);
  let names = owners.flatMap((owner) => [holdsCounter(owner), pendingCounter(owner)]);
  const now = clock.now();
  for (const budget of budgets.values()) {
    for (const at of instantsOf(budget, now, Date.parse(passport.created_at))) {
      for (const owner of owners) {
        const { counters, held } = windowOf(owner, budget, at);
        names.push(...counters.map(({ used }) => used), ...(held === undefined ? [] : [held]));
      }
      if (names.length < MAX_PURGE_SIZE - 2 * SPAN_PARTS) continue;
      await store.forget(names);
      yield names.length;
      names = [];
    }
  }
  await store.forget(names);
  yield names.length;
}

/** Returns an instant in each window of a budget that may have counters. Those of earlier windows are purged. */
function* instantsOf({ window }: PolicyBudget, now: number, created: number): Iterable<number> {
  const seconds = rollingSeconds(window);
  if (seconds !== undefined) {
    yield* [now - seconds * 1_000, now, now + partOf(seconds)];
    return;
  }
  const { day } = RESOLUTION_MS;
  const first = Math.max(now - KEPT_MS - 366 * day, created - day);
  for (let at = first; at <= now + day; at = windowAt(window, at)?.end ?? Number.POSITIVE_INFINITY) yield at;
}
