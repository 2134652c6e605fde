/** Requests that revoke, suspend and reinstate an agent, and their results. */
import type { Instant, PassportStatus } from '../records.ts';

/** The passport to revoke, and the reason. */
export interface RevokeInput {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** The reason, for people; 1 to 500 characters. */
  readonly reason?: string;
}

/** The passport to suspend, the reason, and the end of the suspension. */
export interface SuspendInput extends RevokeInput {
  /**
   * A future instant, such as `2027-01-31T09:00:00Z`. Absent: the suspension lasts until you reinstate the passport.
   */
  readonly until?: Instant;
}

/** The state of a passport that is imported from elsewhere. */
export interface PassportStanding {
  /** The status. You cannot set `expired`, because it follows from `expires_at`. */
  readonly status: Exclude<PassportStatus, 'expired'>;
  /** The end of the suspension, which may be in the past. `null` or absent: it has no end. */
  readonly suspended_until?: Instant | null;
  /** The reason of the suspension; 1 to 500 characters. */
  readonly suspension_reason?: string | null;
  /**
   * The instant of the revocation. Give the instant of the first revocation if another system has already
   * revoked the agent. `null` or absent: now.
   */
  readonly revoked_at?: Instant | null;
  /** The reason of the revocation; 1 to 500 characters. */
  readonly revocation_reason?: string | null;
}

/** The passport to reinstate. */
export interface ReinstateInput {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
}

/** A revoked passport, with the reason and the instant of its first revocation. */
export interface Revocation {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** The status, which is final. */
  readonly status: 'revoked';
  /** The reason of the first revocation. `null` if there is none. */
  readonly reason: string | null;
  /** The instant of the first revocation. */
  readonly revoked_at: Instant;
}

/** A suspended passport. */
export interface Suspension {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** The status. The agent may do nothing while it is suspended. */
  readonly status: 'suspended';
  /** The reason. `null` if there is none. */
  readonly reason: string | null;
  /** The end of the suspension. `null`: it lasts until you reinstate the passport. */
  readonly suspended_until: Instant | null;
}

/** A passport after its suspension has ended. */
export interface Reinstatement {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** The status: `active`, or `expired` if its validity has ended. */
  readonly status: PassportStatus;
}
