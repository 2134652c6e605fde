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
