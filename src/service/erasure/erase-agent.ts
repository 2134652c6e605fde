/** Erases the data of one agent except its id. */
import { readChangeRecordId } from '../../base/bytes/event-position.ts';
import type { WebhookDeliveryRecord } from '../../webhooks/collections.ts';
import type { EventRecord } from '../events/collections.ts';
import { OF_STORED_EVENT } from '../events/whole-event.ts';
import { type AgentOfAccount, removeAgentRecords } from '../journal/merge/agent-records.ts';
import type { IdempotencyRecord } from '../shared/collections.ts';
import type { Context } from '../shared/context.ts';
import { agentNamedIn, PURGED } from '../shared/outbox.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { forgetCounters } from './agent-counters.ts';
import { type Pieces, removeOwned, removeRecords } from './remove-records.ts';

/** The number of webhooks or events in one read. */
const PAGE = 50;

/**
 * Removes the data of an agent, whose passport is already stripped, in one pass. Only the last pass removes the
 * versions of the passport, because its counters are found by them. Returns `true` if nothing is left that must wait.
 */
export async function* eraseAgent(
  context: Context,
  { account_id, agent_id }: AgentOfAccount,
  isLast: boolean,
): Pieces<boolean> {
  const { store } = context;
  const of = { account_id };
  yield* removeOwned(store, account_id, agent_id);
  yield* removeRecords(store, 'idempotency', of, (record) => isAbout(record, agent_id));
  // Deliveries are removed before their events, because most are found only by them.
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
  yield* removeRecords(store, 'events', of, (event) => isErased(event, agent_id));
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

/** Recognizes a record of the agent. Each intent of a batch has its own record. */
function isAbout({ object_id, response }: IdempotencyRecord, agent_id: string): boolean {
  return object_id === agent_id || response['agent_id'] === agent_id;
}

/** Returns the ids of the events of the agent. */
async function eventsOf(
  { store }: Context,
  { account_id, agent_id }: AgentOfAccount,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const event of everyRecord(recordsBy(store, 'events', { account_id }), PAGE))
    if (isErased(event, agent_id)) found.add(readChangeRecordId(event.id).id);
  return found;
}

/** Recognizes an event of the agent. The event of the purge has only the id, and stays. */
function isErased({ type, data }: Pick<EventRecord, 'type' | 'data'>, agent_id: string): boolean {
  return type !== PURGED && agentNamedIn(data).agent_id === agent_id;
}

function tellsOf({ payload }: WebhookDeliveryRecord, agent_id: string): boolean {
  if (payload === OF_STORED_EVENT) return false;
  return isErased(JSON.parse(payload), agent_id);
}
