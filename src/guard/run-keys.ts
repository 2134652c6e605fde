import type { Pause } from '../base/async/pause.ts';
import { isSession } from '../base/values/subject.ts';
import type { Intent } from '../records.ts';
import type { VerifierQuestion } from './ask-verifier.ts';
import { accessFor, demandScope } from './call-access.ts';
import type { CheckedOptions } from './guard-options.ts';
import type { RunSpend } from './run-spend.ts';
import type { ToolCall, Verifier } from './tool-call.ts';
import { subjectOf } from './tool-rule.ts';
import { waitingRunsOf } from './waiting-runs.ts';

/** A request for the verdict on a call. */
export interface CallQuestion extends VerifierQuestion {
  readonly call: OwnCall;
  idempotency_key: string;
  /** `true` if the caller chose the idempotency key. Another run may then reuse the amount of this run. */
  isShared: boolean;
  /** The approval that the guard has found for the call. `undefined` if the call names its approval. */
  readonly approval: string | undefined;
  /** The monotonic time at which the guard began. Only used with the option `approvals`. */
  startedAt: number;
  /** `true` for a request about a call that does not run now. The verdict is not reported to `onVerdict`. */
  isApart: boolean;
}

/** The parts of a run that its next run needs. */
export interface AllowedRun {
  readonly call: OwnCall;
  readonly spend: RunSpend;
  readonly idempotency_key: string;
  readonly isShared: boolean;
  readonly approval: string | undefined;
}

/** Chooses the idempotency keys of runs. */
export interface RunKeys {
  questionOf(call: OwnCall, intent: Intent): CallQuestion;
  /** Creates a request about a call that does not run now, with a new key. */
  apartOf(call: OwnCall, intent: Intent): CallQuestion;
  /**
   * Stores that a run with a key of the application uses an approval, so that copies of its call use the same approval.
   */
  uses(question: CallQuestion, next: CallQuestion): void;
  hasWaiting(call: OwnCall, intent: Intent): boolean;
  keep(run: AllowedRun, pause: Pause): void;
  /** Stores the key of a paused run again if its next run could not continue. */
  keepAgain(question: CallQuestion): void;
  next(): string;
}

export function createRunKeys(options: CheckedOptions): RunKeys {
  const waiting = waitingRunsOf(options.verifier);
  const usedApprovals = usedApprovalsOf(options.verifier);
  const next = createKeys();

  return {
    next,
    apartOf: (call, intent) => ({ ...firstQuestion(call, intent, next()), isApart: true }),
    uses({ isShared, idempotency_key, intent }, { idempotency_key: key, approval: id }) {
      if (isShared && id !== undefined) usedApprovals.put(idempotency_key, intent, { id, key });
    },
    hasWaiting: (call, intent) => waiting.has(call, intent),
    questionOf(call, intent) {
      // A dry run is not remembered, and its key must not be that of the real run.
      const toolCall = intent.dry_run
        ? undefined
        : (valueFor(call.idempotency_key, intent) ?? hostKeyOf(call, options));
      const keptRun = toolCall === undefined && !intent.dry_run ? waiting.take(call, intent) : undefined;
      const question = firstQuestion(call, intent, toolCall ?? keptRun?.key ?? next());
      question.isShared = toolCall !== undefined;
      question.continued = keptRun?.pause;
      const copiedApproval = toolCall === undefined ? undefined : usedApprovals.get(toolCall, intent);
      const id = copiedApproval?.id ?? keptRun?.approval;
      if (id === undefined) return question;
      const key = copiedApproval?.key ?? question.idempotency_key;
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
    call,
    intent,
    signal,
    idempotency_key,
    startedAt: 0,
    isShared: false,
    continued: undefined,
    approval: undefined,
    isApart: false,
  };
}

/** Returns the original intent of the call, without the approval that the guard has found for it. */
function askedBefore(intent: Intent, approval: string | undefined): Intent {
  return approval === undefined ? intent : { ...intent, approval_id: undefined as never };
}

/** Creates unique keys: a random text for this guard, and a number. A random text for each key would take longer. */
function createKeys(): () => string {
  const ownId = crypto.randomUUID();
  let count = 0;
  return () => {
    count += 1;
    return `${ownId}-${count}`;
  };
}

interface UsedApproval {
  readonly id: string;
  readonly key: string;
}

interface UsedApprovals {
  put(key: string, intent: Intent, usedApproval: UsedApproval): void;
  get(key: string, intent: Intent): UsedApproval | undefined;
}

const MAX_KEYS = 10_000;

/** The used approvals by verifier, because an application may create a new guard for each request. */
const approvals = new WeakMap<Verifier, UsedApprovals>();

function usedApprovalsOf(verifier: Verifier): UsedApprovals {
  const foundApprovals = approvals.get(verifier) ?? createUsedApprovals();
  approvals.set(verifier, foundApprovals);
  return foundApprovals;
}

function createUsedApprovals(): UsedApprovals {
  const names = new Map<string, UsedApproval>();
  return {
    put(key, intent, usedApproval) {
      const [oldest] = names.keys();
      if (oldest !== undefined && names.size >= MAX_KEYS) names.delete(oldest);
      const name = nameOf(key, intent);
      if (name !== undefined) names.set(name, usedApproval);
    },
    get(key, intent) {
      const name = names.size === 0 ? undefined : nameOf(key, intent);
      return name === undefined ? undefined : names.get(name);
    },
  };
}

function nameOf(key: string, { approval_id: _, ...intent }: Intent): string | undefined {
  try {
    const name = JSON.stringify([key, intent]);
    return name.length > 65_536 ? undefined : name;
  } catch {
    return undefined;
  }
}

export type OwnCall = ToolCall & { args: unknown };

/** Reads each member of a call once. */
export function ownCall(call: ToolCall): OwnCall {
  const { name, args, id, signal, context, idempotency_key, resumes, approval_id } = call;
  if (typeof name !== 'string') throw new TypeError();
  return { name, args, id, signal, context, idempotency_key, resumes, approval_id } as OwnCall;
}

function hostKeyOf(call: ToolCall, { idempotencyKey }: CheckedOptions): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  const key = idempotencyKey(call);
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw new TypeError();
  return key;
}

function valueFor<Asked, Value>(
  option: string | ((asked: Asked) => Value) | undefined,
  asked: Asked,
): string | Value | undefined {
  return typeof option === 'function' ? option(asked) : option;
}

function sessionOf(option: NonNullable<CheckedOptions['session']>, call: ToolCall): string {
  const session = valueFor(option, call);
  if (!isSession(session)) throw new TypeError();
  return session;
}

/** Returns the intent of a call. Throws if the call cannot be read. */
export function intentOf(
  call: ToolCall,
  {
    agentId,
    approvalId,
    subject: subjectOption,
    session: run,
    access: readAccess,
    readers,
    otherwise,
    isObserving,
  }: CheckedOptions,
  isAhead: boolean,
): Intent {
  // Read once: the agent, the user and the scope are those of one token.
  const access = readAccess && accessFor(readAccess, call);
  const agent_id = access?.agent_id ?? valueFor(agentId, call);
  if (typeof agent_id !== 'string') throw new TypeError();
  const approval_id = call.approval_id ?? approvalId?.(call);
  if (approval_id !== undefined && typeof approval_id !== 'string') throw new TypeError();
  const subject = access?.subject ?? valueFor(subjectOption, call);
  const read = (readers.get(call.name) ?? otherwise)(call);
  if (access !== undefined) demandScope(access, read.action);
  const askedIntent: Intent =
    subject === undefined ? { agent_id, ...read } : { agent_id, subject: subjectOf(subject), ...read };
  const intent = run === undefined ? askedIntent : { ...askedIntent, session: sessionOf(run, call) };
  const isDryRun = isObserving || isAhead;
  const approvedIntent = approval_id === undefined ? intent : { ...intent, approval_id };
  return isDryRun ? { ...approvedIntent, dry_run: true } : approvedIntent;
}
