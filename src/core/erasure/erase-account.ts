/** Erases the data of an account except the ids of its passports. */

import { rollingSeconds, windowAt } from '../../base/values/budget-window.ts';
import { partOf } from '../../base/values/spans.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import { statusListId } from '../../tokens/signing/status-list-id.ts';
import type { PolicyBudget } from '../../verdict/budgets.ts';
import { prepare } from '../../verdict/index.ts';
import type { PolicyPace } from '../../verdict/pace.ts';
import { preparationOf } from '../../verdict/prepare.ts';
import { budgetsIn } from '../../verdict/takings.ts';
import type { WebhookRecord } from '../../webhooks/collections.ts';
import { pendingCounter } from '../approvals/approval-record.ts';
import { checksCounter, claimedHost } from '../domains/owner.ts';
import { evaluatedPassport } from '../passports/change-between.ts';
import type { PassportRecord } from '../passports/collections.ts';
import { sightingCounter } from '../passports/list-passports.ts';
import { isStripped, stripped } from '../passports/passport-record.ts';
import { workloadCounter } from '../passports/workload-passport.ts';
import { type Context, nowAfter, USAGE_KINDS, usageCounter } from '../shared/context.ts';
import { ERASED_ACCOUNT } from '../shared/erasure.ts';
import { everyPage, everyRecord, pageSize, recordsBy } from '../shared/record-lists.ts';
import { type BudgetOwner, holdsCounter, KEPT_MS, warnedCounter, windowOf } from '../spending/counters.ts';
import { paceCounters } from '../spending/limit-plans.ts';
import { forget, replace, untilWritten } from '../storage/store.ts';
import { type Pieces, removeOwned, removeRecord, removeRecords } from './remove-records.ts';

const PAGE = 50;

/**
 * Removes the data of the account in one pass. Late requests may still store records after a pass. Versions
 * of passports and webhooks show which of these records exist, so only the last pass removes them. The
 * account is removed together with the record of the erasure, so that its id becomes available last.
 */
export async function* eraseAccount(
  context: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  isLast: boolean,
): Pieces<true> {
  const { store } = context;
  const filter = { account_id };
  yield* removeOwned(store, account_id);
  yield* eraseWebhooks(context, account_id, isLast);
  // INVARIANT: status lists are removed before passports, because a list shows a missing passport as valid.
  yield* eraseStatusLists(context, account_id);
  for await (const passport of everyRecord(recordsBy(store, 'passports', filter), PAGE))
    yield* erasePassport(context, passport, isLast);
  yield* eraseDomains(context, account_id);
  yield* removeRecords(store, 'events', filter);
  yield* eraseJournal(context, account_id);
  for (const logs of ['log_heads', 'log_entries', 'log_tiles'] as const)
    yield* removeRecords(store, logs, filter);
  const counters = USAGE_KINDS.map((kind) => usageCounter(kind, account_id));
  await store.write(...forget([...counters, `throttled:${account_id}`, checksCounter(account_id)]));
  yield 0;
  return true;
}

/**
 * Clears a webhook, and removes its deliveries. Late deliveries are found by the id of the webhook, so only
 * the last pass removes the webhook.
 */
async function* eraseWebhooks(
  { store }: Pick<Context, 'store'>,
  account_id: string,
  isLast: boolean,
): Pieces {
  for await (const { id } of everyRecord(recordsBy(store, 'webhooks', { account_id }), PAGE)) {
    await untilWritten(async () => {
      const base = await store.get('webhooks', id);
      if (base === undefined || base.url === '') return true;
      const next = emptied(base);
      return (await store.write(replace('webhooks', next, base.version))).written || undefined;
    });
    yield 0;
    yield* removeRecords(store, 'webhook_deliveries', { webhook_id: id });
    if (isLast) await removeRecord(store, 'webhooks', id);
    yield 1;
  }
}

function emptied(webhook: WebhookRecord): WebhookRecord {
  return {
    ...webhook,
    version: webhook.version + 1,
    url: '',
    types: [],
    description: null,
    status: 'disabled',
    disabled_reason: 'account',
    created_by: '',
    sealed: '',
    previous_sealed: null,
    previous_until: null,
  };
}

/**
 * Removes the status lists from the last to the first, because the search counts from the first list and stops at a
 * missing list.
 */
async function* eraseStatusLists({ store }: Pick<Context, 'store'>, account_id: string): Pieces {
  const lists: string[] = [];
  for (let number = 1; ; number += 1) {
    const id = statusListId(account_id, number);
    if ((await store.get('status_slots', id)) === undefined) break;
    lists.push(id);
  }
  for (const id of lists.reverse()) {
    await removeRecord(store, 'status_slots', id);
    await store.write(...forget([`slots:${id}`]));
    yield 1;
  }
}

async function* erasePassport(
  context: Pick<Context, 'store' | 'clock'>,
  passport: PassportRecord,
  isLast: boolean,
): Pieces {
  const { store } = context;
  const { id } = passport;
  yield* eraseSlot(context, id);
  if (isLast) {
    yield* forgetCounters(context, passport);
    yield* removeRecords(store, 'passport_versions', { agent_id: id });
  }
  await untilWritten(async () => {
    const base = await store.get('passports', id);
    if (base === undefined || (!isLast && isStripped(base))) return true;
    const instant = nowAfter(context, base.updated_at);
    const bare = stripped(base, instant);
    const next = isLast
      ? { ...bare, account_id: ERASED_ACCOUNT, created_at: instant, revoked_at: instant }
      : bare;
    return (await store.write(replace('passports', next, base.version))).written || undefined;
  });
  yield 1;
}

async function* eraseDomains({ store }: Pick<Context, 'store'>, account_id: string): Pieces {
  const domains = recordsBy(store, 'domains', { account_id });
  for await (const page of everyPage(domains, pageSize(PAGE)))
    await store.write(...forget(page.map((claim) => checksCounter(account_id, claimedHost(claim)))));
  yield* removeRecords(store, 'domains', { account_id });
}

async function* eraseSlot({ store }: Pick<Context, 'store'>, agent_id: string): Pieces {
  const slot = await store.get('status_slots', agent_id);
  if (slot === undefined) return;
  await removeRecord(store, 'status_slots', `${slot.list_id}:${slot.status_index}`);
  await removeRecord(store, 'status_slots', agent_id);
  yield 1;
}

async function* eraseJournal({ store }: Pick<Context, 'store'>, account_id: string): Pieces {
  for (let cursor: string | null = ''; cursor !== null; ) {
    cursor = await store.journal.erase({ account_id, from: cursor });
    yield 0;
  }
}

// Removes the counters of an agent.

const COUNTER_PAGE = 50;
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
  for await (const version of everyRecord(recordsBy(store, 'passport_versions', { agent_id }), COUNTER_PAGE))
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
