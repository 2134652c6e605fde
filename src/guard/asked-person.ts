/** The questions around the decision of a person: which approval a call needs, and the call after the decision. */
import { steadyNow } from '../base/async/steady-clock.ts';
import type { Reason, VerdictRecord } from '../records.ts';
import type { Answered } from './answered.ts';
import { type CheckedApprovals, lackedApproval, type NeededApproval, secondKey } from './approvals.ts';
import type { CheckedOptions } from './guard-options.ts';
import { intentOf, ownCall } from './own-call.ts';
import { copyArguments } from './plain-arguments.ts';
import type { CallQuestion, RunKeys } from './run-keys.ts';
import type { ToolCall } from './tool-call.ts';

/**
 * Asks again once a person has decided on the call; `undefined` if no person can allow it. Rejects if nobody has decided
 * in time.
 */
export function afterDecision(
  { approvals, timeoutMs }: CheckedOptions,
  question: CallQuestion,
  { reasons }: VerdictRecord,
  { keys, ask }: Pick<AskingParts, 'keys' | 'ask'>,
): Promise<Answered> | undefined {
  const id = question.isApart ? undefined : lackedApproval(question.intent, reasons);
  if (approvals === undefined || id === undefined) return undefined;
  const { call, startedAt } = question;
  const limit = createLimit(startedAt + timeoutMs + approvals.waitMs - steadyNow(), call.signal);
  return decided(approvals, question, id, limit.signal)
    .then((next) => {
      keys.uses(question, next);
      return ask(next);
    })
    .finally(limit.end);
}

/** Returns the question that names the approval. Rejects if nobody has decided. */
async function decided(
  approvals: CheckedApprovals,
  question: CallQuestion,
  id: string,
  signal: AbortSignal,
): Promise<CallQuestion> {
  const status = (await approvals.read(id, signal, approvals.waitMs > 0))?.status;
  if (status !== 'approved' && status !== 'rejected') throw new TypeError();
  return {
    ...question,
    intent: { ...question.intent, approval_id: id },
    idempotency_key: await secondKey(question.idempotency_key, id),
    ...{ approval: id, signal, continued: undefined },
  };
}

/** The parts of a guard that ask about a call which does not run now. */
export interface AskingParts {
  readonly options: CheckedOptions;
  readonly approvals: CheckedApprovals;
  readonly keys: RunKeys;
  readonly ask: (question: CallQuestion) => Promise<Answered>;
}

/** Returns the approval that the call needs; `undefined` if it needs none, or is denied otherwise. */
export async function neededApproval(
  { options, approvals, keys, ask }: AskingParts,
  call: ToolCall,
): Promise<NeededApproval | undefined> {
  const judged = ownCall(call);
  if (options.isObserving || options.unjudged.has(judged.name)) return undefined;
  judged.args = copyArguments(judged.args);
  const ahead = intentOf(judged, options, true);
  const { dry_run: _, ...intent } = ahead;
  if (keys.hasWaiting(judged, intent)) return undefined;
  // A dry run first: a call that is allowed anyway takes nothing.
  const { verdict: preview } = await ask(keys.apartOf(judged, ahead));
  if (preview.allowed || !isOnlyLack(preview.reasons)) return undefined;
  const { verdict, spend } = await ask(keys.apartOf(judged, intent));
  if (verdict.allowed) {
    options.reportsOn(verdict.record)('not_attempted');
    await spend.undo();
    return undefined;
  }
  const { approval, text } = verdict;
  if (approval === undefined || lackedApproval(intent, verdict.reasons) === undefined) return undefined;
  const limit = createLimit(options.timeoutMs, judged.signal);
  const status = (await approvals.read(approval.id, limit.signal, false))?.status;
  limit.end();
  return { ...approval, text, status: status === 'approved' || status === 'rejected' ? status : 'pending' };
}

/** Says whether a dry run is denied only because it names no approval. */
function isOnlyLack(reasons: readonly Reason[]): boolean {
  return reasons.length === 1 && reasons[0]?.code === 'approval_required';
}

/** Makes a signal that is aborted with the outer signal, or after a time. */
function createLimit(ms: number, outer: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(abort, Math.max(ms, 0));
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
