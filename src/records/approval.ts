/** Approvals: requests to people, and their decisions. Types only, no code. */
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

/** The fields of the approved intent. A later intent must match them exactly. */
export interface ApprovedIntent
  extends Pick<Intent, 'agent_id' | 'action' | 'target' | 'parameters' | 'subject' | 'session' | 'usage'> {
  /** The permit that the intent asks for, with its defaults. Absent if it asks for none. */
  readonly permit?: Required<PermitRequest>;
}

/** A change of a passport that lets the agent do more. */
export interface ApprovedChange {
  /** The JSON Merge Patch. */
  readonly patch: PassportPatch;
  /** The version of the passport to change. The change cannot be applied to another version. */
  readonly version: number;
  /**
   * The number of the version with which `difference` compares the passport. People have approved all changes up to
   * this version, or did not need to.
   */
  readonly since: number;
  /** The fields that differ between the version `since` and the passport after the change. */
  readonly difference: readonly FieldDifference[];
  /** The result of comparing the version `since` with the passport after the change. */
  readonly result: ComparisonResult;
  /**
   * An intent that is allowed after the change, but not in the version `since`. `null` if there is no single intent
   * that shows the difference.
   */
  readonly example: Difference | null;
}

/** A field of a passport that differs between two versions. */
export interface FieldDifference {
  /** The name of the field. */
  readonly field: string;
  /** The value in the earlier version. `null` if it has none. */
  readonly before: unknown;
  /** The value in the later version. `null` if it has none. */
  readonly after: unknown;
}

/** The approval by one person. It is a type alias, so that it counts as plain data that can be stored. */
export type GivenApproval = {
  /** The member who approved, `operator`, or the account if no person is named. */
  readonly by: string;
  /** The instant of this approval. */
  readonly at: Instant;
  /** The note of the person. */
  readonly note: string | null;
};

/**
 * A request to people. They decide whether the agent may take exactly one action, or whether its passport may be
 * changed.
 */
export interface Approval {
  /** The id, `apr_…`. An intent sends it as its `approval_id`, and a change sends it in the header `Approval-Id`. */
  readonly id: string;
  /** The kind of the approval. */
  readonly kind: ApprovalKind;
  /** The current status. */
  readonly status: ApprovalStatus;
  /** The agent that asks, or the agent of the passport to change. */
  readonly agent_id: string;
  /** The environment in which it can be used. */
  readonly environment: Environment;
  /** The intent to approve. Absent for a change. */
  readonly intent?: ApprovedIntent;
  /** The change to approve. Absent for an intent. */
  readonly change?: ApprovedChange;
  /** The reasons why an approval is required: one for each passport that requires it, with its `agent_id`. */
  readonly reasons: readonly Reason[];
  /** The number of different people who must approve. */
  readonly needed: number;
  /** The approvers that count: `anyone` or `another`. */
  readonly by: ApprovalBy;
  /** The approvals so far, in order; at most 10. */
  readonly decisions: readonly GivenApproval[];
  /**
   * The number of approvers that the account lacks to complete this approval. Absent if the account has
   * enough approvers, if the approval is decided, or in an event.
   */
  readonly missing_approvers?: number;
  /**
   * The person who asked: the creator of the API key, or the person that the application names. `null` if none is
   * known.
   */
  readonly requested_by: string | null;
  /** The instant at which it was requested. */
  readonly created_at: Instant;
  /** The instant at which it expires. After that it can be neither decided nor used. */
  readonly expires_at: Instant;
  /** The author of the final decision: a member, the account, or `operator`. `null` before the decision. */
  readonly decided_by: string | null;
  /** The instant of the final decision. */
  readonly decided_at: Instant | null;
  /** The note of the person with the final decision. */
  readonly note: string | null;
  /** The verdict that used it. `null` before that, and for a change. */
  readonly decision_id: string | null;
}

/** The details of a decision. */
export interface ApprovalDecision {
  /** A note for people; 1 to 500 characters. */
  readonly note?: string;
}
