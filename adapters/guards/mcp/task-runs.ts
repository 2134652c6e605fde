/** Calls that a server has accepted as tasks: each ends when its task is completed, failed or cancelled. */
import type { ToolGuard, ToolRun } from '../../../src/guard/index.ts';

/** The tasks whose calls are not ended. */
export interface TaskRuns {
  /** Keeps the run of a call whose result is a task; `false` for any other result. */
  accept(run: ToolRun, result: unknown): Promise<boolean>;
  /** Notes a request of the client for the result of a task. */
  asks(message: TaskMessage): void;
  /** Looks at a message of the server, and settles the runs of the tasks that have ended. Never rejects. */
  hears(message: TaskMessage): Promise<void>;
  /** Ends all runs. The end of their tasks is unknown, so their holds count as spent. */
  giveUp(): Promise<void>;
  /** The number of tasks. */
  readonly size: number;
}

/** The members of a message that are read. */
export type TaskMessage = Readonly<Partial<Record<'method' | 'id' | 'params' | 'result' | 'error', unknown>>>;

type Members = Readonly<Record<string, unknown>>;

/** The most tasks. One more ends the oldest. */
const MAX_TASKS = 1_000;
/** The most requests for results that wait for their answers. */
const MAX_ASKED = 1_000;
/** The error codes for a method or a task that the server does not know. */
const UNKNOWN: readonly unknown[] = [-32_601, -32_602];
const STATUS = ['notifications/tasks/status', 'notifications/tasks'];

const all = new WeakMap<ToolGuard, TaskRuns>();

/** Returns the tasks of a guard, because an HTTP server is created again for each request. */
export function taskRunsOf(guard: ToolGuard): TaskRuns {
  const found = all.get(guard) ?? createTaskRuns();
  all.set(guard, found);
  return found;
}

/** Makes the tasks of one connection. */
export function createTaskRuns(): TaskRuns {
  const runs = new Map<unknown, ToolRun>();
  const asked = new Map<unknown, unknown>();

  function abandon(taskId: unknown): Promise<void> {
    const run = runs.get(taskId);
    runs.delete(taskId);
    run?.failed('unknown');
    return run?.done() ?? Promise.resolve();
  }

  async function end(taskId: unknown, hasFailed: boolean): Promise<void> {
    const run = runs.get(taskId);
    runs.delete(taskId);
    if (hasFailed) run?.failed();
    else await run?.done();
  }

  async function see(given: unknown): Promise<void> {
    const { taskId, status, result } = Object(given) as Members;
    if (!runs.has(taskId)) return;
    if (status === 'completed') await end(taskId, isError(result));
    else if (status === 'failed') await end(taskId, true);
    else if (status === 'cancelled') await abandon(taskId);
  }

  return {
    async accept(run, result) {
      const { resultType, task } = Object(result) as Members;
      const given = (resultType === 'task' ? result : task) as unknown;
      const { taskId } = Object(given) as Members;
      if (typeof taskId !== 'string') return false;
      // A second task of this id: no answer belongs to the first one any longer.
      await abandon(taskId);
      if (runs.size >= MAX_TASKS) await abandon(runs.keys().next().value);
      runs.set(taskId, run);
      run.keepHold();
      await see(given);
      return true;
    },

    asks({ method, id, params }) {
      if (method !== 'tasks/result' || runs.size === 0) return;
      if (asked.size >= MAX_ASKED) asked.delete(asked.keys().next().value);
      asked.set(id, (Object(params) as Members)['taskId']);
    },

    async hears({ method, id, params, result, error }) {
      if (runs.size === 0) return;
      if (method !== undefined) {
        if (STATUS.includes(String(method))) await see(params);
        return;
      }
      const taskId = asked.get(id);
      asked.delete(id);
      if (taskId !== undefined) {
        if (error === undefined) await end(taskId, isError(result));
        else if (!UNKNOWN.includes((Object(error) as Members)['code'])) await end(taskId, true);
        return;
      }
      await see(result);
      const { tasks } = Object(result) as Members;
      if (Array.isArray(tasks)) for (const task of tasks) await see(task);
    },

    async giveUp() {
      await Promise.all([...runs.keys()].map(abandon));
    },

    get size() {
      return runs.size;
    },
  };
}

function isError(result: unknown): boolean {
  return (Object(result) as Members)['isError'] === true;
}
