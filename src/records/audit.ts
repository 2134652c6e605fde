/** The audit of an account. Types only, no code. */
import type { EventType } from './event.ts';
import type { Instant } from './value.ts';

/** The type of an entry: a change of the account. Verdicts and outcomes have separate lists. */
export type AuditType = Exclude<EventType, `verdict.${string}` | `outcome.${string}`>;

/** A change of an account, and who made it. */
export interface AuditEntry {
  /** The id of the event, `evt_…`. */
  readonly id: string;
  /** The type of the change. */
  readonly type: AuditType;
  /** The instant of the change. */
  readonly timestamp: Instant;
  /** The author: a member, a key or `operator`. `null` for a spend, and for an automatic change by the service. */
  readonly by: string | null;
  /** The facts of the change as they are stored: ids and states, no address, no link and no secret. */
  readonly data: Readonly<Record<string, unknown>>;
}
