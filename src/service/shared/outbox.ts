/** Events of changes: each is written in one step with its change, so that there is neither without the other. */
import { changeRecordId, eventId } from '../../base/bytes/event-position.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Change } from '../../ports/storage.ts';
import type { EventRecord } from '../../ports/stored-records.ts';
import type { Approval } from '../../records/approval.ts';
import type { Changed, EventData, EventType } from '../../records/event.ts';
import { insert } from '../storage/store.ts';
import type { Context } from './context.ts';

/** How long the events of changes are kept. */
export const EVENT_DAYS = 7;

/** The types that are stored with a change; verdicts are in the journal. */
type ChangeType = Exclude<EventType, `verdict.${string}`>;

/**
 * An event of a passport as it is stored: which version it is about. That is stored in the same step, and a passport may
 * be large.
 */
export interface PassportChanged extends Changed {
  readonly agent_id: string;
  readonly version: number;
}

/** An event of an approval as it is stored: its intent and its reasons are in the approval, and never change. */
export type ApprovalChanged = Omit<Approval, 'intent' | 'reasons'> & Changed;

/** The data that an event is stored with. */
type StoredData<Type extends ChangeType> = Type extends `passport.${string}`
  ? PassportChanged
  : Type extends `approval.${string}`
    ? ApprovalChanged
    : EventData[Type];

/** What has happened to whom. */
interface Happened<Type extends ChangeType> {
  readonly account_id: string;
  readonly data: StoredData<Type>;
}

/** The step that stores an event of now. */
export function eventOf<Type extends ChangeType>(
  { clock, nextEventName: name }: Pick<Context, 'clock' | 'nextEventName'>,
  type: Type,
  { account_id, data }: Happened<Type>,
): Change {
  const ms = clock.now();
  const id = eventId({ ms, source: 'c', name: name() });
  return insert('events', {
    id: changeRecordId(id, account_id),
    account_id,
    version: 1,
    created_at: formatInstant(ms),
    type,
    expires_at: formatInstant(ms + EVENT_DAYS * RESOLUTION_MS.day),
    data: data as unknown as EventRecord['data'],
  });
}
