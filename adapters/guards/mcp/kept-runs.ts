/** Runs that last longer than one answer: a tool that asks for input is called again with its `requestState`. */
import type { ToolCall, ToolGuard, ToolRun } from '../../../src/guard/index.ts';
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
const MAX_STATE_LENGTH = 16_384;

/** For each guard: a server over HTTP is made anew for each request. */
const all = new WeakMap<ToolGuard, Map<string, string>>();

/** The runs of this guard. */
export function keptRuns(guard: ToolGuard): KeptRuns {
  const keys = all.get(guard) ?? new Map<string, string>();
  all.set(guard, keys);

  return {
    take(params) {
      const { requestState, _meta } = Object(params) as { readonly requestState?: string; _meta?: unknown };
      const { [APPROVAL_ID]: approval_id } = Object(_meta) as { readonly [APPROVAL_ID]?: string };
      const approval = approval_id === undefined ? {} : { approval_id };
      const idempotency_key = requestState === undefined ? undefined : keys.get(requestState);
      if (requestState === undefined || idempotency_key === undefined) return approval;
      // A state that comes twice is a second call, which takes for itself.
      keys.delete(requestState);
      return { idempotency_key, ...approval };
    },

    async settle(run, result) {
      if (!run.hasTaken) return;
      const { resultType, requestState, isError } = Object(result) as Readonly<Record<string, unknown>>;
      if (resultType !== 'input_required') {
        if (isError !== true) await run.done();
      } else if (typeof requestState === 'string' && requestState.length <= MAX_STATE_LENGTH) {
        const [oldest] = keys.keys();
        if (oldest !== undefined && keys.size >= MAX_KEPT) keys.delete(oldest);
        keys.set(requestState, run.idempotency_key);
      } else {
        // The call that brings the input cannot be distinguished from another one: it takes for itself.
        await run.undo();
      }
    },
  };
}
