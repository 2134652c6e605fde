/** Evaluates the tool calls of a transport before its protocol reads them. */
import type { IdentityError, ToolGuard, ToolRun } from '../../../src/guard/index.ts';
import { answerRefused, beginAsked } from './asked-call.ts';
import { deniedResult } from './denied-result.ts';
import { createElicitations, type Elicitations } from './elicitation.ts';
import { hiddenTools, isHidden, noList, unknownTool } from './hidden-tools.ts';
import { type KeptRuns, keptRuns } from './kept-runs.ts';
import { taskRunsOf } from './task-runs.ts';

export interface Transport {
  send(message: object, options?: object): Promise<void>;
}

type Callback = (...args: readonly unknown[]) => unknown;
type Message = Readonly<Partial<Record<'method' | 'id' | 'params' | 'result' | 'error', unknown>>>;
type CallParams = { readonly name?: unknown; readonly arguments?: unknown };

/** The error codes for a missing method or tool. The tool has not started in these cases. */
const REFUSED: readonly unknown[] = [-32_601, -32_602];

export function guardedTransport(transport: Transport, guard: ToolGuard, isHiding = false): Transport {
  const pending = new Map<unknown, AbortController>();
  const running = new Map<unknown, ToolRun>();
  /** The ids of unanswered requests. */
  const open = new Set<unknown>();
  const runStore = keptRuns(guard);
  const tasks = taskRunsOf(guard);
  const elicitations = createElicitations(guard);
  const parts: TransportParts = {
    transport,
    guard,
    pending,
    running,
    kept: runStore,
    elicitations,
    isHiding,
    isOpen: true,
  };
  const lists = new Map<unknown, unknown>();

  /** Settles a run before the client gets the answer, because the process may end right after the answer. */
  async function settle(message: Message): Promise<void> {
    const { method, id, result, error } = message;
    const run = method === undefined ? running.get(id) : undefined;
    if (method === undefined) open.delete(id);
    if (run === undefined) return tasks.hears(message);
    running.delete(id);
    if (error === undefined) await runStore.settle(run, result, tasks);
    else if (REFUSED.includes(Object(error).code)) await run.undo();
    else run.threw(error);
  }

  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await settle(message);
    const { method, id }: Message = message;
    if (method !== undefined || !lists.has(id)) return send(message, options);
    const context = lists.get(id);
    lists.delete(id);
    return send(await shownList(message, guard, context), options);
  };
  intercept(transport, 'onmessage', (receive, value, context) => {
    // Each member is read once, so that the server gets what was evaluated, also from a transport that passes objects.
    const message: Message = { ...Object(value) };
    const { method, id, params } = message;
    if (method !== undefined && id !== undefined) {
      // An answer could not be matched to one of two requests: the answer to the other one would settle this call.
      if (open.has(id)) return send(refusalOf(id), { relatedRequestId: id }).catch(() => undefined);
      open.add(id);
    }
    if (isHiding && method === 'tools/list') lists.set(id, context);
    tasks.asks(message);
    elicitations.hears(message as Readonly<Record<string, unknown>>);
    if (method === 'tools/call') {
      const pass = (ownMessage: object): unknown => receive(ownMessage, context);
      return evaluateCall(parts, message, context, pass).catch(() => undefined);
    }
    if (method === 'notifications/cancelled') {
      const { requestId } = Object(params) as { readonly requestId?: unknown };
      pending.get(requestId)?.abort();
      open.delete(requestId);
      lists.delete(requestId);
      giveUp(running, requestId);
    }
    return receive(message, context);
  });
  intercept(transport, 'onclose', (close, ...args) => {
    parts.isOpen = false;
    for (const controller of pending.values()) controller.abort();
    for (const id of running.keys()) giveUp(running, id);
    open.clear();
    lists.clear();
    return close(...args);
  });
  return transport;
}

interface TransportParts {
  readonly transport: Transport;
  readonly guard: ToolGuard;
  readonly pending: Map<unknown, AbortController>;
  readonly running: Map<unknown, ToolRun>;
  readonly kept: KeptRuns;
  readonly elicitations: Elicitations;
  readonly isHiding: boolean;
  isOpen: boolean;
}

async function evaluateCall(
  parts: TransportParts,
  message: Message,
  context: unknown,
  pass: (message: object) => unknown,
): Promise<void> {
  const { transport, guard, pending, running, kept, elicitations, isHiding } = parts;
  const { id } = message;
  if (id === undefined) return;
  const controller = new AbortController();
  const { signal } = controller;
  pending.set(id, controller);
  const read = elicitations.read({ ...Object(message.params) });
  const askedParams = read instanceof Promise ? await read : read;
  const { params, state } = askedParams;
  const { name, arguments: args }: CallParams = params;
  const call = { name: name as string, args, id: String(id), signal, context, ...kept.take(params) };
  try {
    const run = await beginAsked(guard, call, state);
    running.set(id, run);
    await pass({
      ...message,
      params: { ...params, ...(run.args !== undefined && { arguments: run.args }) },
    });
  } catch (error) {
    const answer = (ownMessage: object): Promise<void> =>
      transport.send(ownMessage, { relatedRequestId: id });
    const denial = (ownError: IdentityError): object =>
      isHiding && isHidden(guard, ownError, name)
        ? unknownTool(id, name)
        : { jsonrpc: '2.0', id, result: deniedResult(ownError, params) };
    await answerRefused(error, {
      id,
      asked: askedParams,
      elicitations,
      answer,
      denial,
      isOpen: () => parts.isOpen,
    });
  } finally {
    pending.delete(id);
  }
}

async function shownList(message: object, guard: ToolGuard, context: unknown): Promise<object> {
  const { id, result } = message as Message;
  const { tools } = Object(result) as { readonly tools?: unknown };
  if (!Array.isArray(tools)) return message;
  try {
    const hiddenNames = await hiddenTools(guard, tools.map(nameOf), context);
    return {
      ...message,
      result: { ...Object(result), tools: tools.filter((tool) => !hiddenNames.has(nameOf(tool))) },
    };
  } catch {
    return noList(id);
  }
}

function nameOf(tool: unknown): string {
  return String(Object(tool).name);
}

/** Abandons a run whose call was cancelled. Its result is unknown, so the hold is committed. */
function giveUp(running: Map<unknown, ToolRun>, id: unknown): void {
  void running.get(id)?.failed('unknown');
  running.delete(id);
}

function refusalOf(id: unknown): object {
  const error = { code: -32_600, message: 'A request of this id is not answered yet.' };
  return { jsonrpc: '2.0', id, error };
}

function intercept(
  transport: object,
  name: string,
  handle: (callback: Callback, ...args: Parameters<Callback>) => unknown,
): void {
  const descriptorBefore = accessorOf(transport, name);
  let current = Reflect.get(transport, name) as Callback | undefined;
  Object.defineProperty(transport, name, {
    configurable: true,
    enumerable: true,
    // Another guard may have wrapped it again.
    get: () => (descriptorBefore?.get ? descriptorBefore.get.call(transport) : current),
    set(callback: Callback | undefined) {
      current = callback && handle.bind(transport, callback);
      descriptorBefore?.set?.call(transport, current);
    },
  });
}

/** Finds the accessor of a callback. Some transports forward the callback to another transport. */
function accessorOf(transport: object, name: string): PropertyDescriptor | undefined {
  for (let layer: object | null = transport; layer !== null; layer = Object.getPrototypeOf(layer)) {
    const ownDescriptor = Object.getOwnPropertyDescriptor(layer, name);
    if (ownDescriptor?.set !== undefined) return ownDescriptor;
  }
  return undefined;
}
