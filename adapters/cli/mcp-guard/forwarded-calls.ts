/** The calls that the server has, until it answers them or the tasks that they have become end. */
import type { ToolGuard, ToolRun } from '../../../src/guard/index.ts';
import { createTaskRuns, keptRuns } from '../../guards/mcp/index.ts';
import { type Message, tryReadMessage } from './message.ts';

/** The calls that were forwarded. */
export interface ForwardedCalls {
  /** Keeps the run of a call by the JSON of its id. */
  keep(key: string, run: ToolRun): void;
  /** Gives up a run: nothing says how the call ends, so what is held for it is spent. */
  giveUp(key: string): Promise<void>;
  /** Notes a request of the client that is no call. */
  asks(message: Message): void;
  /** Looks at a line of the server. */
  heard(line: Uint8Array): Promise<void>;
  /** Gives up all runs. */
  end(): Promise<void>;
  /** The number of calls. */
  readonly size: number;
}

/** The most calls. One more forgets the oldest. */
const MAX_RUNNING = 1_000;

/** Makes the calls of one server, none yet. */
export function createForwardedCalls(guard: ToolGuard): ForwardedCalls {
  const kept = keptRuns(guard);
  const running = new Map<string, ToolRun>();
  const tasks = createTaskRuns();

  async function giveUp(key: string): Promise<void> {
    const run = running.get(key);
    running.delete(key);
    run?.failed('unknown');
    await run?.done();
  }

  return {
    giveUp,
    asks: tasks.asks,
    keep(key, run) {
      const [oldest] = running.keys();
      if (oldest !== undefined && running.size >= MAX_RUNNING) running.delete(oldest);
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
      await kept.settle(run, result, tasks);
    },
    async end() {
      await Promise.all([...[...running.keys()].map(giveUp), tasks.giveUp()]);
    },
    get size() {
      return running.size;
    },
  };
}
