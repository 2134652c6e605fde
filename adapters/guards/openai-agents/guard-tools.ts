import {
  assertGuardable,
  type GuardToolsOptions,
  type ToolGuard,
  type ToolRun,
} from '../../../src/guard/index.ts';
import { denialText } from './guard-mcp-server.ts';

type Invoke = (context: unknown, input: string, details?: Details) => Promise<unknown>;
type NeedsApproval = (context: unknown, args: unknown, id?: string) => Promise<boolean>;
type Details = {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly callId?: string };
  /** The state of an agent that runs as a tool and was stopped. */
  readonly resumeState?: string;
};
type FunctionTool = {
  readonly name: string;
  readonly invoke?: Invoke;
  readonly needsApproval?: NeedsApproval;
  readonly outputSchema?: unknown;
  /** A method that only tools of `agent.asTool()` have. */
  readonly on?: unknown;
};

/**
 * Returns guarded copies of the tools, which run only on ALLOW. The model gets the reasons of a DENY. A tool with an
 * `outputSchema` throws `tool_denied` instead, because a text does not match its schema.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertGuardable` of `./guard`.
 */
export function guardTools<Tools extends readonly { readonly name: string }[]>(
  tools: Tools,
  guard: ToolGuard,
  options?: GuardToolsOptions,
): Tools {
  const allTools: readonly FunctionTool[] = tools;
  assertGuardable(
    guard,
    new Map(allTools.map(({ name, invoke }) => [name, typeof invoke === 'function'])),
    options,
  );
  const isPausing = options?.pause === true;
  return allTools.map((tool) => guarded(tool, guard, isPausing)) as unknown as Tools;
}

function guarded(tool: FunctionTool, guard: ToolGuard, isPausing: boolean): FunctionTool {
  const { name, invoke, outputSchema } = tool;
  if (invoke === undefined || guard.unjudged.includes(name)) return tool;
  const isAgent = typeof tool.on === 'function';
  const wrappedInvoke: Invoke = async (context, input, details) => {
    const { signal, resumeState, toolCall: { callId: id } = {} } = details ?? {};
    const call = {
      name,
      args: parsed(input),
      context,
      resumes: resumeState !== undefined,
      ...(id !== undefined && { id }),
      ...(signal && { signal }),
    };
    let run: ToolRun | undefined;
    try {
      run = await guard.begin(call);
      // The SDK parses the text again: it gets the arguments that were evaluated, as text.
      const output = await invoke.call(tool, context, JSON.stringify(run.args), details);
      await settle(run, isAgent, output);
      return output;
    } catch (error) {
      run?.threw(error);
      const text = denialText(error);
      if (text === undefined || outputSchema !== undefined) throw error;
      return text;
    }
  };
  const copy: object = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  const ownTool = Object.defineProperty(copy, 'invoke', {
    value: wrappedInvoke,
    enumerable: true,
  }) as FunctionTool;
  if (!isPausing) return ownTool;
  const needsApproval: NeedsApproval = async (context, args, id) => {
    if (await tool.needsApproval?.(context, args, id)) return true;
    const call = { name, args, context, ...(id !== undefined && { id }) };
    return (await guard.approvalFor?.(call))?.status === 'pending';
  };
  return Object.defineProperty(ownTool, 'needsApproval', { value: needsApproval, enumerable: true });
}

/**
 * Settles the run of a tool that has returned.
 *
 * If an agent is the tool and its own tool waits for an approval, the agent returns an empty text. The SDK gives no
 * other sign. Such a run gets no outcome, and the call that resumes it continues the run. Its hold finally counts as
 * spent, because an agent may also have finished with an empty text.
 */
async function settle(run: ToolRun, isAgent: boolean, output: unknown): Promise<void> {
  if (isAgent) run.pause('resumed call');
  if (!isAgent || (output !== '' && output !== undefined)) await run.done();
  else run.keepHold();
}

/**
 * Parses the arguments. If the text is not JSON, the guard evaluates and passes on the whole text as one string.
 * Otherwise another parser could find arguments in the text that the guard has not evaluated.
 */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
