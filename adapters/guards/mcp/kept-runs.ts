/**
 * Keeps the runs that last longer than one call. A tool that asks for input is called again with its `requestState`.
 */
import type { Intent, ToolCall, ToolGuard, ToolRun } from '../../../src/guard/index.ts';
import { APPROVAL_ID } from './denied-result.ts';
import type { TaskRuns } from './task-runs.ts';

/** The runs of a guard that wait between two calls of a tool. */
export interface KeptRuns {
  /**
   * Reads from the params which run a call continues: the idempotency key of the run, and the approval to use. Each key
   * is returned once.
   */
  take(params: unknown): Pick<ToolCall, 'idempotency_key' | 'approval_id'>;
  /**
   * Reports the outcome of a call, and commits the hold if the call has succeeded. A call that continues as a task ends
   * with the task. Never rejects.
   */
  settle(run: ToolRun, result: unknown, tasks: TaskRuns): Promise<void>;
}

const MAX_KEPT = 1_000;
const MAX_NAME_LENGTH = 16_384;

const entries = new WeakMap<ToolGuard, Map<string, string>>();

/** Returns the waiting runs of this guard. */
export function keptRuns(guard: ToolGuard): KeptRuns {
  const names = entries.get(guard) ?? new Map<string, string>();
  entries.set(guard, names);

  /** Finds and removes the key of the run that a state continues. The verifier refuses the key for another intent. */
  function takeKey(state: unknown, intent: Intent): string | undefined {
    const [name, start] = [nameOf(state, intent), startOf(state, intent)];
    for (const [key, guardName] of names) {
      if (guardName !== name) continue;
      // A state that comes a second time is a second call, which is charged separately.
      names.delete(key);
      return key;
    }
    return [...names].find(([, guardName]) => guardName.startsWith(start))?.[0];
  }

  return {
    take(params) {
      const { requestState, _meta } = Object(params) as { readonly requestState?: unknown; _meta?: unknown };
      const { [APPROVAL_ID]: approval_id } = Object(_meta) as { readonly [APPROVAL_ID]?: string };
      return {
        ...(approval_id !== undefined && { approval_id }),
        ...(requestState !== undefined && { idempotency_key: (intent) => takeKey(requestState, intent) }),
      };
    },

    async settle(run, result, tasks) {
      const { intent, hasTaken, idempotency_key, done, undo, failed } = run;
      const { resultType, requestState, isError } = Object(result) as Readonly<Record<string, unknown>>;
      if (resultType !== 'input_required') {
        if (isError === true) failed();
        else if (!(await tasks.accept(run, result))) await done();
        return;
      }
      // The call goes on later and has no outcome yet. What took nothing is evaluated as a call of its own.
      if (!hasTaken) return;
      const name = nameOf(requestState, intent);
      // The later call could be confused with another one, so this run ends, and the later call is charged itself.
      if (name === undefined) return undo();
      const [oldest] = names.keys();
      if (oldest !== undefined && names.size >= MAX_KEPT) names.delete(oldest);
      names.set(idempotency_key, name);
    },
  };
}

/**
 * Returns the first part of a run's name. The part contains the agent, because tools of other agents may use the same
 * state.
 */
function startOf(state: unknown, { agent_id }: Intent): string {
  return JSON.stringify([state, agent_id]);
}

function nameOf(state: unknown, intent: Intent | undefined): string | undefined {
  if (typeof state !== 'string' || intent === undefined) return undefined;
  try {
    const name = startOf(state, intent) + JSON.stringify({ ...intent, proof: undefined });
    return name.length > MAX_NAME_LENGTH ? undefined : name;
  } catch {
    return undefined;
  }
}
