/** The entry point `./guard/langchain`: guards the tools of a LangChain agent. Tested with `langchain` 1.5.14. */
import type { AgentMiddleware } from 'langchain';
import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  IdentityError,
  type ToolCall,
  type ToolGuard,
  type ToolRun,
} from '../../../src/guard/index.ts';

/** @public */
export type { GuardToolsOptions, ToolGuard } from '../../../src/guard/index.ts';

/**
 * Creates middleware that runs each tool of the agent only on ALLOW, and gives the model the reasons of a DENY. Put it
 * last in `middleware`, so that no other middleware changes the arguments after the verdict.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertToolGuard` of `./guard`.
 */
export function guardMiddleware(guard: ToolGuard, options?: GuardToolsOptions): AgentMiddleware {
  assertToolGuard(guard, options);
  const middleware: Pick<AgentMiddleware, 'name' | 'wrapModelCall' | 'wrapToolCall'> = {
    name: 'AgentIdentityGuard',
    wrapModelCall(request, handler) {
      // A tool that the provider runs never passes through wrapToolCall.
      assertGuardable(guard, new Map(request.tools.map((tool) => [nameOf(tool), 'invoke' in tool])), options);
      return handler(request);
    },
    async wrapToolCall(givenRequest, handler) {
      // Each member is read once, so that the call that was evaluated is the call that runs.
      const request = { ...givenRequest, toolCall: { ...givenRequest.toolCall } };
      const { toolCall, runtime } = request;
      const { name, args, id = '' } = toolCall;
      const { signal } = runtime as { readonly signal?: AbortSignal };
      const call = { name, args, id, context: runtime, ...(signal && { signal }) };
      if (options?.pause) await waitForPerson(guard, call, runtime);
      let run: ToolRun | undefined;
      try {
        assertNamed(request.tool, name);
        run = await guard.begin(call);
        const evaluatedCall = { ...toolCall, args: run.args as typeof args };
        const result = await handler({ ...request, toolCall: evaluatedCall });
        if ((result as { readonly status?: unknown }).status === 'error') run.failed();
        else await run.done();
        return result;
      } catch (error) {
        const { ToolInvocationError, ToolMessage } = await import('langchain');
        // The tool has not begun: its schema refused the arguments.
        if (ToolInvocationError.isInstance(error)) await run?.undo();
        else run?.threw(error);
        if (!(error instanceof IdentityError) || error.code !== 'tool_denied') throw error;
        const artifact = error.details['record'];
        return new ToolMessage({ status: 'error', content: error.message, name, tool_call_id: id, artifact });
      }
    },
  };
  // The mark that `createMiddleware` sets.
  return { ...middleware, [Symbol.for('AgentMiddleware')]: true } as AgentMiddleware;
}

/**
 * Stops the run of the graph while the approval of the call is pending. If the application resumes the run
 * too early, the run stops again. The value with which the application resumes the run has no meaning.
 */
async function waitForPerson(guard: ToolGuard, call: ToolCall, runtime: unknown): Promise<void> {
  const { interrupt } = Object(runtime) as { readonly interrupt?: (value: object) => unknown };
  for (;;) {
    const neededApproval = await guard.approvalFor?.(call);
    if (neededApproval?.status !== 'pending') return;
    if (interrupt === undefined)
      throw new IdentityError('invalid_configuration', 'pause needs a checkpointer.');
    const { id: approval_id, url, expires_at, text } = neededApproval;
    interrupt({ type: 'agent_identity_approval', approval_id, url, expires_at, tool: call.name, text });
  }
}

/** Throws on import if the package is missing, in runtimes that can check this. The package itself is loaded later. */
function assertInstalled(): void {
  try {
    import.meta.resolve?.('langchain');
  } catch (cause) {
    if (Object(cause).code !== 'ERR_MODULE_NOT_FOUND') return;
    const message = 'The guard for LangChain needs a package: npm install langchain';
    throw new IdentityError('invalid_configuration', message, { cause });
  }
}

assertInstalled();

/** Throws if another middleware has replaced the named tool of the call. */
function assertNamed(tool: unknown, name: string): void {
  const ownValue: unknown = tool === undefined ? name : Object(tool).name;
  if (ownValue === name) return;
  const message = `The call names ${JSON.stringify(name)}, and another tool would run.`;
  throw new IdentityError('invalid_configuration', message);
}

function nameOf(tool: object): string {
  const { name, type } = tool as { readonly name?: unknown; readonly type?: unknown };
  return String(name ?? type);
}
