/** The door `./guard/langchain`: the tools of a LangChain agent behind a guard. Tested with `langchain` 1.5.14. */
import { type AgentMiddleware, createMiddleware, ToolInvocationError, ToolMessage } from 'langchain';
import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  IdentityError,
  type ToolGuard,
  type ToolRun,
} from '../../../src/guard/index.ts';

/** @public */
export type { GuardToolsOptions, ToolGuard } from '../../../src/guard/index.ts';

/**
 * A middleware under which each tool of the agent runs on ALLOW only; the model learns why of a DENY. Put it last in
 * `middleware`, so that no other one changes the arguments after the verdict.
 */
export function guardMiddleware(guard: ToolGuard, options?: GuardToolsOptions): AgentMiddleware {
  assertToolGuard(guard);
  return createMiddleware({
    name: 'AgentIdentityGuard',
    wrapModelCall(request, handler) {
      // A tool that the provider runs is never passed to wrapToolCall.
      assertGuardable(guard, new Map(request.tools.map((tool) => [nameOf(tool), 'invoke' in tool])), options);
      return handler(request);
    },
    async wrapToolCall(request, handler) {
      const { toolCall, runtime } = request;
      const { name, args, id = '' } = toolCall;
      const { signal } = runtime as { readonly signal?: AbortSignal };
      let run: ToolRun | undefined;
      try {
        run = await guard.begin({ name, args, id, context: runtime, ...(signal && { signal }) });
        const given = { ...toolCall, args: run.args as typeof args };
        const result = await handler({ ...request, toolCall: given });
        if ((result as { readonly status?: unknown }).status !== 'error') await run.done();
        return result;
      } catch (error) {
        // The schema of the tool has refused the arguments: it did not begin.
        if (ToolInvocationError.isInstance(error)) await run?.undo();
        if (!(error instanceof IdentityError) || error.code !== 'tool_denied') throw error;
        const artifact = error.details['record'];
        return new ToolMessage({ status: 'error', content: error.message, name, tool_call_id: id, artifact });
      }
    },
  });
}

function nameOf(tool: object): string {
  const { name, type } = tool as { readonly name?: unknown; readonly type?: unknown };
  return String(name ?? type);
}
