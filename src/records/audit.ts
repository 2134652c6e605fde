/** The audit trail of an account. Types only, no code. */
import type { EventType } from './event.ts';
import type { Instant } from './value.ts';

/** The type of an entry, which is a change of the account. Verdicts and outcomes have separate lists. */
export type AuditType = Exclude<EventType, `verdict.${string}` | `outcome.${string}`>;

/** A change of an account, and who made it. */
export interface AuditEntry {
  /** The id of the event, `evt_…`. */
  readonly id: string;
  /** The type of the change. */
  readonly type: AuditType;
  /** The instant of the change. */
  readonly timestamp: Instant;
  /**
   * The author: a member, an API key or `operator`. `null` for an entry about a spend, and for an automatic
   * change by the service.
   */
  readonly by: string | null;
  /** The stored data of the change: ids and states, without addresses, links and secrets. */
  readonly data: Readonly<Record<string, unknown>>;
}
