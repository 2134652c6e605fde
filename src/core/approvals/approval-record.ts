/** Converts an approval from its stored to its public form. */

import { formatInstant } from '../../base/values/instant.ts';
import { wholeIntent } from '../../base/values/json-data.ts';
import { canonicalJson } from '../../base/values/json-values.ts';
import { PERMIT_SECONDS } from '../../base/values/proof-format.ts';
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';
import type { Change } from '../../ports/storage.ts';
import type { Approval, ApprovalStatus, ApprovedIntent } from '../../records/approval.ts';
import type { Environment, Intent, PassportPatch } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { type ApprovalChanged, eventOf } from '../shared/outbox.ts';
import { groupSteps, type StepGroups } from '../storage/step-groups.ts';
import { insert, replace } from '../storage/store.ts';
import type { ApprovalRecord } from './collections.ts';
import type { PeopleRule } from './people-rule.ts';

/** Returns the status at an instant by the clock of the storage. An open approval expires automatically. */
export function approvalStatusAt({ status, expires_at }: ApprovalRecord, atMs: number): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved';
  return isOpen && Date.parse(expires_at) <= atMs ? 'expired' : status;
}

/** Returns `true` if a repeated request for the same intent or change gets this approval. */
export function isNamed({ status, expires_at }: ApprovalRecord, atMs: number): boolean {
  return status !== 'used' && Date.parse(expires_at) > atMs;
}

export function storedRule({ needed, by }: ApprovalRecord): PeopleRule {
  return { needed, by };
}

export function toApproval(record: ApprovalRecord, atMs: number): Approval {
  const { id, kind, agent_id, environment, reasons, created_at, expires_at } = record;
  const { decisions, requested_by, decided_by, decided_at, note, decision_id } = record;
  return {
    id,
    kind,
    status: approvalStatusAt(record, atMs),
    agent_id,
    environment,
    ...subjectOf(record),
    reasons: reasons as unknown as Approval['reasons'],
    ...storedRule(record),
    decisions,
    requested_by,
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
function pendingKindOf({ change }: Pick<ApprovalRecord, 'change'>): 'approvals' | 'proposals' {
  return change?.is_proposal === true ? 'proposals' : 'approvals';
}

export function pendingCounter(
  owner: Pick<ApprovalRecord, 'environment' | 'agent_id'>,
  kind: 'approvals' | 'proposals',
): string {
  return `${kind}:${owner.environment}:${owner.agent_id}`;
}

// Creates approvals: their records, and the write that asks people.

const MAX_PENDING = { approvals: 100, proposals: 10 } as const;

interface ApprovalToAsk
  extends Pick<
    ApprovalRecord,
    | 'account_id'
    | 'agent_id'
    | 'environment'
    | 'digest'
    | 'kind'
    | 'intent'
    | 'change'
    | 'reasons'
    | 'needed'
    | 'by'
    | 'requested_by'
  > {
  readonly seconds: number;
}

export function newApproval(
  { seconds, ...fields }: ApprovalToAsk,
  recordBefore: ApprovalRecord | undefined,
  atMs: number,
): ApprovalRecord {
  const { environment, agent_id, digest } = fields;
  const round = recordBefore === undefined ? 0 : recordBefore.round + 1;
  // The newest is that of the last round, even if clocks differ.
  const madeAt = recordBefore === undefined ? atMs : Math.max(atMs, Date.parse(recordBefore.created_at) + 1);
  const expires_at = formatInstant(madeAt + seconds * 1_000);
  return {
    id: idOfApproval(environment, agent_id, digest, round),
    version: 1,
    created_at: formatInstant(madeAt),
    round,
    status: 'pending',
    expires_at,
    due_at: expires_at,
    ...fields,
    decisions: [],
    decided_by: null,
    decided_at: null,
    note: null,
    decision_id: null,
  };
}

interface ApprovalRequest {
  readonly shown: Approval;
  readonly steps: StepGroups<'limit' | 'approval' | 'event'>;
}

export function askingFor(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  record: ApprovalRecord,
  changed_by: string,
  atMs: number,
): ApprovalRequest {
  const { account_id, created_at } = record;
  const shownApproval = toApproval(record, atMs);
  const data = toApprovalChanged(shownApproval, changed_by);
  const kind = pendingKindOf(record);
  const steps = groupSteps<'limit' | 'approval' | 'event'>(
    [
      'limit',
      [{ op: 'add', counter: pendingCounter(record, kind), by: 1, max: MAX_PENDING[kind], at: created_at }],
    ],
    ['approval', [insert('approvals', record)]],
    ['event', [eventOf(context, 'approval.requested', { account_id, data })]],
  );
  return { shown: shownApproval, steps };
}

/**
 * The part of an intent that people approve, with the SHA-256 of its canonical form (RFC 8785) in hex. The digest is
 * `undefined` if the part is too large for an approval.
 */
export interface DigestedIntent {
  readonly approved: ApprovedIntent;
  readonly digest: string | undefined;
}

const MAX_BYTES = 16_384;

/**
 * Computes the digest of an intent.
 *
 * @throws {IdentityError} `invalid_request` for a value that JSON cannot represent, because another intent could have
 * the same digest.
 */
export function digestIntent(intent: Intent): DigestedIntent {
  const approvedIntent = approvedPart(intent);
  const text = canonicalJson(approvedIntent);
  const isTooLarge = text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES;
  return { approved: approvedIntent, digest: isTooLarge ? undefined : hashing.sha256Hex(text) };
}

function approvedPart(intent: Intent): ApprovedIntent {
  const whole = wholeIntent(intent);
  if (intent.permit === undefined) return whole;
  const { audience, seconds = PERMIT_SECONDS, bind = false } = intent.permit;
  return Object.freeze({ ...whole, permit: Object.freeze({ audience, seconds, bind }) });
}

interface DigestedChange {
  readonly agent_id: string;
  readonly patch: PassportPatch;
  readonly version: number;
}

/** Computes the digest of a change. It contains a kind, so it differs from the digest of every intent. */
export function digestChange({ agent_id, patch, version }: DigestedChange): string {
  return hashing.sha256Hex(canonicalJson({ kind: 'change', agent_id, patch, version }));
}

function idOfApproval(environment: Environment, agent_id: string, digest: string, round: number): string {
  return `apr_${digestText(hashing.sha256Hex([environment, agent_id, digest, round].join('\n')))}`;
}
