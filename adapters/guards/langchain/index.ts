/** The door `./guard/langchain`: the tools of a LangChain agent behind a guard. Tested with `langchain` 1.5.14. */
import type { AgentMiddleware } from 'langchain';
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
  assertToolGuard(guard, options);
  const middleware: Pick<AgentMiddleware, 'name' | 'wrapModelCall' | 'wrapToolCall'> = {
    name: 'AgentIdentityGuard',
    wrapModelCall(request, handler) {
      // A tool that the provider runs is never passed to wrapToolCall.
      assertGuardable(guard, new Map(request.tools.map((tool) => [nameOf(tool), 'invoke' in tool])), options);
      return handler(request);
    },
    async wrapToolCall(given, handler) {
      // All of it is read once: what is judged is what runs.
      const request = { ...given, toolCall: { ...given.toolCall } };
      const { toolCall, runtime } = request;
      const { name, args, id = '' } = toolCall;
      const { signal } = runtime as { readonly signal?: AbortSignal };
      let run: ToolRun | undefined;
      try {
        assertNamed(request.tool, name);
        run = await guard.begin({ name, args, id, context: runtime, ...(signal && { signal }) });
        const judged = { ...toolCall, args: run.args as typeof args };
        const result = await handler({ ...request, toolCall: judged });
        if ((result as { readonly status?: unknown }).status !== 'error') await run.done();
        return result;
      } catch (error) {
        const { ToolInvocationError, ToolMessage } = await import('langchain');
        // The schema of the tool has refused the arguments: it did not begin.
        if (ToolInvocationError.isInstance(error)) await run?.undo();
        if (!(error instanceof IdentityError) || error.code !== 'tool_denied') throw error;
        const artifact = error.details['record'];
        return new ToolMessage({ status: 'error', content: error.message, name, tool_call_id: id, artifact });
      }
    },
  };
  // As `createMiddleware` marks them.
  return { ...middleware, [Symbol.for('AgentMiddleware')]: true } as AgentMiddleware;
}

/** Says what is missing when this door is imported, where the runtime can look for packages. The code is loaded later. */
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

/** A middleware may have put another tool in the place of the one that the call names. */
function assertNamed(tool: unknown, name: string): void {
  const own: unknown = tool === undefined ? name : Object(tool).name;
  if (own === name) return;
  const message = `The call names ${JSON.stringify(name)}, and another tool would run.`;
  throw new IdentityError('invalid_configuration', message);
}

function nameOf(tool: object): string {
  const { name, type } = tool as { readonly name?: unknown; readonly type?: unknown };
  return String(name ?? type);
}
