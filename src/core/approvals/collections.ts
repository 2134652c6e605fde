/** The stored records of approvals, for an intent or for a change of a passport. */

import type { Collection } from '../../ports/collection.ts';
import type { RecordBase, StoredValue } from '../../ports/stored.ts';
import type { ApprovalKind, ApprovalStatus, GivenApproval } from '../../records/approval.ts';
import type { ComparisonResult } from '../../records/comparison.ts';
import type { ApprovalBy, Environment, Instant } from '../../records.ts';

/**
 * An approval. Its `id` derives from environment, digest and `round`, the number of earlier approvals with
 * this digest. If two equal approvals are created at the same time, one is refused.
 */
export type ApprovalRecord = RecordBase & {
  readonly agent_id: string;
  readonly environment: Environment;
  /**
   * The SHA-256 in hex of the intent in canonical form (RFC 8785). For a change of a passport, it covers the kind,
   * agent, patch and version.
   */
  readonly digest: string;
  /** The number of earlier approvals of this intent. */
  readonly round: number;
  /** The status. The approval is also expired once `expires_at` has passed. */
  readonly status: ApprovalStatus;
  /** The intent; an empty object in the approval of a change. */
  readonly intent: { readonly [member: string]: StoredValue };
  readonly reasons: readonly { readonly [member: string]: StoredValue }[];
  readonly expires_at: Instant;
  /**
   * The instant at which the service ends the approval, which equals `expires_at`. Absent once the approval
   * was used, was rejected or has expired, so that a search by this field finds only open approvals.
   */
  readonly due_at?: Instant;
  readonly decided_by: string | null;
  readonly decided_at: Instant | null;
  readonly note: string | null;
  /** The verdict that used the approval. */
  readonly decision_id: string | null;
  readonly kind: ApprovalKind;
  /** The change of a passport; `null` for an intent. */
  readonly change: StoredPassportChange | null;
  /** The number of people who must approve. */
  readonly needed: number;
  /** The people whose approvals count. */
  readonly by: ApprovalBy;
  /** The approvals of people. */
  readonly decisions: readonly GivenApproval[];
  /** The person who asked for the approval; `null` if none is known. */
  readonly requested_by: string | null;
};

/** A change of a passport as it is stored with its approval. */
export type StoredPassportChange = {
  readonly patch: { readonly [field: string]: StoredValue };
  readonly version: number;
  /** The last reviewed version of the passport, with which the change is compared. */
  readonly since: number;
  /** The fields in which the passport after the change differs from the version `since`. */
  readonly difference: readonly { readonly [member: string]: StoredValue }[];
  readonly result: ComparisonResult;
  readonly example: { readonly [member: string]: StoredValue } | null;
  /** `true` for a proposal of a management key. */
  readonly is_proposal?: true;
};

export const approvalCollection: Collection<ApprovalRecord> = {
  fields: {
    agent_id: 'text',
    environment: 'text',
    digest: 'text',
    round: 'integer',
    status: 'text',
    intent: 'json',
    reasons: 'json',
    expires_at: 'text',
    due_at: 'text?',
    decided_by: 'text|null',
    decided_at: 'text|null',
    note: 'text|null',
    decision_id: 'text|null',
    kind: 'text',
    change: 'json|null',
    needed: 'integer',
    by: 'text',
    decisions: 'json',
    requested_by: 'text|null',
  },
  lists: [
    [],
    ['account_id'],
    ['account_id', 'status'],
    ['account_id', 'agent_id'],
    ['environment', 'digest'],
  ],
  due: ['account_id', 'agent_id'],
  expires: true,
  isConfirmed: true,
  owner: { account: 'account_id', agent: 'agent_id' },
};
