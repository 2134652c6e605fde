/** Approvals: the question to people, and their decisions. Types only, no code. */
import type { ApprovalBy, Environment, Instant, Intent, PassportPatch, Reason } from '../records.ts';
import type { ComparisonResult, Difference } from './comparison.ts';
import type { PermitRequest } from './permit.ts';

/**
 * The status of an approval.
 *
 * - `pending`: more people must decide.
 * - `approved`: the agent may use it.
 * - `rejected`: a person has rejected it.
 * - `used`: an ALLOW or a change has used it.
 * - `expired`: it was not decided, or not used, in time.
 */
export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'used' | 'expired';

/** The kind of an approval: for an intent of an agent, or for a change of its passport. */
export type ApprovalKind = 'intent' | 'change';

/** The members of the intent that are approved. The intent must match them exactly. */
export interface ApprovedIntent
  extends Pick<Intent, 'agent_id' | 'action' | 'target' | 'parameters' | 'subject' | 'session' | 'usage'> {
  /** The permit that the intent asks for, with its defaults; absent if it asks for none. */
  readonly permit?: Required<PermitRequest>;
}

/** A change of a passport that lets more happen. */
export interface ApprovedChange {
  /** The JSON Merge Patch. */
  readonly patch: PassportPatch;
  /** The version of the passport that it changes. It cannot be applied to another version. */
  readonly version: number;
  /** The last version that approvers have approved, or that was made. */
  readonly since: number;
  /** The fields in which the passport after the change differs from the version `since`. */
  readonly difference: readonly FieldDifference[];
  /** The result of the comparison of the version `since` with the passport after the change. */
  readonly result: ComparisonResult;
  /** An intent that is allowed after the change, and not in the version `since`; `null` if no intent shows it. */
  readonly example: Difference | null;
}

/** A field of a passport that differs between two versions. */
export interface FieldDifference {
  /** The name of the field. */
  readonly field: string;
  /** The value in the earlier version; `null` if it has none. */
  readonly before: unknown;
  /** The value in the later version; `null` if it has none. */
  readonly after: unknown;
}

/** The approval of one person. It is a type alias, so that it is stored as it is. */
export type GivenApproval = {
  /** The member who approved, `operator`, or the account if no person is named. */
  readonly by: string;
  /** The instant of this approval. */
  readonly at: Instant;
  /** The note of the person. */
  readonly note: string | null;
};

/** A question to people: may the agent do exactly this, once? Or: may its passport be changed so? */
export interface Approval {
  /** The id, `apr_…`, which the intent names as its `approval_id`, and a change in the header `Approval-Id`. */
  readonly id: string;
  /** The kind of the approval. */
  readonly kind: ApprovalKind;
  /** The current status. */
  readonly status: ApprovalStatus;
  /** The agent that asks, or whose passport is to be changed. */
  readonly agent_id: string;
  /** The environment in which it can be used. */
  readonly environment: Environment;
  /** The intent that is approved; absent for a change. */
  readonly intent?: ApprovedIntent;
  /** The change that is approved; absent for an intent. */
  readonly change?: ApprovedChange;
  /** The reasons for asking: one for each passport that requires the approval, with its `agent_id`. */
  readonly reasons: readonly Reason[];
  /** The number of different people who must approve. */
  readonly needed: number;
  /** The people whose approvals count. */
  readonly by: ApprovalBy;
  /** The approvals of people, in their order; at most 10. */
  readonly decisions: readonly GivenApproval[];
  /**
   * The number of approvers that the account lacks to complete this approval. Absent if it has enough, after the
   * decision, and in events.
   */
  readonly missing_approvers?: number;
  /**
   * The person who asked: the maker of the API key, or the person that the application names. `null` if none is
   * named.
   */
  readonly requested_by: string | null;
  /** The instant at which it was requested. */
  readonly created_at: Instant;
  /** The instant at which it expires: from then on it can be neither decided nor used. */
  readonly expires_at: Instant;
  /** The author of the decision that ended it: a member, the account, or `operator`. `null` before that. */
  readonly decided_by: string | null;
  /** The instant of that decision. */
  readonly decided_at: Instant | null;
  /** The note of the person with that decision. */
  readonly note: string | null;
  /** The verdict that used it; `null` before that, and for a change. */
  readonly decision_id: string | null;
}

/** The details of a decision. */
export interface ApprovalDecision {
  /** A note for people; 1 to 500 characters. */
  readonly note?: string;
}
