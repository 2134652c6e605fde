/** Runs that last longer than one answer: a tool that asks for input is called again with its `requestState`. */
import type { Intent, ToolCall, ToolGuard, ToolRun } from '../../../src/guard/index.ts';
import { APPROVAL_ID } from './denied-result.ts';

/** What the runs of a guard took, settled by the answers of their tools. */
export interface KeptRuns {
  /** What the params name of a run: the key of the one that the call goes on with, once, and the approval that it uses. */
  take(params: unknown): Pick<ToolCall, 'idempotency_key' | 'approval_id'>;
  /** Commits what is held for a call that has ended well. Never rejects. */
  settle(run: ToolRun, result: unknown): Promise<void>;
}

/** Calls that wait for input; the oldest is dropped for one more. */
const MAX_KEPT = 1_000;
const MAX_NAME_LENGTH = 16_384;

/** For each guard, as a server over HTTP is made anew for each request: what its runs are named by, by their keys. */
const all = new WeakMap<ToolGuard, Map<string, string>>();

/** The runs of this guard. */
export function keptRuns(guard: ToolGuard): KeptRuns {
  const names = all.get(guard) ?? new Map<string, string>();
  all.set(guard, names);

  /** Under another intent of the agent the key is refused by the verifier. */
  function takeKey(state: unknown, intent: Intent): string | undefined {
    const [name, start] = [nameOf(state, intent), startOf(state, intent)];
    for (const [key, its] of names) {
      if (its !== name) continue;
      // A state that comes twice is a second call, which takes for itself.
      names.delete(key);
      return key;
    }
    return [...names].find(([, its]) => its.startsWith(start))?.[0];
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

    async settle({ intent, hasTaken, idempotency_key, done, undo }, result) {
      if (!hasTaken) return;
      const { resultType, requestState, isError } = Object(result) as Readonly<Record<string, unknown>>;
      if (resultType !== 'input_required') {
        if (isError !== true) await done();
        return;
      }
      const name = nameOf(requestState, intent);
      // The call that brings the input cannot be distinguished from another one: it takes for itself.
      if (name === undefined) return undo();
      const [oldest] = names.keys();
      if (oldest !== undefined && names.size >= MAX_KEPT) names.delete(oldest);
      names.set(idempotency_key, name);
    },
  };
}

/** A state is that of one agent: the tools of others may give the same. */
function startOf(state: unknown, { agent_id }: Intent): string {
  return JSON.stringify([state, agent_id]);
}

/** `undefined`: nothing to be kept by. */
function nameOf(state: unknown, intent: Intent | undefined): string | undefined {
  if (typeof state !== 'string' || intent === undefined) return undefined;
  try {
    const name = startOf(state, intent) + JSON.stringify({ ...intent, proof: undefined });
    return name.length > MAX_NAME_LENGTH ? undefined : name;
  } catch {
    return undefined;
  }
}
