import { expect, test } from 'vitest';
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import type { ToolGuard } from '../../src/guard/index.ts';
import { failuresOf } from '../guard/matrix.mjs';

test('the gate of the proxy holds in every case of the matrix', async () => {
  const call = async (guard: ToolGuard, args: object, { signal }: { readonly signal: AbortSignal }) => {
    const forwarded: Readonly<Record<string, unknown>>[] = [];
    const gate = createGate({
      ...{ guard, denyAs: 'result', isGuardingMethods: false, allowedMethods: [] },
      forward: (message) => void forwarded.push(message),
      answer: () => undefined,
      onList: () => undefined,
    });
    const receive = (message: object) =>
      gate.receive(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
    receive({ id: 1, method: 'tools/call', params: { name: 'pay', arguments: args } });
    if (signal.aborted) receive({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await gate.settled();
    return forwarded.map(({ params }) => (params as { readonly arguments: object }).arguments);
  };
  expect(await failuresOf(call)).toEqual([]);
});
