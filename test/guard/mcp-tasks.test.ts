/** Calls that an MCP server accepts as tasks: each ends when its task is completed, failed or cancelled. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { guardClient, guardServer } from 'agent-identity-service/guard/mcp';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { guardOf, openShop, PAY } from './matrix.mjs';
import { openGate, TASK } from './task-gate.ts';

const INFO = { name: 'shop', version: '1.0.0' };
const AGENT = 'did:web:example.com:agents:shopper';
const CALL = { name: 'pay', arguments: { cents: 1_000 } };
const PAID = { content: [{ type: 'text' as const, text: 'paid' }] };

async function openTill(hold_seconds: number | undefined = 60) {
  const service = await openShop({ budgets: [{ window: 'lifetime', limit: 1_000 }] });
  const guard = guardOf(service, { tools: { pay: { ...PAY, ...(hold_seconds && { hold_seconds }) } } });
  const budget = async () => {
    const [state] = (await service.passports.budgets(AGENT)).data;
    return [state?.spent, state?.held];
  };
  const outcomes = async () => {
    const { data } = await service.verifications.list({ limit: 100 });
    return data.map(({ outcome }) => outcome?.outcome ?? null);
  };
  return { service, guard, budget, outcomes };
}

/** A client and a server of the SDK whose tool pays in a task; one of them is guarded. */
async function openTasks(side: 'server' | 'client') {
  const till = await openTill();
  const store = new InMemoryTaskStore();
  onTestFinished(() => store.cleanup());
  const capabilities = { tasks: { requests: { tools: { call: {} } }, cancel: {}, list: {} } };
  const taskMessageQueue = new InMemoryTaskMessageQueue();
  const server = new McpServer(INFO, { capabilities, taskStore: store, taskMessageQueue });
  server.experimental.tasks.registerToolTask(
    'pay',
    { inputSchema: { cents: z.number() }, execution: { taskSupport: 'required' } },
    {
      createTask: async (_, { taskStore }) => ({ task: await taskStore.createTask({ ttl: 60_000 }) }),
      getTask: async (_, { taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: async (_, { taskId, taskStore }) =>
        CallToolResultSchema.parse(await taskStore.getTaskResult(taskId)),
    },
  );
  const client = new Client(INFO, { capabilities: {} });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await (side === 'server' ? guardServer(server, till.guard) : server).connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  const asking = side === 'client' ? guardClient(client, till.guard) : client;
  const request = { method: 'tools/call' as const, params: { ...CALL, task: { ttl: 60_000 } } };
  const { task } = await asking.request(request, CreateTaskResultSchema);
  const { taskId } = task;
  return {
    ...till,
    end: (status: 'completed' | 'failed') =>
      store.storeTaskResult(taskId, status, { ...PAID, ...(status === 'failed' && { isError: true }) }),
    get: () => asking.request({ method: 'tasks/get', params: { taskId } }, GetTaskResultSchema),
    result: () => asking.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema),
    cancel: () => asking.request({ method: 'tasks/cancel', params: { taskId } }, CancelTaskResultSchema),
  };
}

describe.each(['server', 'client'] as const)('a guarded %s of the SDK', (side) => {
  test.each(['get', 'result'] as const)('ends a call with its task, seen by tasks/%s', async (way) => {
    const { get, end, budget, outcomes, ...ways } = await openTasks(side);
    await get();
    expect([await budget(), await outcomes()]).toEqual([[0, 10], [null]]);
    await end('completed');
    await { ...ways, get }[way]();
    expect(await budget()).toEqual([10, 0]);
    await expect.poll(outcomes).toEqual(['succeeded']);
  });

  test.each(['get', 'result'] as const)('reports a task that fails, seen by tasks/%s', async (way) => {
    const { get, end, budget, outcomes, ...ways } = await openTasks(side);
    await end('failed');
    await { ...ways, get }[way]();
    await expect.poll(outcomes).toEqual(['failed']);
    expect(await budget()).toEqual([0, 10]);
  });

  test('spends what is held for a task that is cancelled', async () => {
    const { cancel, budget, outcomes } = await openTasks(side);
    await cancel();
    expect(await budget()).toEqual([10, 0]);
    await expect.poll(outcomes).toEqual(['unknown']);
  });
});

describe('the proxy', () => {
  async function openTask(hold_seconds?: number) {
    const till = await openTill(hold_seconds);
    const gate = openGate(till.guard);
    await gate.ask(1, 'tools/call', CALL);
    await gate.hear({ id: 1, result: TASK });
    return { ...till, ...gate };
  }

  test('lets tasks/update pass', async () => {
    const { ask, forwarded, answered } = await openTask();
    const params = { taskId: 'task-1', inputResponses: { sure: { action: 'accept' } } };
    await ask(2, 'tasks/update', params);
    expect(forwarded.at(-1)).toMatchObject({ id: 2, method: 'tasks/update', params });
    expect(answered).toEqual([]);
  });

  test.each([
    ['completed', { result: PAID }, [10, 0], 'succeeded'],
    ['completed', { result: { ...PAID, isError: true } }, [0, 10], 'failed'],
    ['failed', { error: { code: -32_603, message: 'closed' } }, [0, 10], 'failed'],
    ['cancelled', {}, [10, 0], 'unknown'],
  ])('ends a call when its task is %s: %j', async (status, more, spent, outcome) => {
    const { hear, budget, outcomes } = await openTask();
    for (const waiting of ['working', 'input_required']) {
      await hear({ id: 2, result: { ...TASK, resultType: 'complete', status: waiting } });
      expect([await budget(), await outcomes()]).toEqual([[0, 10], [null]]);
    }
    await hear({ id: 3, result: { ...TASK, resultType: 'complete', status, ...more } });
    expect(await budget()).toEqual(spent);
    await expect.poll(outcomes).toEqual([outcome]);
  });

  test.each(['notifications/tasks', 'notifications/tasks/status'])('reads %s', async (method) => {
    const { hear, budget } = await openTask();
    await hear({ method, params: { taskId: 'another', status: 'completed' } });
    await hear({ method, params: { taskId: 'task-1', status: 'working' } });
    expect(await budget()).toEqual([0, 10]);
    await hear({ method, params: { taskId: 'task-1', status: 'completed' } });
    expect(await budget()).toEqual([10, 0]);
  });

  test('spends what is held for a task when the server ends', async () => {
    const { end, budget, outcomes } = await openTask();
    await end();
    expect(await budget()).toEqual([10, 0]);
    await expect.poll(outcomes).toEqual(['unknown']);
  });

  test('commits a hold shortly before it ends where nothing says how the task ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { budget } = await openTask(10);
    await vi.advanceTimersByTimeAsync(8_500);
    expect(await budget()).toEqual([0, 10]);
    await vi.advanceTimersByTimeAsync(600);
    expect(await budget()).toEqual([10, 0]);
  });
});
