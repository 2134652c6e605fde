/** What calls of MCP spend whose tool asks for input first, or that the server refuses. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import type { IdentityService, PassportInput } from 'agent-identity-service';
import type { ToolRule } from 'agent-identity-service/guard';
import { guardServer } from 'agent-identity-service/guard/mcp';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { guardOf, openShop, PAY } from './matrix.mjs';

const INFO = { name: 'shop', version: '1.0.0' };
const AGENT = 'did:web:example.com:agents:shopper';
const PROTOCOL = '2026-07-28';
const paid = { content: [{ type: 'text' as const, text: 'paid' }] };
const CALL = { name: 'pay', arguments: { cents: 1_000 } };

/** A server over HTTP, made anew for each request, whose tool pays once it was given a state or an input. */
async function openTill(
  asks: () => ReturnType<typeof inputRequired>,
  rule: Partial<ToolRule> = {},
  passport: Partial<PassportInput> = { budgets: [{ window: 'lifetime', limit: 1_000 }] },
) {
  const service = await openShop(passport);
  const guard = guardOf(service, { tools: { pay: { ...PAY, ...rule } } });
  let payments = 0;
  const handler = createMcpHandler(() => {
    const server = new McpServer(INFO);
    server.registerTool('pay', { inputSchema: z.object({ cents: z.number() }) }, (_, { mcpReq }) => {
      if (mcpReq.requestState() === undefined && mcpReq.inputResponses === undefined) return asks();
      payments += 1;
      return paid;
    });
    return guardServer(server, guard);
  });
  const fetch = async (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  const client = new Client(INFO, {
    versionNegotiation: { mode: { pin: PROTOCOL } },
    capabilities: { elicitation: { form: {} } },
  });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { sure: true } }));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://shop.example/mcp'), { fetch }));
  onTestFinished(async () => {
    await client.close();
    await handler.close();
  });
  return { service, client, payments: () => payments, budget: () => budgetOf(service) };
}

async function budgetOf(service: IdentityService): Promise<readonly unknown[]> {
  const [state] = (await service.passports.budgets(AGENT)).data;
  return [state?.spent, state?.held];
}

const withState = () => inputRequired({ requestState: 'state-1' });

test.each([{}, { hold_seconds: 60 }])(
  'a call that comes again with its state is one run: %j',
  async (rule) => {
    const { client, payments, budget } = await openTill(withState, rule);
    expect(await client.callTool(CALL)).toMatchObject(paid);
    expect(payments()).toBe(1);
    expect(await budget()).toEqual([10, 0]);
  },
);

test('a state that comes twice is a second run, which takes for itself', async () => {
  const { client, payments, budget } = await openTill(withState);
  await client.callTool(CALL);
  await client.callTool({ ...CALL, requestState: 'state-1' } as typeof CALL);
  expect(payments()).toBe(2);
  expect(await budget()).toEqual([20, 0]);
});

test('a state under other arguments is denied', async () => {
  const { client, payments, budget } = await openTill(withState);
  const options: object = { allowInputRequired: true };
  const asked = await client.request({ method: 'tools/call', params: CALL }, options);
  expect(asked).toMatchObject({ resultType: 'input_required', requestState: 'state-1' });
  const other = { name: 'pay', arguments: { cents: 2_000 }, requestState: 'state-1' };
  expect(JSON.stringify(await client.callTool(other as typeof CALL))).toContain('verdict_unavailable');
  expect(payments()).toBe(0);
  expect(await budget()).toEqual([10, 0]);
});

test('agents whose tools give the same state have runs of their own, as have equal calls of one agent', async () => {
  const service = await openShop({ budgets: [{ window: 'lifetime', limit: 1_000 }] });
  const budgets = [{ window: 'lifetime', limit: 1_000 }] as const;
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'buyer', allowed_actions: ['payments.create'] },
    ...{ monetary_actions: ['payments.create'], monetary_limit_per_txn: 100, currency: 'EUR', budgets },
  });
  const buyer = 'did:web:example.com:agents:buyer';
  const guard = guardOf(service, {
    agentId: ({ context }) => (context as { readonly sessionId: string }).sessionId,
  });
  const asks = { resultType: 'input_required', requestState: 'sure?' };
  const runs: [agent: string, state: boolean][] = [];
  /** A session of an agent, whose tool asks first. */
  function sessionOf(agent: string) {
    const answers: object[] = [];
    const transport = {
      onmessage: undefined as ((message: object, extra: object) => void) | undefined,
      start: async () => undefined,
      send: async (message: object) => void answers.push(message),
    };
    const server = {
      async connect(to: typeof transport) {
        to.onmessage = ({ id, params }: { id?: number; params?: { requestState?: string } }) => {
          const isAgain = params?.requestState !== undefined;
          runs.push([agent, isAgain]);
          void to.send({ jsonrpc: '2.0', id, result: isAgain ? paid : asks } as object);
        };
      },
    };
    const ready = guardServer(server, guard, { partial: true }).connect(transport);
    let id = 0;
    return async (more: object = {}, cents = 1_000) => {
      await ready;
      const count = answers.length + 1;
      const params = { name: 'pay', arguments: { cents }, ...more };
      id += 1;
      transport.onmessage?.({ jsonrpc: '2.0', id, method: 'tools/call', params }, { sessionId: agent });
      await expect.poll(() => answers).toHaveLength(count);
      return answers.at(-1);
    };
  }
  const spent = async (agent: string) => (await service.passports.budgets(agent)).data[0]?.spent;
  const state = { requestState: asks.requestState };
  const [one, other, third] = [sessionOf(AGENT), sessionOf(buyer), sessionOf(AGENT)];
  for (const session of [one, other, third]) expect(await session()).toMatchObject({ result: asks });
  expect(await third({}, 500)).toMatchObject({ result: asks });
  for (const session of [one, other, third]) expect(await session(state)).toMatchObject({ result: paid });
  expect(await third(state, 500)).toMatchObject({ result: paid });
  expect([await spent(AGENT), await spent(buyer)]).toEqual([25, 10]);
  expect(runs.filter(([, isAgain]) => isAgain)).toHaveLength(4);
});

test('without a state the first answer gives back, and the call with the input takes', async () => {
  const { client, payments, budget } = await openTill(() => {
    const requestedSchema = z.object({ sure: z.boolean() });
    return inputRequired({
      inputRequests: { a: inputRequired.elicit({ message: 'Sure?', requestedSchema }) },
    });
  });
  expect(await client.callTool(CALL)).toMatchObject(paid);
  expect(payments()).toBe(1);
  expect(await budget()).toEqual([10, 0]);
});

test('a tool that the server does not have gives back what was taken', async () => {
  const service = await openShop({ budgets: [{ window: 'lifetime', limit: 1_000 }] });
  const guard = guardOf(service, { tools: { gone: PAY, pay: PAY } });
  const handler = createMcpHandler(() => {
    const server = new McpServer(INFO);
    for (const name of ['pay', 'gone']) {
      const tool = server.registerTool(name, { inputSchema: z.object({}) }, () => expect.fail('ran'));
      if (name === 'gone') tool.disable();
    }
    return guardServer(server, guard);
  });
  const fetch = async (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('http://shop.example/mcp'), { fetch }));
  await expect(client.callTool({ ...CALL, name: 'gone' })).rejects.toMatchObject({ code: -32_602 });
  await client.close();
  await handler.close();
  expect((await service.verifications.list({})).data.map(({ verdict }) => verdict)).toEqual(['ALLOW']);
  expect(await budgetOf(service)).toEqual([0, 0]);
});

test('a call that comes again with its state uses its approval once', async () => {
  const name = 'agent-identity/approval_id';
  const { service, client, payments } = await openTill(withState, {}, { approval: { above: 5 } });
  const { _meta } = await client.callTool(CALL);
  const id = String(_meta?.[name]);
  await service.approvals.approve(id);
  expect(await client.callTool({ ...CALL, _meta: { [name]: id } })).toMatchObject(paid);
  expect(payments()).toBe(1);
});
