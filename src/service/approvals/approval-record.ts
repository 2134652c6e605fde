/** Converts an approval between its stored and its shown form. */

import { formatInstant } from '../../base/values/instant.ts';
import type { Change } from '../../ports/storage.ts';
import type { ApprovalRecord } from '../../ports/stored-records.ts';
import type { Approval, ApprovalStatus } from '../../records/approval.ts';
import type { Environment } from '../../records.ts';
import type { ApprovalChanged } from '../shared/outbox.ts';
import { replace } from '../storage/store.ts';

/** Returns the status at an instant of the store: an open approval expires by itself. */
export function approvalStatusAt({ status, expires_at }: ApprovalRecord, at: number): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved';
  return isOpen && Date.parse(expires_at) <= at ? 'expired' : status;
}

/** Returns `true` if the same intent still gets this approval. */
export function isNamed({ status, expires_at }: ApprovalRecord, at: number): boolean {
  return status !== 'used' && Date.parse(expires_at) > at;
}

/** Returns the approval as it is shown at an instant of the store. */
export function toApproval(record: ApprovalRecord, at: number): Approval {
  const { id, agent_id, environment, intent, reasons, created_at, expires_at } = record;
  const { decided_by, decided_at, note, decision_id } = record;
  return {
    id,
    status: approvalStatusAt(record, at),
    agent_id,
    environment,
    intent: intent as unknown as Approval['intent'],
    reasons: reasons as unknown as Approval['reasons'],
    created_at,
    expires_at,
    decided_by,
    decided_at,
    note,
    decision_id,
  };
}

/** Returns the data that an event of an approval is stored with. */
export function toApprovalChanged(
  { intent: _intent, reasons: _reasons, ...shown }: Approval,
  changed_by: string,
): ApprovalChanged {
  return { ...shown, changed_by };
}

/** The changes of an approval. */
type Next = Pick<ApprovalRecord, 'status'> &
  Partial<Pick<ApprovalRecord, 'decided_by' | 'decided_at' | 'note' | 'decision_id'>>;

/** Returns the record after a change, and the steps that store it. */
export function changed(
  { due_at, ...record }: ApprovalRecord,
  next: Next,
  at: number,
): { readonly next: ApprovalRecord; readonly changes: readonly Change[] } {
  const after: ApprovalRecord = {
    ...record,
    ...next,
    version: record.version + 1,
    ...(next.status === 'approved' && due_at !== undefined && { due_at }),
  };
  const wasPending = record.status === 'pending';
  const steps: readonly Change[] = wasPending
    ? [{ op: 'add', counter: pendingCounter(record), by: -1, at: formatInstant(at) }]
    : [];
  return { next: after, changes: [replace('approvals', after, record.version), ...steps] };
}

/** Returns the counter of the approvals of an agent that wait for a person. */
export function pendingCounter(owner: {
  readonly environment: Environment;
  readonly agent_id: string;
}): string {
  return `approvals:${owner.environment}:${owner.agent_id}`;
}
