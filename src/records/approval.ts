/** Approvals: what a person is asked, and the decision. Types only; nothing here runs. */
import type { Environment, Instant, Intent, Reason } from '../records.ts';

/**
 * `pending`: no person has decided; `approved`: it may be used; `rejected`; `used`: an ALLOW has used it; `expired`: it was
 * not decided, or not used, in time.
 */
export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'used' | 'expired';

/** What is approved: these members of the intent, exactly. */
export type ApprovedIntent = Pick<Intent, 'agent_id' | 'action' | 'target' | 'parameters'>;

/** A question to a person: whether an agent may do exactly this, once. */
export interface Approval {
  /** `apr_…`, which the intent names as its `approval_id`. */
  readonly id: string;
  /** As of now. */
  readonly status: ApprovalStatus;
  /** Who asks. */
  readonly agent_id: string;
  /** Where it can be used. */
  readonly environment: Environment;
  /** What is approved. */
  readonly intent: ApprovedIntent;
  /** Why a person is asked: one for each passport that wants it, with its `agent_id`. */
  readonly reasons: readonly Reason[];
  /** When it was asked for. */
  readonly created_at: Instant;
  /** Up to here it can be decided and used, without this instant. */
  readonly expires_at: Instant;
  /** The account that decided, or `operator`; `null` before that. */
  readonly decided_by: string | null;
  /** When it was decided. */
  readonly decided_at: Instant | null;
  /** What the person wrote to the decision. */
  readonly note: string | null;
  /** The verdict that used it; `null` before that. */
  readonly decision_id: string | null;
}

/** How an approval is decided. */
export interface ApprovalDecision {
  /** For people; 1 to 500 characters. */
  readonly note?: string;
}
