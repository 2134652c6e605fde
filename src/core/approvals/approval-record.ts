/** Converts an approval from its stored to its public form. */

import { formatInstant } from '../../base/values/instant.ts';
import type { Change } from '../../ports/storage.ts';
import type { Approval, ApprovalStatus, GivenApproval } from '../../records/approval.ts';
import type { ApprovalChanged } from '../shared/outbox.ts';
import { replace } from '../storage/store.ts';
import type { ApprovalRecord } from './collections.ts';
import { type PeopleRule, PLAIN_RULE } from './people-rule.ts';

/** Returns the status at an instant by the clock of the storage. An open approval expires automatically. */
export function approvalStatusAt({ status, expires_at }: ApprovalRecord, atMs: number): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved';
  return isOpen && Date.parse(expires_at) <= atMs ? 'expired' : status;
}

/** Returns `true` if a repeated request for the same intent or change gets this approval. */
export function isNamed({ status, expires_at }: ApprovalRecord, atMs: number): boolean {
  return status !== 'used' && Date.parse(expires_at) > atMs;
}

/** Returns the approvals that people gave. A record that predates this list has only the author of the decision. */
export function decisionsOf(record: ApprovalRecord): readonly GivenApproval[] {
  const { decisions, status, decided_by, decided_at, note, expires_at } = record;
  if (decisions !== null && decisions !== undefined) return decisions;
  if (decided_by === null || status === 'rejected') return [];
  return [{ by: decided_by, at: decided_at ?? expires_at, note }];
}

export function storedRule({ needed, by }: ApprovalRecord): PeopleRule {
  return { needed: needed ?? PLAIN_RULE.needed, by: by ?? PLAIN_RULE.by };
}

export function toApproval(record: ApprovalRecord, atMs: number): Approval {
  const { id, agent_id, environment, reasons, created_at, expires_at } = record;
  const { decided_by, decided_at, note, decision_id } = record;
  return {
    id,
    kind: record.kind ?? 'intent',
    status: approvalStatusAt(record, atMs),
    agent_id,
    environment,
    ...subjectOf(record),
    reasons: reasons as unknown as Approval['reasons'],
    ...storedRule(record),
    decisions: decisionsOf(record),
    requested_by: record.requested_by ?? null,
    created_at,
    expires_at,
    decided_by,
    decided_at,
    note,
    decision_id,
  };
}

function subjectOf({ kind, intent, change }: ApprovalRecord): Pick<Approval, 'intent' | 'change'> {
  const { is_proposal: _, ...shownFields } = change ?? {};
  return kind === 'change'
    ? { change: shownFields as unknown as NonNullable<Approval['change']> }
    : { intent: intent as unknown as NonNullable<Approval['intent']> };
}

export function toApprovalChanged(
  { intent: _intent, change: _change, reasons: _reasons, ...shownFields }: Approval,
  changed_by: string,
): ApprovalChanged {
  return { ...shownFields, changed_by };
}

type Next = Pick<ApprovalRecord, 'status'> &
  Partial<Pick<ApprovalRecord, 'decisions' | 'decided_by' | 'decided_at' | 'note' | 'decision_id'>>;

export function changed(
  { due_at, ...record }: ApprovalRecord,
  next: Next,
  atMs: number,
): { readonly next: ApprovalRecord; readonly changes: readonly Change[] } {
  const isOpen = next.status === 'approved' || next.status === 'pending';
  const recordAfter: ApprovalRecord = {
    ...record,
    ...next,
    version: record.version + 1,
    ...(isOpen && due_at !== undefined && { due_at }),
  };
  const isDecided = record.status === 'pending' && next.status !== 'pending';
  const steps: readonly Change[] = isDecided
    ? [{ op: 'add', counter: pendingCounter(record, pendingKindOf(record)), by: -1, at: formatInstant(atMs) }]
    : [];
  return { next: recordAfter, changes: [replace('approvals', recordAfter, record.version), ...steps] };
}

/** Returns the limit that counts an approval. Changes that management keys propose have a separate limit. */
export function pendingKindOf({ change }: Pick<ApprovalRecord, 'change'>): 'approvals' | 'proposals' {
  return change?.is_proposal === true ? 'proposals' : 'approvals';
}

export function pendingCounter(
  owner: Pick<ApprovalRecord, 'environment' | 'agent_id'>,
  kind: 'approvals' | 'proposals',
): string {
  return `${kind}:${owner.environment}:${owner.agent_id}`;
}
