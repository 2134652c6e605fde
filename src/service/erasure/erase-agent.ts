/** What is kept of one agent is removed but its id; the rest of its account stays as it is. */
import { readChangeRecordId } from '../../base/bytes/event-position.ts';
import type { IdempotencyRecord, WebhookDeliveryRecord } from '../../ports/stored-records.ts';
import { type AgentOfAccount, removeAgentRecords } from '../journal/merge/agent-records.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { OF_STORED_EVENT } from '../webhooks/payload.ts';
import { forgetCounters } from './agent-counters.ts';
import { type Pieces, removeRecords } from './remove-records.ts';

/** How many webhooks, or events, are read at a time. */
const PAGE = 50;

/**
 * Removes what is kept of the agent, whose passport is stripped, once. With `isLast` also the versions of the passport, by
 * which its counters are found. Returns whether nothing is left that has to wait.
 */
export async function* eraseAgent(
  context: Context,
  { account_id, agent_id }: AgentOfAccount,
  isLast: boolean,
): Pieces<boolean> {
  const { store } = context;
  const of = { account_id };
  yield* removeRecords(store, 'approvals', { account_id, agent_id });
  yield* removeRecords(store, 'spends', of, (spend) => spend.agent_id === agent_id);
  yield* removeRecords(store, 'idempotency', of, (record) => isAbout(record, agent_id));
  // Deliveries go before their events: most are known by them alone.
  const told = await eventsOf(context, { account_id, agent_id });
  for await (const { id } of everyRecord(recordsBy(store, 'webhooks', of), PAGE)) {
    const where = { webhook_id: id };
    yield* removeRecords(
      store,
      'webhook_deliveries',
      where,
      (delivery) => told.has(delivery.event_id) || tellsOf(delivery, agent_id),
    );
  }
  yield* removeRecords(store, 'events', of, ({ data }) => data['agent_id'] === agent_id);
  const isAll = yield* removeAgentRecords(context, { account_id, agent_id });
  if (!isAll) return false;
  for (let from: string | null = ''; from !== null; ) {
    from = await store.journal.erase({ account_id, agent_id, from });
    yield 0;
  }
  const passport = await store.get('passports', agent_id);
  if (passport !== undefined && isLast) {
    yield* forgetCounters(context, passport);
    yield* removeRecords(store, 'passport_versions', { agent_id });
  }
  return true;
}

/** Each intent of a batch has a record of its own. */
function isAbout({ object_id, response }: IdempotencyRecord, agent_id: string): boolean {
  return object_id === agent_id || response['agent_id'] === agent_id;
}

/** The ids of the events of the agent. */
async function eventsOf(
  { store }: Context,
  { account_id, agent_id }: AgentOfAccount,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { id, data } of everyRecord(recordsBy(store, 'events', { account_id }), PAGE))
    if (data['agent_id'] === agent_id) found.add(readChangeRecordId(id).id);
  return found;
}

function tellsOf({ payload }: WebhookDeliveryRecord, agent_id: string): boolean {
  if (payload === OF_STORED_EVENT) return false;
  const { data } = Object(JSON.parse(payload)) as { readonly data?: { readonly agent_id?: unknown } };
  return data?.agent_id === agent_id;
}
