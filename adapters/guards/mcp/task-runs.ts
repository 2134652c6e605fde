/**
 * Keeps the tool calls that a server has accepted as tasks. A call ends when its task is completed, failed or
 * cancelled.
 */
import type { ToolGuard, ToolRun } from '../../../src/guard/index.ts';

/** The running tasks, with their calls. */
export interface TaskRuns {
  /** Keeps the run of a call whose result is a task; returns `false` for any other result. Never rejects. */
  accept(run: ToolRun, result: unknown): Promise<boolean>;
  /** Records that the client has requested the result of a task. */
  asks(message: TaskMessage): void;
  /** Inspects a message of the server, and settles the runs of ended tasks. Never rejects. */
  hears(message: TaskMessage): Promise<void>;
  /** Ends all runs. The result of their tasks is unknown, so their holds count as spent. Never rejects. */
  giveUp(): Promise<void>;
  /** The number of running tasks. */
  readonly size: number;
}

/** The members of a message that `TaskRuns` reads. */
export type TaskMessage = Readonly<Partial<Record<'method' | 'id' | 'params' | 'result' | 'error', unknown>>>;

type Members = Readonly<Record<string, unknown>>;

const MAX_TASKS = 1_000;
const MAX_ASKED = 1_000;
const UNKNOWN: readonly unknown[] = [-32_601, -32_602];
const STATUS = ['notifications/tasks/status', 'notifications/tasks'];

const allRuns = new WeakMap<ToolGuard, TaskRuns>();

/**
 * Returns the tasks of a guard. They are kept with the guard, because applications create a new MCP server
 * for each HTTP request, and a task lasts longer than a request.
 */
export function taskRunsOf(guard: ToolGuard): TaskRuns {
  const runs = allRuns.get(guard) ?? createTaskRuns();
  allRuns.set(guard, runs);
  return runs;
}

/** Creates an empty set of running tasks. */
export function createTaskRuns(): TaskRuns {
  const runs = new Map<unknown, ToolRun>();
  const requests = new Map<unknown, unknown>();

  function abandon(taskId: unknown): Promise<void> {
    const run = runs.get(taskId);
    runs.delete(taskId);
    return run?.failed('unknown') ?? Promise.resolve();
  }

  async function end(taskId: unknown, hasFailed: boolean): Promise<void> {
    const run = runs.get(taskId);
    runs.delete(taskId);
    if (hasFailed) run?.failed();
    else await run?.done();
  }

  async function see(value: unknown): Promise<void> {
    const { taskId, status, result } = Object(value) as Members;
    if (!runs.has(taskId)) return;
    if (status === 'completed') await end(taskId, isError(result));
    else if (status === 'failed') await end(taskId, true);
    else if (status === 'cancelled') await abandon(taskId);
  }

  async function endAsked(taskId: unknown, result: unknown, error: unknown): Promise<void> {
    if (error === undefined) await end(taskId, isError(result));
    else if (!UNKNOWN.includes((Object(error) as Members)['code'])) await end(taskId, true);
  }

  return {
    async accept(run, result) {
      const { resultType, task } = Object(result) as Members;
      const value = (resultType === 'task' ? result : task) as unknown;
      const { taskId } = Object(value) as Members;
      if (typeof taskId !== 'string') return false;
      // A second task of this id: no answer belongs to the first one any longer.
      await abandon(taskId);
      if (runs.size >= MAX_TASKS) await abandon(runs.keys().next().value);
      runs.set(taskId, run);
      run.keepHold();
      await see(value);
      return true;
    },

    asks({ method, id, params }) {
      if (method !== 'tasks/result' || runs.size === 0) return;
      if (requests.size >= MAX_ASKED) requests.delete(requests.keys().next().value);
      requests.set(id, (Object(params) as Members)['taskId']);
    },

    async hears({ method, id, params, result, error }) {
      if (runs.size === 0) return;
      if (method !== undefined) {
        if (STATUS.includes(String(method))) await see(params);
        return;
      }
      const taskId = requests.get(id);
      requests.delete(id);
      if (taskId !== undefined) {
        await endAsked(taskId, result, error);
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
