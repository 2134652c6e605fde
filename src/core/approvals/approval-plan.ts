/** Plans how a verdict uses or requests an approval, if nothing else denies the intent. */

import type { Change } from '../../ports/storage.ts';
import type { Approval } from '../../records/approval.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { approvalPending, approvalReasons, approvalRequired } from '../../verdict/approval.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import { type ApprovalAsked, approvalAsked, wantsApproval } from '../../verdict/takings.ts';
import { makerOf } from '../keys/key-record.ts';
import type { Context } from '../shared/context.ts';
import type { Sweep } from '../shared/sweep.ts';
import type { StepsAnswer } from '../storage/step-groups.ts';
import {
  approvalStatusAt,
  askingFor,
  changed,
  type DigestedIntent,
  digestIntent,
  isNamed,
  newApproval,
  storedRule,
} from './approval-record.ts';
import type { ApprovalRecord } from './collections.ts';
import { decidersNow, demandOnIntent } from './deciding.ts';
import { barredBy, countPersons, stricterRule, takesAnyone } from './people-rule.ts';

/** A verdict that only needs an approval, because the passports allow the intent. */
export interface ApprovalQuestion extends AskedFor {
  readonly record: VerdictRecord;
  readonly account_id: string;
}

/** The approval part in the write of a verdict. */
export interface ApprovalPlan {
  /** The reasons for a DENY, if nothing else denies the intent; `undefined` if the approval is in order. */
  readonly refusal: readonly Reason[] | undefined;
  /** The steps for the write. */
  readonly changes: readonly Change[];
  /** The approval that people must decide, once the write is stored. */
  readonly asked?: Approval;
  /** Plans again if some of `changes` failed because another process was first. */
  again(answer: StepsAnswer): Promise<ApprovalPlan>;
}

export type ApprovalPlanner = (question: ApprovalQuestion) => Promise<ApprovalPlan>;

const FREE: ApprovalPlan = { refusal: undefined, changes: [], again: async () => FREE };

/** Returns `true` if the intent names an approval, or if a passport requires one. */
export function concernsApproval(intent: Intent, passports: readonly PreparedPassport[]): boolean {
  // Most passports require none: then the intent is not read.
  if (intent.approval_id !== undefined) return true;
  return passports.some(wantsApproval) && approvalAsked(passports, intent) !== undefined;
}

/** Creates the planner of approvals. `expiries` ends approvals whose time is over. */
export function createApprovalPlanner(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'clockWatch' | 'nextEventName' | 'auditDays'>,
  expiries: Sweep,
): ApprovalPlanner {
  const { store, clockWatch } = context;

  async function plan(question: ApprovalQuestion): Promise<ApprovalPlan> {
    const { record, intent, passports } = question;
    const { approval_id } = intent;
    const approval = approvalAsked(passports, intent);
    if (approval_id !== undefined) return planUse(question, approval_id);
    if (approval === undefined) return FREE;
    if (record.dry_run) return refused([required(null)]);
    const digestedIntent = digestIntent(intent);
    const { digest } = digestedIntent;
    if (digest === undefined) return refused([required(null, { too_large: true })]);
    return planRequest(question, approval, { ...digestedIntent, digest });
  }

  async function planUse(question: ApprovalQuestion, approval_id: string): Promise<ApprovalPlan> {
    const { record, intent } = question;
    const { decision_id } = record;
    const base = await store.get('approvals', approval_id);
    const { digest } = digestIntent(intent);
    if (base === undefined || base.digest !== digest || !isOf(question, base))
      return refused(approvalReasons('mismatch'));
    const storeMs = await clockWatch.storeNow();
    const status = approvalStatusAt(base, storeMs);
    if (status !== 'approved' && status !== 'pending') return refused(approvalReasons(status));
    const missing = await missingPeople(context, question, base);
    if (missing !== undefined) return refused(missing);
    if (record.dry_run) return FREE;
    const { changes } = changed(base, { status: 'used', decision_id }, storeMs);
    return { refusal: undefined, changes, again: () => plan(question) };
  }

  async function planRequest(
    question: ApprovalQuestion,
    approval: ApprovalAsked,
    digestedIntent: DigestedIntent & { readonly digest: string },
  ): Promise<ApprovalPlan> {
    const { environment, agent_id } = question.record;
    const filter = { environment, digest: digestedIntent.digest };
    const [newest] = await store.list('approvals', { where: filter, limit: 1 });
    const storeMs = await clockWatch.storeNow();
    if (newest !== undefined && isNamed(newest, storeMs)) return refused([required(newest)]);
    const settledBefore = expiries.settled({ agent_id });
    const requested_by = await askerOf(context, question);
    const { seconds, reasons, count, another } = approval;
    const record = newApproval(
      {
        account_id: question.account_id,
        agent_id,
        environment,
        digest: digestedIntent.digest,
        seconds,
        kind: 'intent',
        change: null,
        needed: count,
        by: another ? 'another' : 'anyone',
        requested_by,
        intent: digestedIntent.approved as unknown as ApprovalRecord['intent'],
        reasons: reasons as unknown as ApprovalRecord['reasons'],
      },
      newest,
      storeMs,
    );
    const changed_by = question.record.key_id ?? question.account_id;
    const { shown, steps } = askingFor(context, record, changed_by, storeMs);
    return {
      refusal: [required(record)],
      changes: steps.changes,
      asked: shown,
      async again(answer) {
        const failures = steps.failed(answer);
        // Only the limit failed: it may still count expired approvals.
        const isFull = failures.has('limit') && !failures.has('approval');
        if (isFull && !(await expiries.run(await clockWatch.present(), { agent_id }, settledBefore)))
          return refused([required(null, { too_many: true })]);
        return plan(question);
      },
    };
  }

  return plan;
}

/** Says whether an approval is for intents of this agent, and not for changes of its passport. */
function isOf({ account_id, record }: ApprovalQuestion, foundRecord: ApprovalRecord): boolean {
  return (
    foundRecord.account_id === account_id &&
    foundRecord.environment === record.environment &&
    foundRecord.agent_id === record.agent_id &&
    foundRecord.kind !== 'change'
  );
}

function refused(refusal: readonly Reason[]): ApprovalPlan {
  const plan: ApprovalPlan = { refusal, changes: [], again: async () => plan };
  return plan;
}

function required(
  namedRecord: Pick<ApprovalRecord, 'id' | 'expires_at'> | null,
  extra: Readonly<Record<string, boolean>> = {},
): Reason {
  return approvalRequired({
    approval_id: namedRecord?.id ?? null,
    expires_at: namedRecord?.expires_at ?? null,
    ...extra,
  });
}

/** A request for a verdict on an intent that may need an approval. */
interface AskedFor {
  readonly record: Pick<VerdictRecord, 'key_id'>;
  readonly intent: Intent;
  /** The passports that may require an approval. The agent's passport is first. */
  readonly passports: readonly PreparedPassport[];
  /** The person for whom the application asks; absent if the application names no person. */
  readonly requested_by: string | undefined;
}

async function askerOf(
  { caches }: Pick<Context, 'caches'>,
  { requested_by, record: { key_id } }: AskedFor,
): Promise<string | null> {
  if (requested_by !== undefined) return requested_by;
  if (key_id === null) return null;
  // The maker of a key never changes.
  const atMs = caches.monotonic();
  const entry = caches.keys.peek(key_id, atMs) ?? (await caches.keys.load(key_id, atMs));
  return entry.value === undefined ? null : makerOf(entry.value.record);
}

/**
 * Returns the reason if too few people have approved, according to the present members and passports; `undefined` if
 * enough have.
 */
async function missingPeople(
  context: Pick<Context, 'store' | 'caches'>,
  question: AskedFor,
  record: ApprovalRecord,
): Promise<readonly Reason[] | undefined> {
  const decisions = record.decisions;
  const present = demandOnIntent(question.passports, question.intent);
  const rule = stricterRule(storedRule(record), present.rule);
  const plain = takesAnyone(rule, 'intent');
  if (plain && decisions.length === 0) return approvalReasons('pending');
  const [asker, mayDecide] = await Promise.all([
    plain ? null : askerOf(context, question),
    decidersNow(context, record, decisions, plain),
  ]);
  const askers = [record.requested_by, asker];
  const bars = barredBy(rule, { kind: 'intent', askers, wideners: present.wideners });
  const personCount = countPersons({ decisions, barred: bars, mayDecide });
  return personCount >= rule.needed
    ? undefined
    : [approvalPending({ given: personCount, needed: rule.needed })];
}
