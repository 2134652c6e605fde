/** Creates the answers to tool calls, and reports them to the application. */
import { askedApproval } from '../base/async/guarded-call.ts';
import type { Pause } from '../base/async/pause.ts';
import type { Reason, VerdictRecord } from '../records.ts';
import { repeatText } from './approvals.ts';
import type { CheckedOptions } from './guard-options.ts';
import { denialText } from './guard-options.ts';
import type { AllowedRun, CallQuestion, OwnCall } from './run-keys.ts';
import { NO_SPEND, type RunSpend } from './run-spend.ts';
import type { ToolVerdict } from './tool-call.ts';

/** The answer to a call. The tool runs with the arguments in it, which are the evaluated arguments. */
export interface Answered extends AllowedRun {
  readonly verdict: ToolVerdict;
  /** The pause after which this run continues. `undefined` for a first run. */
  readonly continued: Pause | undefined;
}

const NO_RUN: Partial<CallQuestion> = {};

/** Creates the answers of a guard. */
export interface AnswerMaker {
  deny(
    call: OwnCall,
    record: VerdictRecord | null,
    reasons: readonly Reason[],
    how?: Partial<CallQuestion>,
  ): Answered;
  /** Answers a call, and passes the verdict to `onVerdict`. */
  notify(call: OwnCall, verdict: ToolVerdict, spend?: RunSpend, how?: Partial<CallQuestion>): Answered;
}

export function createAnswers(options: CheckedOptions): AnswerMaker {
  function deny(
    call: OwnCall,
    record: VerdictRecord | null,
    reasons: readonly Reason[],
    how?: Pick<CallQuestion, 'isApart'>,
  ): Answered {
    const { approvals, explain } = options;
    const approvalAsked = askedApproval(reasons);
    const url = approvalAsked && approvals?.pageOf(approvalAsked.id);
    const approval = approvalAsked && (url === undefined ? approvalAsked : { ...approvalAsked, url });
    const text =
      approvalAsked === undefined || approvals === undefined
        ? denialText(record, reasons, explain)
        : denialText(record, reasons, explain, repeatText(approvalAsked.id, url));
    const verdict = { allowed: false, record, reasons, text, ...(approval && { approval }) } as const;
    return notify(call, verdict, NO_SPEND, how);
  }

  function notify(
    call: OwnCall,
    verdict: ToolVerdict,
    spend = NO_SPEND,
    how: Partial<CallQuestion> = NO_RUN,
  ): Answered {
    const { idempotency_key = '', isShared = false, continued, approval } = how;
    const run = { call, spend, idempotency_key, isShared, continued, approval };
    if (how.isApart) return { ...run, verdict };
    try {
      const returnedVerdict: unknown = options.onVerdict?.(call, withoutSecrets(verdict));
      // A rejection that nothing handles would end the process.
      if (returnedVerdict instanceof Promise) returnedVerdict.catch(() => undefined);
    } catch {
      // A hook that throws changes no verdict.
    }
    const isPassed = verdict.allowed || !options.isObserving;
    const shownVerdict = isPassed ? verdict : ({ allowed: true, record: verdict.record } as const);
    return { ...run, verdict: shownVerdict };
  }

  return { deny, notify };
}

/** Returns the verdict without the permit and the mark, because hooks may log it. */
function withoutSecrets(verdict: ToolVerdict): ToolVerdict {
  if (verdict.record?.permit === undefined && verdict.record?.mark === undefined) return verdict;
  const { permit: _, mark: __, ...record } = verdict.record;
  return { ...verdict, record };
}
