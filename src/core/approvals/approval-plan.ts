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
import { approvalStatusAt, changed, decisionsOf, isNamed, storedRule } from './approval-record.ts';
import type { ApprovalRecord } from './collections.ts';
import { askingFor, type DigestedIntent, digestIntent, newApproval } from './new-approval.ts';
import { barredBy, countPersons, stricterRule, takesAnyone } from './people-rule.ts';
import { decidersNow, demandOnIntent } from './present-people.ts';

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
    const asked = approvalAsked(passports, intent);
    if (approval_id !== undefined) return planUse(question, approval_id);
    if (asked === undefined) return FREE;
    if (record.dry_run) return refused([required(null)]);
    const digested = digestIntent(intent);
    const { digest } = digested;
    if (digest === undefined) return refused([required(null, { too_large: true })]);
    return planRequest(question, asked, { ...digested, digest });
  }

  async function planUse(question: ApprovalQuestion, approval_id: string): Promise<ApprovalPlan> {
    const { record, intent } = question;
    const { decision_id } = record;
    const found = await store.get('approvals', approval_id);
    const { digest } = digestIntent(intent);
    if (found === undefined || found.digest !== digest || !isOf(question, found))
      return refused(approvalReasons('mismatch'));
    const at = await clockWatch.storeNow();
    const status = approvalStatusAt(found, at);
    if (status !== 'approved' && status !== 'pending') return refused(approvalReasons(status));
    const missing = await missingPeople(context, question, found);
    if (missing !== undefined) return refused(missing);
    if (record.dry_run) return FREE;
    const { changes } = changed(found, { status: 'used', decision_id }, at);
    return { refusal: undefined, changes, again: () => plan(question) };
  }

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
    const requested_by = await askerOf(context, question);
    const { seconds, reasons, count, another } = asked;
    const made = newApproval(
      {
        account_id: question.account_id,
        agent_id,
        environment,
        digest: digested.digest,
        seconds,
        kind: 'intent',
        change: null,
        needed: count,
        by: another ? 'another' : 'anyone',
        requested_by,
        intent: digested.approved as unknown as ApprovalRecord['intent'],
        reasons: reasons as unknown as ApprovalRecord['reasons'],
      },
      newest,
      at,
    );
    const changed_by = question.record.key_id ?? question.account_id;
    const { shown, steps } = askingFor(context, made, changed_by, at);
    return {
      refusal: [required(made)],
      changes: steps.changes,
      asked: shown,
      async again(answer) {
        const lost = steps.failed(answer);
        // Only the limit failed: it may still count expired approvals.
        const isFull = lost.has('limit') && !lost.has('approval');
        if (isFull && !(await expiries.run(await clockWatch.present(), { agent_id }, since)))
          return refused([required(null, { too_many: true })]);
        return plan(question);
      },
    };
  }

  return plan;
}

/** Says whether an approval is for intents of this agent, and not for changes of its passport. */
function isOf({ account_id, record }: ApprovalQuestion, found: ApprovalRecord): boolean {
  return (
    found.account_id === account_id &&
    found.environment === record.environment &&
    found.agent_id === record.agent_id &&
    found.kind !== 'change'
  );
}

function refused(refusal: readonly Reason[]): ApprovalPlan {
  const plan: ApprovalPlan = { refusal, changes: [], again: async () => plan };
  return plan;
}

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
  const at = caches.monotonic();
  const known = caches.keys.peek(key_id, at) ?? (await caches.keys.load(key_id, at));
  return known.value === undefined ? null : makerOf(known.value.record);
}

/**
 * Returns the reason if too few people have approved, according to the present members and passports; `undefined` if
 * enough have.
 */
async function missingPeople(
  context: Pick<Context, 'store' | 'caches'>,
  asked: AskedFor,
  found: ApprovalRecord,
): Promise<readonly Reason[] | undefined> {
  const decisions = decisionsOf(found);
  const present = demandOnIntent(asked.passports, asked.intent);
  const rule = stricterRule(storedRule(found), present.rule);
  const plain = takesAnyone(rule, 'intent');
  if (plain && decisions.length === 0) return approvalReasons('pending');
  const [asker, mayDecide] = await Promise.all([
    plain ? null : askerOf(context, asked),
    decidersNow(context, found, decisions, plain),
  ]);
  const askers = [found.requested_by ?? null, asker];
  const barred = barredBy(rule, { kind: 'intent', askers, wideners: present.wideners });
  const given = countPersons({ decisions, barred, mayDecide });
  return given >= rule.needed ? undefined : [approvalPending({ given, needed: rule.needed })];
}
