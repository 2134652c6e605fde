/** What revokes, suspends and reinstates an agent, and what comes of it. */
import type { Instant, PassportStatus } from '../records.ts';

/** Which passport to revoke, and why. */
export interface RevokeInput {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** Why, for people; 1 to 500 characters. */
  readonly reason?: string;
}

/** Which passport to suspend, why, and until when; without `until` until it is reinstated. */
export interface SuspendInput extends RevokeInput {
  /** A future instant, such as `2027-01-31T09:00:00Z`; absent: until it is reinstated. */
  readonly until?: Instant;
}

/** The state that a passport has from its first version on: for one that existed elsewhere before. */
export interface PassportStanding {
  /** `expired` follows from `expires_at`, and is never given. */
  readonly status: Exclude<PassportStatus, 'expired'>;
  /** Of a suspension that ends, also where it has ended meanwhile; `null` or absent: it has no end. */
  readonly suspended_until?: Instant | null;
  /** 1 to 500 characters. */
  readonly suspension_reason?: string | null;
  /** When it was revoked first; `null` or absent: now. */
  readonly revoked_at?: Instant | null;
  /** 1 to 500 characters. */
  readonly revocation_reason?: string | null;
}

/** Which passport to reinstate. */
export interface ReinstateInput {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
}

/** A passport that is revoked, with the first reason and instant. */
export interface Revocation {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** It is final. */
  readonly status: 'revoked';
  /** The first reason; `null` without one. */
  readonly reason: string | null;
  /** The first time. */
  readonly revoked_at: Instant;
}

/** A passport that is suspended. */
export interface Suspension {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** It may do nothing meanwhile. */
  readonly status: 'suspended';
  /** As it was given; `null` without one. */
  readonly reason: string | null;
  /** `null`: until it is reinstated. */
  readonly suspended_until: Instant | null;
}

/** A passport that is not suspended any more. */
export interface Reinstatement {
  /** The `agent_id` of the passport. */
  readonly agent_id: string;
  /** `active`, or `expired` when its time is over. */
  readonly status: PassportStatus;
}
