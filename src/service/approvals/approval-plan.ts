/** The part of an approval in an otherwise allowed verdict: it uses one, asks for one, or says why it cannot. */

import { formatInstant } from '../../base/values/instant.ts';
import type { Change } from '../../ports/storage.ts';
import type { ApprovalRecord } from '../../ports/stored-records.ts';
import type { Approval } from '../../records/approval.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { approvalReasons, approvalRequired } from '../../verdict/approval.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { type ApprovalAsked, approvalAsked, wantsApproval } from '../../verdict/takings.ts';
import type { Context } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import type { Sweep } from '../shared/sweep.ts';
import { groupSteps, type StepsAnswer } from '../storage/step-groups.ts';
import { insert } from '../storage/store.ts';
import {
  approvalStatusAt,
  changed,
  isNamed,
  pendingCounter,
  toApproval,
  toApprovalChanged,
} from './approval-record.ts';
import { type DigestedIntent, digestIntent, idOfApproval } from './approved-intent.ts';

/** A verdict that the passports alone allow. */
export interface ApprovalQuestion {
  readonly record: VerdictRecord;
  /** The whole intent. */
  readonly intent: Intent;
  readonly account_id: string;
  /** The passports that may require an approval: that of the agent first. */
  readonly passports: readonly PreparedPassport[];
}

/** The part of an approval in the write of a verdict. */
export interface ApprovalPlan {
  /** The reasons for a DENY if all else fits; `undefined` without an objection. */
  readonly refusal: readonly Reason[] | undefined;
  /** The steps in the write. */
  readonly changes: readonly Change[];
  /** The approval that a person is asked for, once the write is stored. */
  readonly asked?: Approval;
  /** Plans again after some of `changes` failed because another process was first. */
  again(answer: StepsAnswer): Promise<ApprovalPlan>;
}

/** Plans the part of an approval. */
export type ApprovalPlanner = (question: ApprovalQuestion) => Promise<ApprovalPlan>;

/** The most approvals of an agent that may wait for a person, in one environment. */
export const MAX_PENDING = 100;

const FREE: ApprovalPlan = { refusal: undefined, changes: [], again: async () => FREE };

/** Returns `true` if the intent names an approval, or if a passport requires one. */
export function concernsApproval(intent: Intent, passports: readonly PreparedPassport[]): boolean {
  // Most passports require none: then the intent is not read.
  if (intent.approval_id !== undefined) return true;
  return passports.some(wantsApproval) && approvalAsked(passports, intent) !== undefined;
}

/** Makes the planner of one service. `expiries` ends approvals that are due. */
export function createApprovalPlanner(context: Context, expiries: Sweep): ApprovalPlanner {
  const { store, clockWatch } = context;

  async function plan(question: ApprovalQuestion): Promise<ApprovalPlan> {
    const { record, intent, passports } = question;
    const { approval_id } = intent;
    const asked = approvalAsked(passports, intent);
    if (approval_id !== undefined) return planUse(question, approval_id);
    if (asked === undefined) return FREE;
    if (record.dry_run) return refused([required(null)]);
    const digested = digestIntent(intent);
    const { digest } = digested;
    if (digest === undefined) return refused([required(null, { too_large: true })]);
    return planRequest(question, asked, { ...digested, digest });
  }

  /** Plans the use of the approval that the intent names, or the reason against it. */
  async function planUse(question: ApprovalQuestion, approval_id: string): Promise<ApprovalPlan> {
    const { record, intent, account_id } = question;
    const { environment, agent_id, decision_id } = record;
    const found = await store.get('approvals', approval_id);
    const { digest } = digestIntent(intent);
    const isOfIntent =
      found !== undefined &&
      found.account_id === account_id &&
      found.environment === environment &&
      found.agent_id === agent_id &&
      found.digest === digest;
    if (!isOfIntent) return refused(approvalReasons('mismatch'));
    const at = await clockWatch.storeNow();
    const status = approvalStatusAt(found, at);
    if (status !== 'approved') return refused(approvalReasons(status));
    if (record.dry_run) return FREE;
    const { changes } = changed(found, { status: 'used', decision_id }, at);
    return { refusal: undefined, changes, again: () => plan(question) };
  }

  /** Plans a new approval, or names the one that already waits. */
  async function planRequest(
    question: ApprovalQuestion,
    asked: ApprovalAsked,
    digested: DigestedIntent & { readonly digest: string },
  ): Promise<ApprovalPlan> {
    const { environment, agent_id } = question.record;
    const where = { environment, digest: digested.digest };
    const [newest] = await store.list('approvals', { where, limit: 1 });
    const at = await clockWatch.storeNow();
    if (newest !== undefined && isNamed(newest, at)) return refused([required(newest)]);
    const since = expiries.settled({ agent_id });
    const made = newApproval(question, asked, digested, newest, at);
    const { account_id, created_at } = made;
    const shown = toApproval(made, at);
    const changed_by = question.record.key_id ?? account_id;
    const data = toApprovalChanged(shown, changed_by);
    const steps = groupSteps<'limit' | 'approval' | 'event'>(
      ['limit', [{ op: 'add', counter: pendingCounter(made), by: 1, max: MAX_PENDING, at: created_at }]],
      ['approval', [insert('approvals', made)]],
      ['event', [eventOf(context, 'approval.requested', { account_id, data })]],
    );
    return {
      refusal: [required(made)],
      changes: steps.changes,
      asked: shown,
      async again(answer) {
        const lost = steps.failed(answer);
        // Only the limit failed: it may still count expired approvals.
        const isFull = lost.has('limit') && !lost.has('approval');
        if (isFull && !(await expiries.run(at, { agent_id }, since)))
          return refused([required(null, { too_many: true })]);
        return plan(question);
      },
    };
  }

  return plan;
}

function newApproval(
  { record, account_id }: ApprovalQuestion,
  { seconds, reasons }: ApprovalAsked,
  { approved, digest }: DigestedIntent & { readonly digest: string },
  before: ApprovalRecord | undefined,
  at: number,
): ApprovalRecord {
  const { environment, agent_id } = record;
  const round = before === undefined ? 0 : before.round + 1;
  // The newest is that of the last round, even if clocks differ.
  const madeAt = before === undefined ? at : Math.max(at, Date.parse(before.created_at) + 1);
  const expires_at = formatInstant(madeAt + seconds * 1_000);
  return {
    id: idOfApproval(environment, agent_id, digest, round),
    account_id,
    version: 1,
    created_at: formatInstant(madeAt),
    agent_id,
    environment,
    digest,
    round,
    status: 'pending',
    intent: approved as unknown as ApprovalRecord['intent'],
    reasons: reasons as unknown as ApprovalRecord['reasons'],
    expires_at,
    due_at: expires_at,
    decided_by: null,
    decided_at: null,
    note: null,
    decision_id: null,
  };
}

function refused(refusal: readonly Reason[]): ApprovalPlan {
  const plan: ApprovalPlan = { refusal, changes: [], again: async () => plan };
  return plan;
}

/** Makes the reason that names an approval, or says why there is none. */
function required(
  named: Pick<ApprovalRecord, 'id' | 'expires_at'> | null,
  more: Readonly<Record<string, boolean>> = {},
): Reason {
  return approvalRequired({
    approval_id: named?.id ?? null,
    expires_at: named?.expires_at ?? null,
    ...more,
  });
}
