/** A transport whose calls of tools are judged before its protocol sees them. */
import { IdentityError, type ToolGuard, type VerdictRecord } from '../../../src/guard/index.ts';
import { deniedResult } from './denied-result.ts';

/** What is used of a transport. */
export interface Transport {
  /** Sends a message to the other side. */
  send(message: object, options?: object): Promise<void>;
}

type Callback = (...args: readonly unknown[]) => unknown;
type Message = { readonly method?: unknown; readonly id?: unknown; readonly params?: unknown };
type CallParams = { readonly name?: unknown; readonly arguments?: unknown };

/** The transport, with its `onmessage` behind the guard. */
export function judging(transport: Transport, guard: ToolGuard): Transport {
  /** The calls under judgement, by their ids. */
  const pending = new Map<unknown, AbortController>();

  function judge(message: Message, context: unknown, pass: (message: object) => unknown): void {
    const { id, params } = message;
    if (id === undefined) return;
    const { name, arguments: args } = Object(params) as CallParams;
    const controller = new AbortController();
    const { signal } = controller;
    pending.set(id, controller);
    const call = { name: name as string, args, id: String(id), signal, context };
    guard
      .run(call, (judged) => {
        const own = { ...Object(params), name, ...(judged !== undefined && { arguments: judged }) };
        return pass({ ...message, method: 'tools/call', params: own });
      })
      .catch((error: unknown) => {
        // What was cancelled is not answered.
        if (!(error instanceof IdentityError) || error.code !== 'tool_denied') return undefined;
        const result = deniedResult(error.message, error.details['record'] as VerdictRecord | null, params);
        return transport.send({ jsonrpc: '2.0', id, result }, { relatedRequestId: id });
      })
      .catch(() => undefined)
      .finally(() => pending.delete(id));
  }

  intercept(transport, 'onmessage', (receive) => (given, context) => {
    const message: Message = Object(given);
    const { method, params } = message;
    if (method === 'tools/call') return judge(message, context, (own) => receive(own, context));
    if (method === 'notifications/cancelled') {
      pending.get((Object(params) as { readonly requestId?: unknown }).requestId)?.abort();
    }
    return receive(given, context);
  });
  intercept(transport, 'onclose', (close) => (...args) => {
    for (const controller of pending.values()) controller.abort();
    return close(...args);
  });
  return transport;
}

/** Whatever is set as this callback of the transport is wrapped first. */
function intercept(transport: object, name: string, wrap: (callback: Callback) => Callback): void {
  const inherited = inheritedSetter(transport, name);
  let current = Reflect.get(transport, name) as Callback | undefined;
  Object.defineProperty(transport, name, {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(callback: Callback | undefined) {
      current = callback && wrap(callback);
      inherited?.call(transport, current);
    },
  });
}

/** Some transports hand their callbacks on to another one. */
function inheritedSetter(transport: object, name: string): ((value: unknown) => void) | undefined {
  for (let at: object | null = transport; at !== null; at = Object.getPrototypeOf(at)) {
    const own = Object.getOwnPropertyDescriptor(at, name);
    if (own?.set !== undefined) return own.set;
  }
  return undefined;
}
