/** Makes events of changes. Each is stored in the same write as its change: neither exists without the other. */
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

/** The days for which streams and webhooks can resume. The audit keeps events of changes longer. */
export const EVENT_DAYS = 7;

/** The types that are stored with a change. Events of verdicts come from the journal. */
type ChangeType = Exclude<EventType, `verdict.${string}`>;

/** The type of the event of a purge. It is stored whole, and the erasure keeps it. */
export const PURGED = 'passport.purged';

/**
 * The stored data of an event of a passport. It has the version instead of the passport, which may be large and is
 * stored in the same write.
 */
export interface PassportChanged extends Changed {
  readonly agent_id: string;
  readonly version: number;
  /** The result of the comparison of `passport.updated`. */
  readonly change?: ComparisonResult;
}

/** The stored data of an event of an approval. The intent and the reasons are in the approval, and never change. */
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

/** Returns the step that stores an event of the present instant. */
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

/** The types that agents cause, and may cause often. Approvals and spends have their own records. */
const OF_AGENTS: ReadonlySet<string> = new Set<ChangeType>([
  'approval.requested',
  'spend.settled',
  'budget.threshold',
]);

/** The agent and the environment that an event is about. */
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
