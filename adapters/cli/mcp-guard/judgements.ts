/** The calls that wait for their verdict: each is forwarded as it was judged, or answered with the denial. */
import { IdentityError, type ToolGuard, type ToolRun } from '../../../src/guard/index.ts';
import { deniedMeta, deniedResult, forwardedParams, keptRuns } from '../../guards/mcp/index.ts';
import { errorAnswer, isRequestId, type Message, type RequestId, tryReadMessage } from './message.ts';
import { withinTrace } from './trace.ts';

/** The options of judging. */
export interface JudgementOptions {
  readonly guard: ToolGuard;
  /** The form of the answer to a call that is denied. */
  readonly denyAs: 'result' | 'error';
  /** Sends a message to the server. */
  readonly forward: (message: Message) => void;
  /** Sends a message to the client. */
  readonly answer: (message: Message) => void;
}

/** The calls that wait. */
export interface Judgements {
  /** Asks for the verdict on a request, and forwards or answers it. */
  judge(message: Message, method: string, id: RequestId): void;
  /**
   * Cancels the call that these params name; `false` when no such call waits. The server has not seen it yet. If it
   * has, nothing says how the call ends: what is held for it is spent.
   */
  cancel(params: unknown): boolean;
  /**
   * Notes a further request under an id: from then on no answer belongs to an earlier call under it, and a held amount
   * is spent.
   */
  comes(id: RequestId): void;
  /** Looks at a line of the server for the answers of calls that took something: what is held for them is committed. */
  heard(line: Uint8Array): Promise<void>;
  /** The number of calls that wait. */
  readonly size: number;
  /** Resolves when the calls that wait now have their verdicts. */
  settled(): Promise<void>;
}

/** Calls that took something and have no good answer; the oldest is forgotten for one more. */
const MAX_RUNNING = 1_000;

/** Makes judgements, with no calls yet. */
export function createJudgements({ guard, denyAs, forward, answer }: JudgementOptions): Judgements {
  /** By the JSON of their ids. */
  const kept = keptRuns(guard);
  /** The forwarded calls that hold an amount, by the JSON of their ids. */
  const running = new Map<string, ToolRun>();
  const waiting = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  function judge(message: Message, method: string, id: RequestId): void {
    const key = JSON.stringify(id);
    if (waiting.has(key)) {
      answer(errorAnswer(id, -32_600, 'A call of this id is under judgement.'));
      return;
    }
    const isTool = method === 'tools/call';
    const params = Object(message['params']) as { readonly name?: unknown; readonly arguments?: unknown };
    const [name, args] = isTool ? [params.name as string, params.arguments] : [method, params];
    const controller = new AbortController();
    const { signal } = controller;
    const call = { name, args, id: String(id), signal, ...kept.take(params) };
    const done = withinTrace(params, () => guard.begin(call))
      .then((run) => {
        keep(key, run);
        const own = isTool ? forwardedParams(params, run) : run.args;
        forward({ ...message, params: own });
      })
      .catch((error: unknown) => {
        // A cancelled call gets no answer.
        if (!(error instanceof IdentityError) || error.code !== 'tool_denied') return;
        if (!isTool || denyAs === 'error') answer(errorOf(error, id));
        else answer({ jsonrpc: '2.0', id, result: deniedResult(error, params) });
      })
      .finally(() => waiting.delete(key));
    waiting.set(key, { controller, done });
  }

  function keep(key: string, run: ToolRun): void {
    const [oldest] = running.keys();
    if (oldest !== undefined && running.size >= MAX_RUNNING) running.delete(oldest);
    running.set(key, run);
  }

  return {
    judge,
    cancel(params) {
      const { requestId } = Object(params) as { readonly requestId?: unknown };
      if (!isRequestId(requestId)) return false;
      const key = JSON.stringify(requestId);
      const found = waiting.get(key);
      found?.controller.abort();
      giveUp(running, key);
      return found !== undefined;
    },
    comes(id) {
      if (running.size > 0) giveUp(running, JSON.stringify(id));
    },
    async heard(line) {
      if (running.size === 0) return;
      const { method, id, result } = Object(tryReadMessage(line)) as Message;
      const key = JSON.stringify(id);
      const run = method === undefined ? running.get(key) : undefined;
      // A failure may be that of an earlier request of this id. What is held for a call without another answer lapses.
      const hasFailed = result === undefined || (Object(result) as { isError?: unknown }).isError === true;
      if (run === undefined) return;
      if (hasFailed) return run.failed();
      running.delete(key);
      await kept.settle(run, result);
    },
    get size() {
      return waiting.size;
    },
    async settled() {
      await Promise.all([...waiting.values()].map(({ done }) => done));
    },
  };
}

/** Gives up a run: nothing says how the call ends, so what is held for it is spent. */
function giveUp(running: Map<string, ToolRun>, key: string): void {
  const run = running.get(key);
  run?.failed('unknown');
  void run?.done();
  running.delete(key);
}

function errorOf(error: IdentityError, id: RequestId): Message {
  const [{ code = '' } = {}] = error.details['reasons'] as readonly { readonly code?: string }[];
  const kind = code === 'verdict_unavailable' ? -32_603 : -32_001;
  return errorAnswer(id, kind, error.message, deniedMeta(error));
}
