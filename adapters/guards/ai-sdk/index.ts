/** The entry point `./guard/ai-sdk`: guards tools of the Vercel AI SDK. Tested with `ai` 6.0.326 and 7.0.173. */
import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  type ToolCall,
  type ToolGuard,
} from '../../../src/guard/index.ts';

export type { GuardToolsOptions, ToolGuard } from '../../../src/guard/index.ts';

type Execute = (input: unknown, options?: CallOptions) => unknown;
type CallOptions = { readonly toolCallId?: string; readonly abortSignal?: AbortSignal };

/**
 * Makes guarded copies of the tools, which run on ALLOW only. A DENY is thrown as `tool_denied`, whose text the model
 * gets.
 */
export function guardTools<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  guard: ToolGuard,
  options?: GuardToolsOptions,
): Tools {
  const all = Object.entries(tools);
  assertGuardable(
    guard,
    new Map(all.map(([name, tool]) => [name, typeof executeOf(tool) === 'function'])),
    options,
  );
  return Object.fromEntries(all.map(([name, tool]) => [name, guarded(name, tool, guard)])) as Tools;
}

function executeOf(tool: object): Execute | undefined {
  return (tool as { readonly execute?: Execute }).execute;
}

function guarded(name: string, tool: object, guard: ToolGuard): object {
  const execute = executeOf(tool);
  if (execute === undefined || guard.unjudged.includes(name)) return tool;
  const callOf = (args: unknown, options: CallOptions | undefined): ToolCall => {
    const { toolCallId: id, abortSignal: signal } = options ?? {};
    return { name, args, context: options, ...(id !== undefined && { id }), ...(signal && { signal }) };
  };
  // The SDK decides by the immediate result of `execute` if a tool streams.
  const isStream = Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
  const wrapped: Execute = isStream
    ? async function* (args, options) {
        const run = await guard.begin(callOf(args, options));
        let isOver = false;
        try {
          yield* execute.call(tool, run.args, options) as AsyncIterable<unknown>;
          isOver = true;
          await run.done();
        } catch (error) {
          isOver = true;
          run.threw(error);
          throw error;
        } finally {
          // A reader that leaves the stream ends this function here, without an error.
          if (!isOver) run.failed('unknown');
        }
      }
    : async (args, options) =>
        guard.run(callOf(args, options), async (input) => lastOf(await execute.call(tool, input, options)));
  const copy: object = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  return Object.defineProperty(copy, 'execute', { value: wrapped, enumerable: true });
}

async function lastOf(result: unknown): Promise<unknown> {
  if (typeof (Object(result) as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] !== 'function')
    return result;
  let last: unknown;
  for await (last of result as AsyncIterable<unknown>);
  return last;
}

/**
 * Makes the option `toolApproval` of `ai` 7: a denied call is not tried, and the model gets the reasons. The tool
 * itself asks for a verdict again when it runs, so use tools from `guardTools`. This first verdict charges no budget
 * and asks no person: a call that lacks only an approval passes here, and asks the person when it runs.
 */
export function approvalOf(
  guard: ToolGuard,
): (asked: { readonly toolCall: ApprovalCall }) => Promise<{ type: 'denied'; reason: string } | undefined> {
  assertToolGuard(guard);
  return async ({ toolCall: { toolName: name, toolCallId: id, input: args } }) => {
    const verdict = await guard.judge({ name, args, id }, { dry_run: true });
    if (verdict.allowed) return undefined;
    // Only the verdict of the run asks a person: a call that lacks only the approval is tried, and denied then.
    if (verdict.reasons.every(({ code }) => code === 'approval_required')) return undefined;
    return { type: 'denied', reason: verdict.text };
  };
}

/** A call that the model requests. */
export type ApprovalCall = {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
};
