/** The gate of `mcp-guard` before a server that a test plays. */
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import type { ToolGuard } from '../../src/guard/index.ts';

/** The answer of a server that accepts a call as a task. */
export const TASK: Readonly<Record<string, unknown>> = {
  resultType: 'task',
  taskId: 'task-1',
  status: 'working',
  ttlMs: 60_000,
};

export interface TaskGate {
  readonly forwarded: readonly Readonly<Record<string, unknown>>[];
  readonly answered: readonly Readonly<Record<string, unknown>>[];
  /** The server ends. */
  end(): Promise<void>;
  ask(id: number, method: string, params: object): Promise<void>;
  hear(message: object): Promise<void>;
}

export function openGate(guard: ToolGuard): TaskGate {
  const forwarded: Readonly<Record<string, unknown>>[] = [];
  const answered: Readonly<Record<string, unknown>>[] = [];
  const gate = createGate({
    ...{ guard, denyAs: 'result', isGuardingMethods: false, allowedMethods: [] },
    forward: (message) => void forwarded.push(message),
    answer: (message) => void answered.push(message),
    onList: () => undefined,
  });
  const line = (message: object) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return {
    forwarded: forwarded,
    answered: answered,
    end: gate.end,
    async ask(id: number, method: string, params: object) {
      gate.receive(line({ id, method, params }));
      await gate.settled();
    },
    hear: (message: object) => gate.heard(line(message)),
  };
}
