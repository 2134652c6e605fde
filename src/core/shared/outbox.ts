/**
 * Creates events of changes. Each event is stored in the same write as its change, so that both exist or neither does.
 */
import { changeRecordId, eventId } from '../../base/bytes/event-position.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Change } from '../../ports/storage.ts';
import type { Approval } from '../../records/approval.ts';
import type { ComparisonResult } from '../../records/comparison.ts';
import type { Changed, EventData, EventType } from '../../records/event.ts';
import type { Environment } from '../../records.ts';
import type { EventRecord } from '../events/collections.ts';
import { insert } from '../storage/store.ts';
import type { Context } from './context.ts';

/**
 * The number of days after which streams and webhooks can no longer resume from an event. The audit trail
 * keeps events of changes longer.
 */
export const EVENT_DAYS = 7;

/** The types that are stored with a change. Events of verdicts come from the journal. */
type ChangeType = Exclude<EventType, `verdict.${string}`>;

/**
 * The type of the event that reports a purge of a passport. The event is stored in full, and the purge does
 * not delete it.
 */
export const PURGED = 'passport.purged';

/**
 * The stored data of an event of a passport. It has only the number of the version, because the same write
 * stores that version of the passport, which may be large.
 */
export interface PassportChanged extends Changed {
  readonly agent_id: string;
  readonly version: number;
  readonly change?: ComparisonResult;
}

/**
 * The stored data of an event of an approval, without the intent and the reasons. The approval has both, and they never
 * change.
 */
export type ApprovalChanged = Omit<Approval, 'intent' | 'reasons'> & Changed;

type StoredData<Type extends ChangeType> = Type extends typeof PURGED
  ? EventData[Type]
  : Type extends `passport.${string}`
    ? PassportChanged
    : Type extends `approval.${string}`
      ? ApprovalChanged
      : EventData[Type];

interface Happened<Type extends ChangeType> {
  readonly account_id: string;
  readonly data: StoredData<Type>;
}

export function eventOf<Type extends ChangeType>(
  { clock, nextEventName: name, auditDays }: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
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
    expires_at: formatInstant(ms + daysOf(type, auditDays) * RESOLUTION_MS.day),
    data: data as unknown as EventRecord['data'],
  });
}

/**
 * The types of events that agents cause, possibly often. They are kept for a shorter time than other events,
 * because each approval and each spend also has its own record.
 */
const OF_AGENTS: ReadonlySet<string> = new Set<ChangeType>([
  'approval.requested',
  'spend.settled',
  'budget.threshold',
]);

export interface AgentNamed {
  readonly agent_id?: string;
  readonly environment?: Environment;
}

export function agentNamedIn(data: object | undefined): AgentNamed {
  const { spend } = Object(data) as { readonly spend?: AgentNamed };
  return spend ?? Object(data);
}

export function daysOf(type: string, auditDays: number): number {
  return OF_AGENTS.has(type) ? EVENT_DAYS : auditDays;
}
