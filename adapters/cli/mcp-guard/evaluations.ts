/** The calls that wait for their verdict. Each is then forwarded as it was evaluated, or answered with the denial. */
import type { IdentityError, ToolGuard, ToolRun } from '../../../src/guard/index.ts';
import {
  type AskedParams,
  answerRefused,
  beginAsked,
  createElicitations,
  createTaskRuns,
  deniedMeta,
  deniedResult,
  type Elicitations,
  forwardedParams,
  isHidden,
  keptRuns,
  type RefusedCall,
  unknownTool,
} from '../../guards/mcp/index.ts';
import { errorAnswer, idText, isRequestId, type Message, type RequestId, tryReadMessage } from './message.ts';
import { withinTrace } from './verifier.ts';

export interface EvaluationOptions {
  readonly guard: ToolGuard;
  readonly denyAs: 'result' | 'error';
  /** `true` to answer a call of a hidden tool like a call of an unknown tool. */
  readonly isHiding?: boolean;
  readonly forward: (message: Message) => void;
  readonly answer: (message: Message) => void;
}

export interface Evaluations {
  evaluate(message: Message, method: string, id: RequestId): void;
  /**
   * Cancels the call that these params name. Returns `false` if no such call waits for its verdict.
   *
   * A waiting call has not reached the server. If a call has reached the server, its result is unknown. Its
   * hold, the amount that the call reserves in a budget, then counts as spent.
   */
  cancel(params: unknown): boolean;
  /**
   * Records another request with the same id. From then on, no answer belongs to the earlier call, and its hold counts
   * as spent.
   */
  comes(id: RequestId): void;
  /** Records a request that is not a tool call, because the request may ask for the result of a task. */
  asks(message: Message): void;
  /** Reads a line of the server. If the line answers a call that has a hold, the hold is committed. */
  heard(line: Uint8Array): Promise<void>;
  readonly size: number;
  /** Resolves when the calls that wait at present have their verdicts. */
  settled(): Promise<void>;
  /** Ends all calls, after the server has ended. Their results are unknown. */
  end(): Promise<void>;
}

export function createEvaluations(options: EvaluationOptions): Evaluations {
  const { guard, forward, answer } = options;
  const runStore = keptRuns(guard);
  const forwardedCalls = createForwardedCalls(guard);
  const elicitations = createElicitations(guard);
  let isEnded = false;
  const waiting = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  const refuse = refusalsOf(options, elicitations);

  function evaluate(message: Message, method: string, id: RequestId): void {
    const key = JSON.stringify(id);
    if (waiting.has(key)) {
      answer(errorAnswer(id, -32_600, 'A call of this id is being evaluated.'));
      return;
    }
    const isTool = method === 'tools/call';
    const params = Object(message['params']) as Readonly<Record<string, unknown>>;
    const controller = new AbortController();
    const { signal } = controller;
    const donePromise = withinTrace(params, async () => {
      const read: AskedParams | Promise<AskedParams> = isTool
        ? elicitations.read(params)
        : { params, state: 'none' };
      const askedParams = read instanceof Promise ? await read : read;
      const ownParams = askedParams.params;
      const [name, args] = isTool
        ? [ownParams['name'] as string, ownParams['arguments']]
        : [method, ownParams];
      const call = { name, args, id: idText(id), signal, ...runStore.take(ownParams) };
      try {
        const run = await beginAsked(guard, call, askedParams.state);
        forwardedCalls.keep(key, run);
        forward({ ...message, params: isTool ? forwardedParams(ownParams, run) : run.args });
      } catch (error) {
        await refuse(error, { id, isTool, asked: askedParams, isOpen: () => !isEnded });
      }
    })
      .catch(() => undefined)
      .finally(() => waiting.delete(key));
    waiting.set(key, { controller, done: donePromise });
  }

  return {
    evaluate,
    cancel(params) {
      const { requestId } = Object(params) as { readonly requestId?: unknown };
      if (!isRequestId(requestId)) return false;
      const key = JSON.stringify(requestId);
      const foundWaiting = waiting.get(key);
      foundWaiting?.controller.abort();
      void forwardedCalls.giveUp(key);
      return foundWaiting !== undefined;
    },
    comes(id) {
      if (forwardedCalls.size > 0) void forwardedCalls.giveUp(JSON.stringify(id));
    },
    asks(message) {
      elicitations.hears(message);
      forwardedCalls.asks(message);
    },
    heard: forwardedCalls.heard,
    get size() {
      return waiting.size;
    },
    async settled() {
      await Promise.all([...waiting.values()].map(({ done }) => done));
    },
    async end() {
      isEnded = true;
      for (const { controller } of waiting.values()) controller.abort();
      await forwardedCalls.end();
    },
  };
}

interface Refused extends Pick<RefusedCall, 'asked' | 'isOpen'> {
  readonly id: RequestId;
  readonly isTool: boolean;
}

function refusalsOf(
  { guard, denyAs, isHiding = false, answer }: Omit<EvaluationOptions, 'forward'>,
  elicitations: Elicitations,
): (error: unknown, call: Refused) => Promise<void> {
  return (error, { id, isTool, asked, isOpen }) =>
    answerRefused(error, {
      id,
      elicitations,
      isOpen,
      // Only a call of a tool asks a person.
      asked: isTool ? asked : { ...asked, state: 'declined' },
      answer: (ownMessage) => answer(ownMessage as Message),
      denial(ownError) {
        const { name } = asked.params as { readonly name?: unknown };
        if (isTool && isHiding && isHidden(guard, ownError, name)) return unknownTool(id, name);
        if (!isTool || denyAs === 'error') return errorOf(ownError, id);
        return { jsonrpc: '2.0', id, result: deniedResult(ownError, asked.params) };
      },
    });
}

function errorOf(error: IdentityError, id: RequestId): Message {
  const [{ code = '' } = {}] = error.details['reasons'] as readonly { readonly code?: string }[];
  const kind = code === 'verdict_unavailable' ? -32_603 : -32_001;
  return errorAnswer(id, kind, error.message, deniedMeta(error));
}

interface ForwardedCalls {
  keep(key: string, run: ToolRun): void;
  /** Abandons a run. The result of the call is unknown, so its hold counts as spent. */
  giveUp(key: string): Promise<void>;
  asks(message: Message): void;
  heard(line: Uint8Array): Promise<void>;
  end(): Promise<void>;
  readonly size: number;
}

const MAX_RUNNING = 1_000;

function createForwardedCalls(guard: ToolGuard): ForwardedCalls {
  const runStore = keptRuns(guard);
  const running = new Map<string, ToolRun>();
  const tasks = createTaskRuns();

  async function giveUp(key: string): Promise<void> {
    const run = running.get(key);
    running.delete(key);
    await run?.failed('unknown');
  }

  return {
    giveUp,
    asks: tasks.asks,
    keep(key, run) {
      const [oldest] = running.keys();
      if (oldest !== undefined && running.size >= MAX_RUNNING) void giveUp(oldest);
      running.set(key, run);
    },
    async heard(line) {
      if (running.size === 0 && tasks.size === 0) return;
      const message = Object(tryReadMessage(line)) as Message;
      const { method, id, result, error } = message;
      const key = JSON.stringify(id);
      const run = method === undefined ? running.get(key) : undefined;
      if (run === undefined) return tasks.hears(message);
      // A failure may be that of an earlier request of this id. What is held for a call without another answer lapses.
      if (result === undefined) {
        if (run.threw(error)) running.delete(key);
        return;
      }
      if ((Object(result) as { isError?: unknown }).isError === true) return run.failed();
      running.delete(key);
      await runStore.settle(run, result, tasks);
    },
    async end() {
      await Promise.all([...[...running.keys()].map(giveUp), tasks.giveUp()]);
    },
    get size() {
      return running.size;
    },
  };
}
