/** A verdict before a tool: asked once, checked, and kept. */
import { createDeadlines } from '../base/deadlines.ts';
import { toolDenied } from '../base/guarded-deed.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';
import { type CheckedOptions, checkGuardOptions, type ToolGuardOptions } from './guard-options.ts';
import { copyArguments } from './plain-arguments.ts';
import type { ToolCall, ToolVerdict, VerifierOptions } from './tool-call.ts';
import { denialText, isVerdictOn, UNAVAILABLE, UNREADABLE } from './tool-verdict.ts';

/** Judges calls of tools, and runs those that are allowed. */
export interface ToolGuard {
  /** The names of the tools that run without a verdict. */
  readonly unjudged: readonly string[];
  /** The names of the tools that have a rule. */
  readonly ruleNames: readonly string[];
  /** The answer on a call. Never rejects: where there is no verdict, the call is denied. */
  judge(call: ToolCall): Promise<ToolVerdict>;
  /**
   * Runs a tool that is allowed with the arguments that were judged, and gives back what it gives back. Throws
   * `tool_denied` for any other, with `details.record` and `details.reasons`, and the reason of a signal that ends it
   * before.
   */
  run<T>(call: ToolCall, execute: (args: unknown) => T | Promise<T>): Promise<T>;
}

const made = new WeakSet<object>();

/** @internal Whether `createToolGuard` made it: what only looks like a guard may let everything run. */
export function isToolGuard(guard: unknown): guard is ToolGuard {
  return made.has(Object(guard));
}

/** A guard over the tools of an agent; `invalid_configuration` for options that cannot be meant. */
export function createToolGuard(given: ToolGuardOptions): ToolGuard {
  const options = checkGuardOptions(given);
  const { verifier, isObserving } = options;
  const deadlines = createDeadlines(options.timeoutMs, () => new Error('There was no verdict in time.'));

  /** The answer on a call, with what was judged. Never rejects. */
  function answer(call: ToolCall): Promise<Answered> {
    let judged = UNREAD;
    try {
      judged = ownCall(call);
      if (options.unjudged.has(judged.name)) return Promise.resolve(told(judged, UNJUDGED));
      judged.args = copyArguments(judged.args);
      return ask(judged, intentOf(judged, options));
    } catch {
      return Promise.resolve(denied(judged, null, UNREADABLE));
    }
  }

  /** One promise, with one timer for all of them: each more would take as long as a verdict. */
  function ask(call: ToolCall, intent: Intent): Promise<Answered> {
    return new Promise((resolve) => {
      const { signal } = call;
      const asked: Asked = Object.create(LAZY_SIGNAL);
      let isSettled = false;

      function conclude(record: unknown): void {
        if (isSettled) return;
        isSettled = true;
        deadlines.finish(timed);
        signal?.removeEventListener('abort', giveUp);
        resolve(concluded(call, intent, record));
      }
      function giveUp(): void {
        conclude(undefined);
        asked[IS_OVER] = true;
        asked[CONTROLLER]?.abort();
      }

      const timed = deadlines.begin(giveUp);
      if (signal?.aborted) return giveUp();
      try {
        signal?.addEventListener('abort', giveUp);
        verifier.verify(intent, asked).then(conclude, giveUp);
      } catch {
        giveUp();
      }
    });
  }

  function concluded(call: ToolCall, intent: Intent, record: unknown): Answered {
    try {
      if (!isVerdictOn(record, intent)) return denied(call, null, UNAVAILABLE);
      if (record.verdict === 'ALLOW') return told(call, { allowed: true, record });
      return denied(call, record, record.reasons);
    } catch {
      return denied(call, null, UNAVAILABLE);
    }
  }

  function denied(call: ToolCall, record: VerdictRecord | null, reasons: readonly Reason[]): Answered {
    const text = denialText(record, reasons, options.explain);
    return told(call, { allowed: false, record, reasons, text });
  }

  function told(call: ToolCall, verdict: ToolVerdict): Answered {
    try {
      const heard: unknown = options.onVerdict?.(call, verdict);
      // A rejection that nothing handles would end the process.
      if (heard instanceof Promise) heard.catch(() => undefined);
    } catch {
      // What the host makes of a verdict changes none.
    }
    const isPassed = verdict.allowed || !isObserving;
    return { call, verdict: isPassed ? verdict : { allowed: true, record: verdict.record } };
  }

  const guard: ToolGuard = {
    unjudged: Object.freeze([...options.unjudged]),
    ruleNames: Object.freeze([...options.readers.keys()]),
    judge: (call) => answer(call).then(verdictOf),
    async run(call, execute) {
      const { verdict, call: judged } = await answer(call);
      judged.signal?.throwIfAborted();
      if (!verdict.allowed) throw toolDenied(verdict.text, verdict.record, verdict.reasons);
      return execute(judged.args);
    },
  };
  made.add(guard);
  return Object.freeze(guard);
}

function verdictOf({ verdict }: Answered): ToolVerdict {
  return verdict;
}

interface Answered {
  readonly verdict: ToolVerdict;
  /** With the arguments that were judged: those run, and no others. */
  readonly call: ToolCall;
}

type OwnCall = ToolCall & { args: unknown };

/** A call whose members cannot be read. */
const UNREAD: OwnCall = { name: '', args: undefined };
const UNJUDGED: ToolVerdict = { allowed: true, record: null };

/** The members of a call, each read once. */
function ownCall({ name, args, id, signal, context }: ToolCall): OwnCall {
  if (typeof name !== 'string') throw new TypeError();
  return { name, args, id, signal, context } as OwnCall;
}

function intentOf(call: ToolCall, { agentId, readers, otherwise, isObserving }: CheckedOptions): Intent {
  const agent_id = typeof agentId === 'function' ? agentId(call) : agentId;
  if (typeof agent_id !== 'string') throw new TypeError();
  const intent: Intent = { agent_id, ...(readers.get(call.name) ?? otherwise)(call) };
  return isObserving ? { ...intent, dry_run: true } : intent;
}

const CONTROLLER = Symbol();
const IS_OVER = Symbol();

interface Asked extends VerifierOptions {
  [CONTROLLER]?: AbortController;
  [IS_OVER]?: boolean;
}

/** Making a signal takes longer than a verdict: it is made where the verifier looks at it. */
const LAZY_SIGNAL = {
  get signal(): AbortSignal {
    const asked = this as unknown as Asked;
    asked[CONTROLLER] ??= new AbortController();
    if (asked[IS_OVER]) asked[CONTROLLER].abort();
    return asked[CONTROLLER].signal;
  },
};
