/** The answer on a call: asked once, checked, and told to the host. */
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { createAskVerifier } from './ask-verifier.ts';
import type { CheckedOptions } from './guard-options.ts';
import { copyArguments } from './plain-arguments.ts';
import { NO_SPEND, type RunSpend, spendOf } from './run-spend.ts';
import type { ToolCall, ToolRun, ToolVerdict } from './tool-call.ts';
import { denialText, isVerdictOn, UNAVAILABLE, UNREADABLE } from './tool-verdict.ts';

/** How a call is judged. */
export interface JudgeOptions {
  /** Takes nothing; the record says so. */
  readonly dry_run?: boolean;
}

/** Gives the answer on a call, with what was judged. Never rejects. */
export type AnswerCall = (call: ToolCall, how?: JudgeOptions) => Promise<Answered>;

/** The answers of a guard with these options. */
export function createAnswerCall(options: CheckedOptions): AnswerCall {
  const askVerifier = createAskVerifier(options.verifier, options.timeoutMs);

  function answer(call: ToolCall, { dry_run = false }: JudgeOptions = {}): Promise<Answered> {
    let judged = UNREAD;
    try {
      judged = ownCall(call);
      if (options.unjudged.has(judged.name)) return Promise.resolve(notify(judged, UNJUDGED));
      judged.args = copyArguments(judged.args);
      return ask(judged, intentOf(judged, options, dry_run));
    } catch {
      return Promise.resolve(deny(judged, null, UNREADABLE));
    }
  }

  function ask(call: OwnCall, intent: Intent): Promise<Answered> {
    // Of a dry run nothing is remembered, and its key must not stand for the run.
    const given = intent.dry_run ? undefined : (call.idempotency_key ?? hostKeyOf(call, options));
    const isShared = given !== undefined;
    const idempotency_key = given ?? crypto.randomUUID();
    const spendBy = (record: VerdictRecord): RunSpend =>
      spendOf({ verifier: options.verifier, intent, record, isShared });

    function conclude(record: unknown): Answered | Promise<Answered> {
      try {
        if (!isVerdictOn(record, intent)) return deny(call, null, UNAVAILABLE);
        if (record.verdict !== 'ALLOW') return deny(call, record, record.reasons);
        const spend = spendBy(record);
        const allow = (): Answered => notify(call, { allowed: true, record }, { ...spend, idempotency_key });
        return isShared ? confirmed(call, spend, allow) : allow();
      } catch {
        return deny(call, null, UNAVAILABLE);
      }
    }

    return askVerifier({
      ...{ intent, signal: call.signal, idempotency_key, conclude },
      onLate(record) {
        if (isVerdictOn(record, intent) && record.verdict === 'ALLOW') void spendBy(record).undo();
      },
    });
  }

  /** An ALLOW that is repeated under a key says nothing of what has become of its spend since. */
  async function confirmed(call: ToolCall, spend: RunSpend, allow: () => Answered): Promise<Answered> {
    const isThere = await spend.isThere().catch(() => false);
    return isThere ? allow() : deny(call, null, UNAVAILABLE);
  }

  function deny(call: ToolCall, record: VerdictRecord | null, reasons: readonly Reason[]): Answered {
    const text = denialText(record, reasons, options.explain);
    return notify(call, { allowed: false, record, reasons, text });
  }

  function notify(call: OwnCall, verdict: ToolVerdict, spend: Answered['spend'] = UNKEYED): Answered {
    try {
      const returned: unknown = options.onVerdict?.(call, verdict);
      // A rejection that nothing handles would end the process.
      if (returned instanceof Promise) returned.catch(() => undefined);
    } catch {
      // A hook that throws changes no verdict.
    }
    const isPassed = verdict.allowed || !options.isObserving;
    return { call, spend, verdict: isPassed ? verdict : { allowed: true, record: verdict.record } };
  }

  return answer;
}

/** What a call came to. */
export interface Answered {
  readonly verdict: ToolVerdict;
  /** With the arguments that were judged: those run, and no others. */
  readonly call: OwnCall;
  /** What the verdict took, and under which key. */
  readonly spend: RunSpend & Pick<ToolRun, 'idempotency_key'>;
}

type OwnCall = ToolCall & { args: unknown };

const UNKEYED: Answered['spend'] = { ...NO_SPEND, idempotency_key: '' };

/** A call whose members cannot be read. */
const UNREAD: OwnCall = { name: '', args: undefined };
const UNJUDGED: ToolVerdict = { allowed: true, record: null };

/** The members of a call, each read once. */
function ownCall({ name, args, id, signal, context, idempotency_key }: ToolCall): OwnCall {
  if (typeof name !== 'string') throw new TypeError();
  return { name, args, id, signal, context, idempotency_key } as OwnCall;
}

/** Throws for what is no key. */
function hostKeyOf(call: ToolCall, { idempotencyKey }: CheckedOptions): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  const key = idempotencyKey(call);
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw new TypeError();
  return key;
}

function intentOf(
  call: ToolCall,
  { agentId, readers, otherwise, isObserving }: CheckedOptions,
  isAhead: boolean,
): Intent {
  const agent_id = typeof agentId === 'function' ? agentId(call) : agentId;
  if (typeof agent_id !== 'string') throw new TypeError();
  const intent: Intent = { agent_id, ...(readers.get(call.name) ?? otherwise)(call) };
  return isObserving || isAhead ? { ...intent, dry_run: true } : intent;
}
