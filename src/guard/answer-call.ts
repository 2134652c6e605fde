/** Answers a tool call: asks the verifier once, checks the answer, and reports it to the application. */
import { UNAVAILABLE } from '../base/async/guarded-call.ts';
import type { Pause } from '../base/async/pause.ts';
import { steadyNow } from '../base/async/watch.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { type Answered, createAnswers } from './answered.ts';
import { type CheckedApprovals, lackedApproval, type NeededApproval, secondKey } from './approvals.ts';
import { createAskVerifier } from './ask-verifier.ts';
import { SCOPE_MISSING } from './call-access.ts';
import type { CheckedOptions } from './guard-options.ts';
import { isVerdictOn, UNREADABLE } from './guard-options.ts';
import { copyArguments } from './plain-arguments.ts';
import {
  type CallQuestion,
  createRunKeys,
  intentOf,
  type OwnCall,
  ownCall,
  type RunKeys,
} from './run-keys.ts';
import { spendOf } from './run-spend.ts';
import type { ToolCall, ToolVerdict } from './tool-call.ts';

/** The options of one evaluation. */
export interface JudgeOptions {
  /** Asks for a dry run, which spends nothing from budgets. */
  readonly dry_run?: boolean;
}

/** Answers the tool calls of a guard. */
export interface CallAnswers {
  /** Answers a call. The result contains the evaluated data. Never rejects. */
  answer(call: ToolCall, how?: JudgeOptions): Promise<Answered>;
  /** Stores the run of a tool that pauses, so that the next run of the same call continues it. Never rejects. */
  wait(answer: Answered, pause: Pause): void;
  /**
   * Returns the approval that the call needs. Returns `undefined` if it needs none, or is denied for another reason.
   * Never rejects.
   */
  neededFor(call: ToolCall, approvals: CheckedApprovals): Promise<NeededApproval | undefined>;
}

export function createCallAnswers(options: CheckedOptions): CallAnswers {
  const { verifier } = options;
  const keys = createRunKeys(options);
  const { deny, notify } = createAnswers(options);
  const askVerifier = createAskVerifier<CallQuestion, Answered>(verifier, options.timeoutMs, {
    // An ALLOW that is repeated under a key does not show whether its spend has changed since.
    async confirm(question, record) {
      const { intent } = question;
      if (!isVerdictOn(record, intent) || record.verdict !== 'ALLOW') return record;
      if (await spendOf(verifier, question, record).isThere()) return record;
      if (question.continued === undefined) return undefined;
      // What the run had taken before it waited was given back, as by the end of its hold: it takes again.
      question.continued = undefined;
      question.idempotency_key = keys.next();
      return verifier.verify(intent, { idempotencyKey: question.idempotency_key });
    },
    conclude,
    onLate(question, record) {
      // A run that waits keeps what it has taken.
      if (question.continued !== undefined) return;
      if (!isVerdictOn(record, question.intent) || record.verdict !== 'ALLOW') return;
      options.reportsOn(record)('not_attempted');
      void spendOf(verifier, question, record).undo();
    },
  });

  function answer(call: ToolCall, { dry_run = false }: JudgeOptions = {}): Promise<Answered> {
    let evaluatedCall = UNREAD;
    try {
      evaluatedCall = ownCall(call);
      if (options.unjudged.has(evaluatedCall.name)) return Promise.resolve(notify(evaluatedCall, UNJUDGED));
      evaluatedCall.args = copyArguments(evaluatedCall.args);
      const question = keys.questionOf(evaluatedCall, intentOf(evaluatedCall, options, dry_run));
      if (options.approvals !== undefined) question.startedAt = steadyNow();
      return askVerifier(question);
    } catch (error) {
      return Promise.resolve(deny(evaluatedCall, null, error === SCOPE_MISSING ? SCOPE_MISSING : UNREADABLE));
    }
  }

  function conclude(question: CallQuestion, record: unknown): Answered | Promise<Answered> {
    const { call, intent } = question;
    try {
      if (!isVerdictOn(record, intent)) {
        keys.keepAgain(question);
        return deny(call, null, UNAVAILABLE, question);
      }
      if (record.verdict !== 'ALLOW') {
        const next = afterDecision(options, question, record, { keys, ask: askVerifier });
        return next === undefined
          ? deny(call, record, record.reasons, question)
          : next.catch(() => deny(call, record, record.reasons));
      }
      const spend = spendOf(verifier, question, record);
      if (lacksPermit(intent, record)) {
        options.reportsOn(record)('not_attempted');
        void spend.undo();
        return deny(call, null, UNAVAILABLE);
      }
      return notify(call, { allowed: true, record }, spend, question);
    } catch {
      return deny(call, null, UNAVAILABLE);
    }
  }

  return {
    answer,
    wait: keys.keep,
    neededFor: (call, approvals) =>
      neededApproval({ options, approvals, keys, ask: askVerifier }, call).catch(() => undefined),
  };
}

function lacksPermit({ permit }: Intent, record: VerdictRecord): boolean {
  return permit !== undefined && !record.dry_run && typeof record.permit !== 'string';
}

/** The placeholder for a call with members that cannot be read. */
const UNREAD: OwnCall = { name: '', args: undefined };
const UNJUDGED: ToolVerdict = { allowed: true, record: null };

/**
 * Asks again after a person has decided on the call. Returns `undefined` if no person can allow the call. Rejects if
 * there is no decision in time.
 */
function afterDecision(
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
    approval: id,
    signal,
    continued: undefined,
  };
}

interface AskingParts {
  readonly options: CheckedOptions;
  readonly approvals: CheckedApprovals;
  readonly keys: RunKeys;
  readonly ask: (question: CallQuestion) => Promise<Answered>;
}

async function neededApproval(
  { options, approvals, keys, ask }: AskingParts,
  call: ToolCall,
): Promise<NeededApproval | undefined> {
  const evaluatedCall = ownCall(call);
  if (options.isObserving || options.unjudged.has(evaluatedCall.name)) return undefined;
  evaluatedCall.args = copyArguments(evaluatedCall.args);
  const ahead = intentOf(evaluatedCall, options, true);
  const { dry_run: _, ...intent } = ahead;
  if (keys.hasWaiting(evaluatedCall, intent)) return undefined;
  // A dry run first: a call that is allowed anyway takes nothing.
  const { verdict: preview } = await ask(keys.apartOf(evaluatedCall, ahead));
  if (preview.allowed || !isOnlyLack(preview.reasons)) return undefined;
  const { verdict, spend } = await ask(keys.apartOf(evaluatedCall, intent));
  if (verdict.allowed) {
    options.reportsOn(verdict.record)('not_attempted');
    await spend.undo();
    return undefined;
  }
  const { approval, text } = verdict;
  if (approval === undefined || lackedApproval(intent, verdict.reasons) === undefined) return undefined;
  const limit = createLimit(options.timeoutMs, evaluatedCall.signal);
  const status = (await approvals.read(approval.id, limit.signal, false))?.status;
  limit.end();
  return { ...approval, text, status: status === 'approved' || status === 'rejected' ? status : 'pending' };
}

function isOnlyLack(reasons: readonly Reason[]): boolean {
  return reasons.length === 1 && reasons[0]?.code === 'approval_required';
}

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
