import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  guardedView,
  IdentityError,
  type ToolGuard,
  type ToolRun,
} from '../../../src/guard/index.ts';

type Content = readonly { readonly type: 'text'; readonly text: string }[];
type Method = (...args: readonly unknown[]) => Promise<unknown>;

const LEADING = ['callTool', 'callToolResult', 'request', 'notification', 'send'];

/**
 * Returns the MCP server for `mcpServers` with a guard. Its tools keep their names, and run only on ALLOW.
 * The model gets a DENY as the result of the tool. Before the first call, the server's tools are listed. If a
 * tool mapping names an unknown tool, the call throws `invalid_configuration`.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertToolGuard` of `./guard`.
 */
export function guardMcpServer<Server extends object>(
  server: Server,
  guard: ToolGuard,
  options: GuardToolsOptions = {},
): Server {
  assertToolGuard(guard, options);
  let checkPromise: Promise<void> | undefined;

  async function check(): Promise<void> {
    const { listTools } = server as { listTools(): Promise<readonly { readonly name: string }[]> };
    const tools = await listTools.call(server);
    assertGuardable(guard, new Map(tools.map(({ name }) => [name, true])), options);
  }

  const guardMethod =
    (method: Method, resultOf: (content: Content) => unknown): Method =>
    async (name, args, meta, ...otherArgs) => {
      if (guard.ruleNames.length > 0 && options.partial !== true) {
        checkPromise ??= check();
        await checkPromise.catch((error: unknown) => {
          checkPromise = undefined;
          throw error;
        });
      }
      const [{ signal } = {}] = otherArgs as readonly { readonly signal?: AbortSignal }[];
      const call = { name: name as string, args, context: meta, ...(signal && { signal }) };
      let run: ToolRun | undefined;
      try {
        run = await guard.begin(call);
        const result = await method.call(server, name, run.args, meta, ...otherArgs);
        if ((Object(result) as { readonly isError?: unknown }).isError === true) run.failed();
        else await run.done();
        return result;
      } catch (error) {
        run?.threw(error);
        const text = denialText(error);
        if (text === undefined) throw error;
        return resultOf([{ type: 'text', text }]);
      }
    };

  const { callTool, callToolResult } = server as Readonly<Record<string, Method | undefined>>;
  return guardedView(server, {
    leading: LEADING,
    own: {
      ...(callTool && { callTool: guardMethod(callTool, (content) => content) }),
      ...(callToolResult && {
        callToolResult: guardMethod(callToolResult, (content) => ({ content, isError: true })),
      }),
    },
  });
}

/**
 * Returns the text for the model if a guard has stopped the call. The SDK hides a thrown error from the model, and
 * tells it to try again.
 */
export function denialText(error: unknown): string | undefined {
  return error instanceof IdentityError && error.code === 'tool_denied' ? error.message : undefined;
}
