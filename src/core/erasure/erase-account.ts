/** Erases the data of an account except the ids of its passports. */

import { statusListId } from '../../tokens/signing/status-list-id.ts';
import type { WebhookRecord } from '../../webhooks/collections.ts';
import { checksCounter, claimedHost } from '../domains/record.ts';
import type { PassportRecord } from '../passports/collections.ts';
import { isStripped, stripped } from '../passports/passport-record.ts';
import { type Context, nowAfter, USAGE_KINDS, usageCounter } from '../shared/context.ts';
import { ERASED_ACCOUNT } from '../shared/erasure.ts';
import { everyPage, everyRecord, pageSize, recordsBy } from '../shared/record-lists.ts';
import { forget, replace, untilWritten } from '../storage/store.ts';
import { forgetCounters } from './agent-counters.ts';
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
