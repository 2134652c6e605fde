/** The entry point `./guard/ai-sdk`: guards tools of the Vercel AI SDK. Tested with `ai` 6.0.326 and 7.0.173. */
import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  type NeededApproval,
  type ToolCall,
  type ToolGuard,
} from '../../../src/guard/index.ts';

export type {
  Amount,
  GuardToolsOptions,
  Intent,
  IntentUsage,
  ModelUsage,
  ToolGuard,
  VerdictRecord,
} from '../../../src/guard/index.ts';
export {
  type MeteredPart,
  type MeterModelOptions,
  type ModelMeter,
  type ModelParams,
  meterModel,
} from './meter-model.ts';
export type { ModelCost, ModelVerifier } from './model-hold.ts';

type Execute = (input: unknown, options?: CallOptions) => unknown;
type CallOptions = { readonly toolCallId?: string; readonly abortSignal?: AbortSignal };

/**
 * Returns guarded copies of the tools, which run only on ALLOW. A DENY throws `tool_denied`, and the model gets the
 * text of this error.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertGuardable` of `./guard`.
 */
export function guardTools<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  guard: ToolGuard,
  options?: GuardToolsOptions,
): Tools {
  const entries = Object.entries(tools);
  assertGuardable(
    guard,
    new Map(entries.map(([name, tool]) => [name, typeof executeOf(tool) === 'function'])),
    options,
  );
  const isPausing = options?.pause === true;
  return Object.fromEntries(
    entries.map(([name, tool]) => [name, guarded(name, tool, guard, isPausing)]),
  ) as Tools;
}

function executeOf(tool: object): Execute | undefined {
  return (tool as { readonly execute?: Execute }).execute;
}

function guarded(name: string, tool: object, guard: ToolGuard, isPausing: boolean): object {
  const execute = executeOf(tool);
  if (execute === undefined || guard.unjudged.includes(name)) return tool;
  const callOf = (args: unknown, options: CallOptions | undefined): ToolCall => {
    const { toolCallId: id, abortSignal: signal } = options ?? {};
    return { name, args, context: options, ...(id !== undefined && { id }), ...(signal && { signal }) };
  };
  // The SDK decides by the immediate result of `execute` if a tool streams.
  const isStream = Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
  const wrappedExecute: Execute = isStream
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
          if (!isOver) await run.failed('unknown');
        }
      }
    : async (args, options) =>
        guard.run(callOf(args, options), async (input) => lastOf(await execute.call(tool, input, options)));
  const copy: object = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  const ownTool = Object.defineProperty(copy, 'execute', { value: wrappedExecute, enumerable: true });
  if (!isPausing) return ownTool;
  const { needsApproval: valueBefore } = tool as { readonly needsApproval?: boolean | Execute };
  const needsApproval: Execute = async (args, options) => {
    const isAsked =
      typeof valueBefore === 'function' ? await valueBefore.call(tool, args, options) : valueBefore;
    return isAsked || (await isOpen(guard, callOf(args, options))) !== undefined;
  };
  return Object.defineProperty(ownTool, 'needsApproval', { value: needsApproval, enumerable: true });
}

/**
 * Returns the pending or given approval of a call; `undefined` if the call needs none or a person rejected it. When the
 * SDK resumes a run, the SDK calls this function again. A given approval is returned again, because the SDK would
 * otherwise deny the call.
 */
async function isOpen(guard: ToolGuard, call: ToolCall): Promise<NeededApproval | undefined> {
  const neededApproval = await guard.approvalFor?.(call);
  return neededApproval?.status === 'rejected' ? undefined : neededApproval;
}

async function lastOf(result: unknown): Promise<unknown> {
  if (typeof (Object(result) as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] !== 'function')
    return result;
  let last: unknown;
  for await (last of result as AsyncIterable<unknown>);
  return last;
}

/**
 * Creates the option `toolApproval` of `ai` 7. The SDK does not try a denied call, and the model gets the reasons.
 *
 * A call gets a first verdict here, and a second when its tool runs, so use tools from `guardTools`. The
 * first verdict takes nothing from budgets and requests no approval.
 *
 * A call that only lacks an approval is not denied here. It requests the approval when its tool runs. With
 * `{ pause: true }`, the call waits in the SDK instead, until a person has decided on the page for approvals.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertToolGuard` of `./guard`.
 */
export function approvalOf(
  guard: ToolGuard,
  options: Pick<GuardToolsOptions, 'pause'> = {},
): (request: { readonly toolCall: ApprovalCall }) => Promise<ApprovalAnswer | undefined> {
  assertToolGuard(guard, options);
  const { pause: isPausing = false } = options;
  return async ({ toolCall: { toolName: name, toolCallId: id, input: args } }) => {
    const neededApproval = isPausing ? await isOpen(guard, { name, args, id }) : undefined;
    if (neededApproval !== undefined) return { type: 'user-approval', reason: neededApproval.text };
    const verdict = await guard.judge({ name, args, id }, { dry_run: true });
    if (verdict.allowed) return undefined;
    // Only the verdict of the run asks a person: a call that lacks only the approval is tried, and denied then.
    if (verdict.reasons.every(({ code }) => code === 'approval_required')) return undefined;
    return { type: 'denied', reason: verdict.text };
  };
}

/** The answer of `approvalOf` to the SDK. */
export type ApprovalAnswer = {
  readonly type: 'denied' | 'user-approval';
  readonly reason: string;
};

/** A tool call of the model. */
export type ApprovalCall = {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
};
