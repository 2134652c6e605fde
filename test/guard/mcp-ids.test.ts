/** Requests that share an id, and calls that are given up while their tool runs: what they spend stays spent. */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { guardServer } from 'agent-identity-service/guard/mcp';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import type { ToolGuard } from '../../src/guard/index.ts';
import { guardOf, openShop, PAY } from './matrix.mjs';

const AGENT = 'did:web:example.com:agents:shopper';
const paid = { content: [{ type: 'text' as const, text: 'paid' }] };
const pay = (id: number | string) => ({
  ...{ jsonrpc: '2.0' as const, id, method: 'tools/call' },
  params: { name: 'pay', arguments: { cents: 1_000 } },
});
const cancel = {
  ...{ jsonrpc: '2.0' as const, method: 'notifications/cancelled' },
  params: { requestId: 1 },
};

async function openTill(rule: object) {
  const service = await openShop({ budgets: [{ window: 'lifetime', limit: 1_000 }] });
  const budget = async () => {
    const [state] = (await service.passports.budgets(AGENT)).data;
    return [state?.spent, state?.held];
  };
  return { guard: guardOf(service, { tools: { pay: { ...PAY, ...rule } } }), budget };
}

/** A guarded server whose tool pays when `finish` is called, and what it is sent. */
async function openServer(rule: object = {}) {
  const till = await openTill(rule);
  const server = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { prompts: {} } });
  const begun: (() => void)[] = [];
  server.registerTool('pay', { inputSchema: { cents: z.number() } }, async () => {
    await new Promise<void>((resolve) => begun.push(resolve));
    return paid;
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await guardServer(server, till.guard).connect(far);
  const answers: JSONRPCMessage[] = [];
  near.onmessage = (message) => answers.push(message);
  await near.start();
  const send = (message: JSONRPCMessage) => near.send(message);
  return { ...till, near, send, answers, begun };
}

test.each([{}, { hold_seconds: 60 }])(
  'a failure under the id of a running call settles nothing: %j',
  async (rule) => {
    const { send, answers, begun, budget } = await openServer(rule);
    await send(pay(1));
    await expect.poll(() => begun).toHaveLength(1);
    for (const method of ['prompts/get', 'prompts/list', 'tools/none', 'tools/call']) {
      await send({ jsonrpc: '2.0', id: 1, method, params: { name: 'none' } });
      await expect.poll(() => answers.splice(0)).toMatchObject([{ id: 1, error: { code: -32_600 } }]);
    }
    begun[0]?.();
    await expect.poll(() => answers).toMatchObject([{ id: 1, result: paid }]);
    expect(await budget()).toEqual([10, 0]);
    await send(pay(1));
    await expect.poll(() => begun).toHaveLength(2);
    begun[1]?.();
    await expect.poll(() => answers).toHaveLength(2);
    expect(await budget()).toEqual([20, 0]);
  },
);

test('evaluates no call under the id of a request that is not answered yet', async () => {
  const { send, answers, begun, budget } = await openServer();
  void send({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'none' } });
  void send(pay(1));
  await expect.poll(() => answers).toHaveLength(2);
  expect(answers.every((answer) => 'error' in answer)).toBe(true);
  expect([begun.length, await budget()]).toEqual([0, [0, 0]]);
});

test.each(['cancel', 'close'])(
  'what is held for a call is spent where the client gives it up while it runs: %s',
  async (end) => {
    const { near, send, begun, budget } = await openServer({ hold_seconds: 60 });
    await send(pay(1));
    await expect.poll(() => begun).toHaveLength(1);
    expect(await budget()).toEqual([0, 10]);
    await (end === 'cancel' ? send(cancel) : near.close());
    await expect.poll(budget).toEqual([10, 0]);
  },
);

/** A gate of the proxy, and what went through it. */
function openGate(guard: ToolGuard) {
  const forwarded: unknown[] = [];
  const gate = createGate({
    ...{ guard, denyAs: 'result', isGuardingMethods: false, allowedMethods: [] },
    forward: (message) => void forwarded.push(message),
    answer: () => undefined,
    onList: () => undefined,
  });
  const line = (message: object) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return {
    forwarded,
    async send(message: object) {
      gate.receive(line(message));
      await gate.settled();
    },
    hears: (message: object) => gate.heard(line(message)),
  };
}

test('of the proxy, a failure under the id of a call, another request and a cancellation keep nothing from being spent', async () => {
  const { guard, budget } = await openTill({ hold_seconds: 60 });
  const { send, hears } = openGate(guard);
  await send({ id: 1, method: 'prompts/get' });
  await send(pay(1));
  await hears({ id: 1, error: { code: -32_602, message: 'There is no such prompt.' } });
  await hears({ id: 1, result: { isError: true, content: [] } });
  expect(await budget()).toEqual([0, 10]);
  await hears({ id: 1, result: paid });
  expect(await budget()).toEqual([10, 0]);
  await send(pay('a'));
  await send({ id: 'a', method: 'ping' });
  await expect.poll(budget).toEqual([20, 0]);
  await send(pay(1));
  await send(cancel);
  await expect.poll(budget).toEqual([30, 0]);
});
