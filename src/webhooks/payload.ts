/** Creates the body of a request. The body is stored once for each event, not once for each webhook. */

import { turn } from '../base/async/turns.ts';
import { changeRecordId } from '../base/bytes/event-position.ts';
import { isFromJournal } from '../base/values/event-types.ts';
import { toChangeEvent } from '../core/events/event-records.ts';
import { OF_STORED_EVENT, wholeEvent } from '../core/events/whole-event.ts';
import type { Context } from '../core/shared/context.ts';
import type { IdentityEvent } from '../records/event.ts';
import type { WebhookDeliveryRecord } from './collections.ts';

/**
 * Returns the payload to store with a delivery. An event of the journal is stored in full, because it may
 * contain the number of omitted events. For every other event, returns `OF_STORED_EVENT`. Its body is then
 * read from the stored event.
 */
export function payloadOf(event: Pick<IdentityEvent, 'type'>): string {
  return isFromJournal(event.type) ? JSON.stringify(event) : OF_STORED_EVENT;
}

export async function readPayload(
  { store, publicUrl }: Pick<Context, 'store' | 'publicUrl'>,
  { account_id, event_id, payload }: WebhookDeliveryRecord,
): Promise<string | undefined> {
  if (payload !== OF_STORED_EVENT) return payload;
  // A passport or an approval may be large, and many deliveries begin at the same time.
  await turn();
  const record = await store.get('events', changeRecordId(event_id, account_id));
  const event = record && (await wholeEvent({ store, publicUrl }, toChangeEvent(record)));
  return event && JSON.stringify(event);
}
