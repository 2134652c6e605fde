/** The questions about calls, with the idempotency keys of their runs. */
import type { Pause } from '../base/async/pause.ts';
import type { Intent } from '../records.ts';
import type { VerifierQuestion } from './ask-verifier.ts';
import type { CheckedOptions } from './guard-options.ts';
import { hostKeyOf, type OwnCall } from './own-call.ts';
import type { RunSpend } from './run-spend.ts';
import { usedApprovalsOf } from './used-approvals.ts';
import { waitingRunsOf } from './waiting-runs.ts';

/** A call that is evaluated. */
export interface CallQuestion extends VerifierQuestion {
  readonly call: OwnCall;
  idempotency_key: string;
  /** True when the caller chose the key, so that another run may reuse the amount that this one took. */
  isShared: boolean;
  /** The approval that the guard has found for the call; `undefined` for a call that names its own. */
  readonly approval: string | undefined;
  /** The instant of the steady clock at which the guard began; read only with the option `approvals`. */
  startedAt: number;
  /** True for a question about a call that does not run now: it is no call for `onVerdict`. */
  isApart: boolean;
}

/** A run, as far as its next run needs it. */
export interface AllowedRun {
  readonly call: OwnCall;
  readonly spend: RunSpend;
  readonly idempotency_key: string;
  readonly isShared: boolean;
  readonly approval: string | undefined;
}

/** The idempotency keys of runs. */
export interface RunKeys {
  /** Makes the question about a call, with the key of its run. */
  questionOf(call: OwnCall, intent: Intent): CallQuestion;
  /** Makes a question about a call that does not run now, with a new key. */
  apartOf(call: OwnCall, intent: Intent): CallQuestion;
  /** Notes that a run under a key of the application uses an approval: copies of its call use it as well. */
  uses(question: CallQuestion, next: CallQuestion): void;
  /** Says whether a run waits for this call, which continues it. */
  hasWaiting(call: OwnCall, intent: Intent): boolean;
  /** Keeps the key of a run whose tool will be called again. */
  keep(run: AllowedRun, pause: Pause): void;
  /** Keeps the key of a run that was to continue and did not. */
  keepAgain(question: CallQuestion): void;
  /** Makes a key. */
  next(): string;
}

/** Makes the keys for the runs of a guard. */
export function createRunKeys(options: CheckedOptions): RunKeys {
  const waiting = waitingRunsOf(options.verifier);
  const used = usedApprovalsOf(options.verifier);
  const next = createKeys();

  return {
    next,
    apartOf: (call, intent) => ({ ...firstQuestion(call, intent, next()), isApart: true }),
    uses({ isShared, idempotency_key, intent }, { idempotency_key: key, approval: id }) {
      if (isShared && id !== undefined) used.put(idempotency_key, intent, { id, key });
    },
    hasWaiting: (call, intent) => waiting.has(call, intent),
    questionOf(call, intent) {
      // A dry run is not remembered, and its key must not be that of the real run.
      const { idempotency_key: own } = call;
      const given = intent.dry_run
        ? undefined
        : ((typeof own === 'function' ? own(intent) : own) ?? hostKeyOf(call, options));
      const kept = given === undefined && !intent.dry_run ? waiting.take(call, intent) : undefined;
      const question = firstQuestion(call, intent, given ?? kept?.key ?? next());
      question.isShared = given !== undefined;
      question.continued = kept?.pause;
      const copied = given === undefined ? undefined : used.get(given, intent);
      const id = copied?.id ?? kept?.approval;
      if (id === undefined) return question;
      const key = copied?.key ?? question.idempotency_key;
      return { ...question, approval: id, idempotency_key: key, intent: { ...intent, approval_id: id } };
    },
    keep({ call, spend, idempotency_key: key, isShared, approval }, pause) {
      // Under a key of the caller, the caller gives the key to the next run.
      if (isShared || spend.intent === undefined) return;
      if (!waiting.keep(call, askedBefore(spend.intent, approval), { key, approval }, pause))
        void spend.undo();
    },
    keepAgain({ call, intent, idempotency_key: key, continued, approval }) {
      if (continued === undefined) return;
      waiting.keep(call, askedBefore(intent, approval), { key, approval }, continued);
    },
  };
}

function firstQuestion(call: OwnCall, intent: Intent, idempotency_key: string): CallQuestion {
  const { signal } = call;
  return {
    ...{ call, intent, signal, idempotency_key, startedAt: 0 },
    ...{ isShared: false, continued: undefined, approval: undefined, isApart: false },
  };
}

/** Returns the intent as the call has it, without the approval that the guard has found for it. */
function askedBefore(intent: Intent, approval: string | undefined): Intent {
  return approval === undefined ? intent : { ...intent, approval_id: undefined as never };
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
