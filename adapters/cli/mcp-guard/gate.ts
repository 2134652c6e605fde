/**
 * Checks the messages from a client to the server. Each tool call is evaluated, and forwarded exactly as it was
 * evaluated.
 */
import { isAmbiguous } from '../../guards/mcp/index.ts';
import { createEvaluations, type EvaluationOptions } from './evaluations.ts';
import {
  errorAnswer,
  isRequestId,
  type Message,
  type RequestId,
  tryReadMessage,
  unreadable,
} from './message.ts';

export interface GateOptions extends EvaluationOptions {
  readonly isGuardingMethods: boolean;
  readonly allowedMethods: readonly string[];
  readonly onList: (id: RequestId, params: unknown) => void;
}

export interface Gate {
  /** Handles one line of the client. `undefined` stands for a line that is too long. */
  receive(line: Uint8Array | undefined): void;
  heard(line: Uint8Array): Promise<void>;
  pendingCount(): number;
  /** Resolves when the calls that wait at present have their verdicts. */
  settled(): Promise<void>;
  end(): Promise<void>;
}

/** Creates a gate that forwards only evaluated calls and known methods. */
export function createGate(options: GateOptions): Gate {
  const { isGuardingMethods, forward, answer, onList } = options;
  const passing = new Set([...METHODS, ...options.allowedMethods]);
  const guardedMethods = new Set(isGuardingMethods ? ['tools/call', ...GUARDED_METHODS] : ['tools/call']);
  const evaluations = createEvaluations(options);

  function receive(line: Uint8Array | undefined): void {
    if (line !== undefined && isBlank(line)) return;
    const message = line === undefined ? undefined : tryReadMessage(line);
    if (message === undefined) answer(unreadable(line));
    else if (isObject(message)) take(message);
    else
      answer(
        errorAnswer(
          null,
          -32_600,
          'A message must be one JSON object. Send the messages of a list one by one.',
        ),
      );
  }

  function take(message: Message): void {
    const { id } = message;
    const problem = problemOf(message);
    if (problem !== undefined) answer(errorAnswer(isRequestId(id) ? id : null, -32_600, problem));
    else if (Object.hasOwn(message, 'method')) pass(message);
    else forward(message);
  }

  function pass(message: Message): void {
    const { method, id } = message;
    const refuse = (code: number, text: string): void => {
      if (Object.hasOwn(message, 'id')) answer(errorAnswer(isRequestId(id) ? id : null, code, text));
    };
    if (isRequestId(id)) evaluations.comes(id);
    if (typeof method !== 'string') refuse(-32_600, 'The method must be a string.');
    else if (guardedMethods.has(method) && isRequestId(id)) evaluations.evaluate(message, method, id);
    // Without an id no answer could carry a DENY: it is dropped.
    else if (guardedMethods.has(method)) refuse(-32_600, 'The id must be a string or an integer.');
    else if (!passing.has(method)) refuse(-32_601, UNKNOWN_METHOD);
    else forwardRequest(message);
  }

  function forwardRequest(message: Message): void {
    const { method, id, params } = message;
    if (method === 'notifications/cancelled' && evaluations.cancel(params)) return;
    evaluations.asks(message);
    if (method === 'tools/list' && isRequestId(id)) onList(id, params);
    forward(message);
  }

  return {
    receive,
    heard: evaluations.heard,
    pendingCount: () => evaluations.size,
    settled: () => evaluations.settled(),
    end: () => evaluations.end(),
  };
}

/** Returns the reason why a server may read the message differently; `undefined` if there is no such reason. */
function problemOf(message: Message): string | undefined {
  if (isAmbiguous(message))
    return 'A name differs from a known name only by its case or U+0000. Spell it as the specification of MCP does.';
  const [hasMethod, hasId, hasResult, hasError] = ['method', 'id', 'result', 'error'].map((name) =>
    Object.hasOwn(message, name),
  );
  if (hasMethod || (hasId && hasResult !== hasError)) return undefined;
  return 'The message is no request and no answer. Add a method, or an id and either a result or an error.';
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

const UNKNOWN_METHOD =
  'The guard does not know this method. To let it pass, start the guard with --allow-method.';

/** The requests and notifications that are forwarded. `tools/call` is evaluated first. */
const METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'completion/complete'],
  ...['tools/list', 'prompts/list', 'prompts/get', 'resources/list', 'resources/templates/list'],
  ...['resources/read', 'resources/subscribe', 'resources/unsubscribe', 'subscriptions/listen'],
  ...['tasks/get', 'tasks/result', 'tasks/list', 'tasks/update', 'tasks/cancel'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['notifications/roots/list_changed', 'notifications/tasks/status', 'notifications/message'],
  'notifications/elicitation/complete',
]);

export const GUARDED_METHODS: ReadonlySet<string> = new Set(['resources/read', 'prompts/get']);
