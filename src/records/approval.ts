/** Approvals: the question to a person, and the decision. Types only, no code. */
import type { Environment, Instant, Intent, Reason } from '../records.ts';

/**
 * The status of an approval. `pending`: no person has decided. `approved`: it may be used. `rejected`. `used`: an ALLOW
 * has used it. `expired`: it was not decided, or not used, in time.
 */
export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'used' | 'expired';

/** The members of the intent that are approved. The intent must match them exactly. */
export type ApprovedIntent = Pick<Intent, 'agent_id' | 'action' | 'target' | 'parameters' | 'subject'>;

/** A question to a person: may the agent do exactly this, once? */
export interface Approval {
  /** The id, `apr_…`, which the intent names as its `approval_id`. */
  readonly id: string;
  /** The current status. */
  readonly status: ApprovalStatus;
  /** The agent that asks. */
  readonly agent_id: string;
  /** The environment in which it can be used. */
  readonly environment: Environment;
  /** The intent that is approved. */
  readonly intent: ApprovedIntent;
  /** The reasons for asking: one for each passport that requires the approval, with its `agent_id`. */
  readonly reasons: readonly Reason[];
  /** The instant at which it was requested. */
  readonly created_at: Instant;
  /** The instant at which it expires: from then on it can be neither decided nor used. */
  readonly expires_at: Instant;
  /** The account that decided, or `operator`; `null` before the decision. */
  readonly decided_by: string | null;
  /** The instant of the decision. */
  readonly decided_at: Instant | null;
  /** The note of the person with the decision. */
  readonly note: string | null;
  /** The verdict that used it; `null` before that. */
  readonly decision_id: string | null;
}

/** The details of a decision. */
export interface ApprovalDecision {
  /** A note for people; 1 to 500 characters. */
  readonly note?: string;
}
