/** The answer to a call of a tool: asked once, checked, and reported to the host. */
import { askedApproval, UNAVAILABLE } from '../base/async/guarded-deed.ts';
import type { Pause } from '../base/async/pause.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { createAskVerifier, type VerifierQuestion } from './ask-verifier.ts';
import type { CheckedOptions } from './guard-options.ts';
import { copyArguments } from './plain-arguments.ts';
import { NO_SPEND, type RunSpend, spendOf } from './run-spend.ts';
import type { ToolCall, ToolVerdict } from './tool-call.ts';
import { subjectOf } from './tool-rule.ts';
import { denialText, isVerdictOn, UNREADABLE } from './tool-verdict.ts';
import { waitingRunsOf } from './waiting-runs.ts';

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
}

/** Makes the answers for a guard with these options. */
export function createCallAnswers(options: CheckedOptions): CallAnswers {
  const { verifier } = options;
  const keys = createRunKeys(options);
  const askVerifier = createAskVerifier<Question, Answered>(verifier, options.timeoutMs, {
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
      return askVerifier(keys.questionOf(judged, intentOf(judged, options, dry_run)));
    } catch {
      return Promise.resolve(deny(judged, null, UNREADABLE));
    }
  }

  function conclude(question: Question, record: unknown): Answered {
    const { call, intent } = question;
    try {
      if (!isVerdictOn(record, intent)) {
        keys.keepAgain(question);
        return deny(call, null, UNAVAILABLE);
      }
      if (record.verdict !== 'ALLOW') return deny(call, record, record.reasons);
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

  function deny(call: OwnCall, record: VerdictRecord | null, reasons: readonly Reason[]): Answered {
    const text = denialText(record, reasons, options.explain);
    const approval = askedApproval(reasons);
    return notify(call, { allowed: false, record, reasons, text, ...(approval && { approval }) });
  }

  function notify(call: OwnCall, verdict: ToolVerdict, spend = NO_SPEND, run = NO_RUN): Answered {
    try {
      const returned: unknown = options.onVerdict?.(call, withoutPermit(verdict));
      // A rejection that nothing handles would end the process.
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // A hook that throws changes no verdict.
    }
    const isPassed = verdict.allowed || !options.isObserving;
    const shown = isPassed ? verdict : ({ allowed: true, record: verdict.record } as const);
    const { idempotency_key, isShared, continued } = run;
    return { call, spend, idempotency_key, isShared, continued, verdict: shown };
  }

  return { answer, wait: keys.keep };
}

/** The idempotency keys of runs. */
interface RunKeys {
  /** Makes the question about a call, with the key of its run. */
  questionOf(call: OwnCall, intent: Intent): Question;
  /** Keeps the key of a run whose tool will be called again. */
  keep(answered: Answered, pause: Pause): void;
  /** Keeps the key of a run that was to continue and did not. */
  keepAgain(question: Question): void;
  /** Makes a key. */
  next(): string;
}

function createRunKeys(options: CheckedOptions): RunKeys {
  const waiting = waitingRunsOf(options.verifier);
  const next = createKeys();

  return {
    next,
    questionOf(call, intent) {
      // A dry run is not remembered, and its key must not be that of the real run.
      const { idempotency_key: own } = call;
      const given = intent.dry_run
        ? undefined
        : ((typeof own === 'function' ? own(intent) : own) ?? hostKeyOf(call, options));
      const kept = given === undefined && !intent.dry_run ? waiting.take(call, intent) : undefined;
      return {
        call,
        intent,
        signal: call.signal,
        idempotency_key: given ?? kept?.key ?? next(),
        isShared: given !== undefined,
        continued: kept?.pause,
      };
    },
    keep({ call, spend, idempotency_key, isShared }, pause) {
      // Under a key of the caller, the caller gives the key to the next run.
      if (isShared || spend.intent === undefined) return;
      if (!waiting.keep(call, spend.intent, idempotency_key, pause)) void spend.undo();
    },
    keepAgain({ call, intent, idempotency_key, continued }) {
      if (continued !== undefined) waiting.keep(call, intent, idempotency_key, continued);
    },
  };
}

/** Says whether the ALLOW is without the permit that was asked for. A dry run has none. */
function lacksPermit({ permit }: Intent, record: VerdictRecord): boolean {
  return permit !== undefined && !record.dry_run && typeof record.permit !== 'string';
}

/** Returns the verdict for hooks, which may log it: without the permit. */
function withoutPermit(verdict: ToolVerdict): ToolVerdict {
  if (verdict.record?.permit === undefined) return verdict;
  const { permit: _, ...record } = verdict.record;
  return { ...verdict, record };
}

/** A call that is evaluated. */
interface Question extends VerifierQuestion {
  readonly call: OwnCall;
  idempotency_key: string;
  /** True when the caller chose the key, so that another run may reuse the amount that this one took. */
  readonly isShared: boolean;
}

/**
 * Makes keys that are never repeated: a random text for this guard, and a number. A random text for each takes longer.
 */
function createKeys(): () => string {
  const own = crypto.randomUUID();
  let count = 0;
  return () => {
    count += 1;
    return `${own}-${count}`;
  };
}

/** The answer to a call. */
export interface Answered {
  readonly verdict: ToolVerdict;
  /** The call with the arguments that were evaluated. The tool runs with these, and no others. */
  readonly call: OwnCall;
  /** The amount that the verdict took. */
  readonly spend: RunSpend;
  /** The idempotency key of the run. */
  readonly idempotency_key: string;
  /** True when the caller chose the key. */
  readonly isShared: boolean;
  /** The wait that this run continues; `undefined` for a first run. */
  readonly continued: Pause | undefined;
}

/** The run of a call that is not allowed, or not judged. */
const NO_RUN: Pick<Answered, 'idempotency_key' | 'isShared' | 'continued'> = {
  idempotency_key: '',
  isShared: false,
  continued: undefined,
};

type OwnCall = ToolCall & { args: unknown };

/** A call whose members cannot be read. */
const UNREAD: OwnCall = { name: '', args: undefined };
const UNJUDGED: ToolVerdict = { allowed: true, record: null };

/** Reads the members of a call, each once. */
function ownCall(given: ToolCall): OwnCall {
  const { name, args, id, signal, context, idempotency_key, resumes, approval_id } = given;
  if (typeof name !== 'string') throw new TypeError();
  return { name, args, id, signal, context, idempotency_key, resumes, approval_id } as OwnCall;
}

/** Returns the host's key for a call. Throws for an invalid key. */
function hostKeyOf(call: ToolCall, { idempotencyKey }: CheckedOptions): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  const key = idempotencyKey(call);
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw new TypeError();
  return key;
}

function intentOf(
  call: ToolCall,
  { agentId, approvalId, subject: given, readers, otherwise, isObserving }: CheckedOptions,
  isAhead: boolean,
): Intent {
  const agent_id = typeof agentId === 'function' ? agentId(call) : agentId;
  if (typeof agent_id !== 'string') throw new TypeError();
  const approval_id = call.approval_id ?? approvalId?.(call);
  if (approval_id !== undefined && typeof approval_id !== 'string') throw new TypeError();
  const subject = typeof given === 'function' ? given(call) : given;
  const read = (readers.get(call.name) ?? otherwise)(call);
  const intent: Intent =
    subject === undefined ? { agent_id, ...read } : { agent_id, subject: subjectOf(subject), ...read };
  const isDryRun = isObserving || isAhead;
  // Most calls need no further copy.
  if (approval_id === undefined && !isDryRun) return intent;
  return { ...intent, ...(approval_id !== undefined && { approval_id }), ...(isDryRun && { dry_run: true }) };
}
