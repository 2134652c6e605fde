/** The calls that wait for their verdict: each is forwarded as it was judged, or answered with the denial. */
import { IdentityError, type ToolGuard, type ToolRun } from '../../../src/guard/index.ts';
import { deniedMeta, deniedResult, keptRuns } from '../../guards/mcp/index.ts';
import { errorAnswer, isRequestId, type Message, type RequestId, tryReadMessage } from './message.ts';

/** What judging needs. */
export interface JudgementOptions {
  readonly guard: ToolGuard;
  /** How a call that is denied is answered. */
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
  /** Cancels the call that these params name; `false` where no such call waits. The server has not seen it yet. */
  cancel(params: unknown): boolean;
  /** Looks at a line of the server for the answers of calls that took something: what is held for them is committed. */
  heard(line: Uint8Array): Promise<void>;
  /** How many calls wait. */
  readonly size: number;
  /** Resolves when the calls that wait now have their verdicts. */
  settled(): Promise<void>;
}

/** No calls yet. */
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
    const done = guard
      .begin({ name, args, id: String(id), signal, ...kept.take(params) })
      .then((run) => {
        if (run.hasTaken) running.set(key, run);
        const own = isTool ? { ...params, ...(run.args !== undefined && { arguments: run.args }) } : run.args;
        forward({ ...message, params: own });
      })
      .catch((error: unknown) => {
        // A cancelled call gets no answer.
        if (error instanceof IdentityError && error.code === 'tool_denied') deny(error, id, isTool, params);
      })
      .finally(() => waiting.delete(key));
    waiting.set(key, { controller, done });
  }

  function deny(error: IdentityError, id: RequestId, isTool: boolean, params: unknown): void {
    const [{ code = '' } = {}] = error.details['reasons'] as readonly { readonly code?: string }[];
    if (isTool && denyAs === 'result') {
      answer({ jsonrpc: '2.0', id, result: deniedResult(error, params) });
      return;
    }
    const kind = code === 'verdict_unavailable' ? -32_603 : -32_001;
    answer(errorAnswer(id, kind, error.message, deniedMeta(error)));
  }

  return {
    judge,
    cancel(params) {
      const { requestId } = Object(params) as { readonly requestId?: unknown };
      const found = isRequestId(requestId) ? waiting.get(JSON.stringify(requestId)) : undefined;
      found?.controller.abort();
      return found !== undefined;
    },
    async heard(line) {
      if (running.size === 0) return;
      const { method, id, result } = Object(tryReadMessage(line)) as Message;
      const key = JSON.stringify(id);
      const run = method === undefined ? running.get(key) : undefined;
      if (run === undefined) return;
      running.delete(key);
      // The server is not trusted to say that a call failed: what is held for it lapses.
      if (result !== undefined) await kept.settle(run, result);
    },
    get size() {
      return waiting.size;
    },
    async settled() {
      await Promise.all([...waiting.values()].map(({ done }) => done));
    },
  };
}
