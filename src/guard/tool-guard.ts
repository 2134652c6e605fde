/** A verdict before a tool: asked once, checked, and kept. */
import { toolDenied } from '../base/guarded-deed.ts';
import { type Answered, createAnswerCall, type JudgeOptions } from './answer-call.ts';
import { checkGuardOptions, type ToolGuardOptions } from './guard-options.ts';
import type { ToolCall, ToolRun, ToolVerdict } from './tool-call.ts';

/** Judges calls of tools, and runs those that are allowed. */
export interface ToolGuard {
  /** The names of the tools that run without a verdict. */
  readonly unjudged: readonly string[];
  /** The names of the tools that have a rule. */
  readonly ruleNames: readonly string[];
  /**
   * The answer on a call. Never rejects: where there is no verdict, the call is denied. What an ALLOW takes of budgets is
   * taken: `dry_run` asks ahead, for a call that is judged again when it runs.
   */
  judge(call: ToolCall, options?: JudgeOptions): Promise<ToolVerdict>;
  /**
   * A call that is allowed, for adapters whose tools end later than a function returns. Throws `tool_denied` for any
   * other, with `details.record` and `details.reasons`, and the reason of a signal that ends it before.
   */
  begin(call: ToolCall): Promise<ToolRun>;
  /**
   * Runs a tool that is allowed with the arguments that were judged, and gives back what it gives back. Throws as
   * `begin` does. What is held for the call is committed when the tool has ended well.
   */
  run<T>(call: ToolCall, execute: (args: unknown) => T | Promise<T>): Promise<T>;
}

const made = new WeakSet<object>();

/** @internal Whether `createToolGuard` made it: what only looks like a guard may let everything run. */
export function isToolGuard(guard: unknown): guard is ToolGuard {
  return made.has(Object(guard));
}

/** A guard over the tools of an agent; `invalid_configuration` for options that are not valid. */
export function createToolGuard(given: ToolGuardOptions): ToolGuard {
  const options = checkGuardOptions(given);
  const answer = createAnswerCall(options);
  const guard: ToolGuard = {
    unjudged: Object.freeze([...options.unjudged]),
    ruleNames: Object.freeze([...options.readers.keys()]),
    judge: (call, how) => answer(call, how).then(verdictOf),
    async begin(call) {
      const { verdict, spend, idempotency_key, call: judged } = await answer(call);
      if (judged.signal?.aborted) {
        void spend.undo();
        throw judged.signal.reason;
      }
      if (!verdict.allowed) throw toolDenied(verdict.text, verdict.record, verdict.reasons);
      const { isThere: _, ...settled } = spend;
      return { args: judged.args, idempotency_key, ...settled };
    },
    async run(call, execute) {
      const { args, done } = await guard.begin(call);
      const result = await execute(args);
      await done();
      return result;
    },
  };
  made.add(guard);
  return Object.freeze(guard);
}

function verdictOf({ verdict }: Answered): ToolVerdict {
  return verdict;
}
