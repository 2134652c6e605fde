/** The answer to a call of a tool: asked once, checked, and reported to the host. */
import { UNAVAILABLE } from '../base/async/guarded-deed.ts';
import type { Pause } from '../base/async/pause.ts';
import { steadyNow } from '../base/async/steady-clock.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import { type Answered, createAnswers } from './answered.ts';
import type { CheckedApprovals, NeededApproval } from './approvals.ts';
import { createAskVerifier } from './ask-verifier.ts';
import { afterDecision, neededApproval } from './asked-person.ts';
import type { CheckedOptions } from './guard-options.ts';
import { intentOf, type OwnCall, ownCall } from './own-call.ts';
import { copyArguments } from './plain-arguments.ts';
import { type CallQuestion, createRunKeys } from './run-keys.ts';
import { spendOf } from './run-spend.ts';
import type { ToolCall, ToolVerdict } from './tool-call.ts';
import { isVerdictOn, UNREADABLE } from './tool-verdict.ts';

/** The options of one judgement. */
export interface JudgeOptions {
  /** Asks for a dry run, which takes nothing from budgets. */
  readonly dry_run?: boolean;
}

/** The answers of a guard. */
export interface CallAnswers {
  /** Answers a call, with the data that was evaluated. Never rejects. */
  answer(call: ToolCall, how?: JudgeOptions): Promise<Answered>;
  /** Keeps the run of a tool that will be called again: the next run of the call continues it. Never rejects. */
  wait(answered: Answered, pause: Pause): void;
  /** Returns the approval that the call needs; `undefined` if it needs none, or is denied otherwise. Never rejects. */
  neededFor(call: ToolCall, approvals: CheckedApprovals): Promise<NeededApproval | undefined>;
}

/** Makes the answers for a guard with these options. */
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
    let judged = UNREAD;
    try {
      judged = ownCall(call);
      if (options.unjudged.has(judged.name)) return Promise.resolve(notify(judged, UNJUDGED));
      judged.args = copyArguments(judged.args);
      const question = keys.questionOf(judged, intentOf(judged, options, dry_run));
      if (options.approvals !== undefined) question.startedAt = steadyNow();
      return askVerifier(question);
    } catch {
      return Promise.resolve(deny(judged, null, UNREADABLE));
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

/** Says whether the ALLOW is without the permit that was asked for. A dry run has none. */
function lacksPermit({ permit }: Intent, record: VerdictRecord): boolean {
  return permit !== undefined && !record.dry_run && typeof record.permit !== 'string';
}

/** A call whose members cannot be read. */
const UNREAD: OwnCall = { name: '', args: undefined };
const UNJUDGED: ToolVerdict = { allowed: true, record: null };
