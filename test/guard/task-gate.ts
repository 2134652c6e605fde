/** The gate of `mcp-guard` before a server that a test plays. */
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import type { ToolGuard } from '../../src/guard/index.ts';

/** The answer of a server that accepts a call as a task. */
export const TASK = { resultType: 'task', taskId: 'task-1', status: 'working', ttlMs: 60_000 };

export function openGate(guard: ToolGuard) {
  const forwarded: Readonly<Record<string, unknown>>[] = [];
  const answered: Readonly<Record<string, unknown>>[] = [];
  const gate = createGate({
    ...{ guard, denyAs: 'result', isJudgingMethods: false, allowedMethods: [] },
    forward: (message) => void forwarded.push(message),
    answer: (message) => void answered.push(message),
    onList: () => undefined,
  });
  const line = (message: object) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return {
    forwarded,
    answered,
    end: gate.end,
    async ask(id: number, method: string, params: object) {
      gate.receive(line({ id, method, params }));
      await gate.settled();
    },
    hear: (message: object) => gate.heard(line(message)),
  };
}
