import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  guardedView,
  hasDisguisedName,
  IdentityError,
  type ToolGuard,
  type ToolRun,
} from '../../../src/guard/index.ts';
import { APPROVAL_ID } from './denied-result.ts';
import { keptRuns } from './kept-runs.ts';
import { createTaskRuns, type TaskRuns } from './task-runs.ts';

type Method = (...args: readonly unknown[]) => Promise<unknown>;
type Params = { readonly name?: unknown; readonly arguments?: unknown };
type Message = { readonly method?: unknown; readonly params?: unknown };
type ToolList = { readonly tools: readonly { readonly name: string }[]; readonly nextCursor?: string };

/** The members of a client and its transport that could call a tool without `callTool`. */
const LEADING = ['callTool', 'request', 'notification', 'send', 'experimental', 'requestStream'];

/**
 * Returns the client with a guard. The guarded client sends tool calls only on ALLOW, and throws `tool_denied` for a
 * DENY. Before the first call, the server's tools are listed. If a tool mapping names an unknown tool, the call throws
 * `invalid_configuration`.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertToolGuard` of `./guard`.
 */
export function guardClient<Client extends object>(
  client: Client,
  guard: ToolGuard,
  options: GuardToolsOptions = {},
): Client {
  assertToolGuard(guard, options);
  const methods = client as unknown as Readonly<
    Record<'callTool' | 'request' | 'notification' | 'listTools', Method>
  >;
  const runStore = keptRuns(guard);
  const tasks = createTaskRuns();
  let checkPromise: Promise<void> | undefined;

  async function check(): Promise<void> {
    const names = new Map<string, boolean>();
    let cursor: string | undefined;
    do {
      const page = (await methods.listTools(cursor === undefined ? undefined : { cursor })) as ToolList;
      for (const { name } of page.tools) names.set(name, true);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assertGuardable(guard, names, options);
  }

  async function call(
    params: Params,
    otherArgs: readonly unknown[],
    send: (params: Params) => Promise<unknown>,
  ): Promise<unknown> {
    const signal = otherArgs.map((part) => (Object(part) as { signal?: AbortSignal }).signal).find(Boolean);
    if (guard.ruleNames.length > 0 && options.partial !== true) {
      checkPromise ??= check();
      await checkPromise.catch((error: unknown) => {
        checkPromise = undefined;
        throw error;
      });
    }
    const { name, arguments: args } = params;
    const run = await guard.begin({
      name: name as string,
      args,
      ...(signal && { signal }),
      ...runStore.take(params),
    });
    let result: unknown;
    try {
      result = await send(forwardedParams(params, run));
    } catch (error) {
      await endOf(run, error);
      throw error;
    }
    await runStore.settle(run, result, tasks);
    return result;
  }

  return guardedView(client, {
    leading: LEADING,
    own: {
      async callTool(value: unknown, ...otherArgs: readonly unknown[]) {
        const { params } = readOnce({ params: value });
        return call(Object(params), otherArgs, (ownParams) => methods.callTool(ownParams, ...otherArgs));
      },
      async request(value: unknown, ...otherArgs: readonly unknown[]) {
        const request = readOnce(value);
        if (request.method !== 'tools/call')
          return heardBy(tasks, request, methods.request(request, ...otherArgs));
        return call(Object(request.params), otherArgs, (params) =>
          methods.request({ ...request, params }, ...otherArgs),
        );
      },
      async notification(value: unknown, ...otherArgs: readonly unknown[]) {
        const notification = readOnce(value);
        // A message without an id is not a call, but some servers run its tool.
        if (notification.method === 'tools/call') throw refused('A call of a tool is no notification.');
        return methods.notification(notification, ...otherArgs);
      },
    },
  });
}

async function endOf(run: ToolRun, error: unknown): Promise<void> {
  if (isAnswer(error)) {
    run.threw(error);
    return;
  }
  // Nothing says how the tool ends: what is held for it is spent.
  await run.failed('unknown');
}

/**
 * Returns the answer to a request that is not a tool call. `tasks` first inspects the request and the answer, because
 * both may end a task.
 */
async function heardBy(tasks: TaskRuns, request: Message, answer: Promise<unknown>): Promise<unknown> {
  tasks.asks({ ...request, id: request });
  await answer.then(
    (result) => tasks.hears({ id: request, result }),
    (error: unknown) => (isAnswer(error) ? tasks.hears({ id: request, error }) : undefined),
  );
  return answer;
}

/**
 * Says whether the error is an answer of the server. The SDK also raises errors itself, for example for a time limit, a
 * closed connection or an unknown kind of answer. After these, a tool may still be running.
 */
function isAnswer(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'number' && code !== CONNECTION_CLOSED && code !== REQUEST_TIMEOUT;
}

const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;

/** Copies a message and its params, so that the guard sends exactly the evaluated message. */
function readOnce(value: unknown): Message {
  const message: Message = { ...Object(value) };
  const { params } = message;
  const ownMessage =
    typeof params === 'object' && params !== null ? { ...message, params: { ...params } } : message;
  if (isAmbiguous(ownMessage)) throw refused('A name differs from a known one by its case or U+0000 only.');
  return ownMessage;
}

function refused(message: string): IdentityError {
  return new IdentityError('invalid_request', message);
}

/** The member of `_meta` in which the permit of a call is sent to the server. */
export const PERMIT = 'agent-identity/permit';

/**
 * Returns the params to forward to the server, with the evaluated arguments and the permit of the verdict. Removes a
 * permit from the client, because it may be for another action.
 */
export function forwardedParams<Params extends { readonly arguments?: unknown }>(
  params: Params,
  { args, record }: Pick<ToolRun, 'args' | 'record'>,
): Params {
  const ownValue = { ...params, ...(args !== undefined && { arguments: args }) };
  const { _meta } = params as { readonly _meta?: unknown };
  const { [PERMIT]: value, ...meta } = Object(_meta) as Readonly<Record<string, unknown>>;
  const permit = record?.permit;
  if (typeof permit === 'string') return { ...ownValue, _meta: { ...meta, [PERMIT]: permit } };
  return value === undefined ? ownValue : { ...ownValue, _meta: meta };
}

const MESSAGE = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const PARAMS = [
  ...['name', 'arguments', '_meta', 'task', 'requestState', 'inputResponses'],
  ...['uri', 'cursor', 'requestId', 'taskId'],
];
const META = ['progressToken', 'traceparent', 'io.modelcontextprotocol/protocolVersion', APPROVAL_ID, PERMIT];

/** Says whether a server could understand a JSON-RPC message, its params or their `_meta` differently than the guard. */
export function isAmbiguous(message: object): boolean {
  const { params } = message as { readonly params?: unknown };
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  return (
    hasDisguisedName(message, MESSAGE) || hasDisguisedName(params, PARAMS) || hasDisguisedName(_meta, META)
  );
}
