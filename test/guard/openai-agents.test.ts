import { type MCPServer, tool, webSearchTool } from '@openai/agents';
import { createToolGuard } from 'agent-identity-service/guard';
import { guardMcpServer, guardTools } from 'agent-identity-service/guard/openai-agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTool, serverOf, WAYS } from './frameworks/openai-agents.mjs';
import { failuresOf, guardOf, openShop } from './matrix.mjs';

describe('tools of the OpenAI Agents SDK', () => {
  test.each(WAYS)('hold in every case of the matrix: $name', async (way) => {
    const failures = await failuresOf(
      async (guard, args, { signal }) => (await callTool({ ...way, guard, args, signal })).ran,
      way === WAYS[0] ? 100 : 10,
    );
    expect(failures).toEqual([]);
  });

  test.each(WAYS)('tell the model why: $name', async (way) => {
    const guard = guardOf(await openShop());
    const { ran, outputs, error } = await callTool({ ...way, guard, args: { cents: 10_001 } });
    expect([ran, error]).toEqual([[], undefined]);
    expect(JSON.stringify(outputs)).toMatch(
      /DENY dec_\w+: The amount is over the limit\. \(amount_over_limit\)/,
    );
  });

  test('run the evaluated arguments if these name a member twice', async () => {
    const guard = guardOf(await openShop());
    for (const isMcp of [false, true]) {
      expect((await callTool({ isMcp, guard, args: '{"cents":1,"cents":999}' })).ran).toEqual([
        { cents: 999 },
      ]);
      expect((await callTool({ isMcp, guard, args: '{"cents":1,"cents":99999}' })).ran).toEqual([]);
    }
  });

  test('are not run by text that is not JSON', async () => {
    const guard = guardOf(await openShop());
    for (const args of ['', '{cents:1}', '{"cents":1}}', '"{\\"cents\\":1}"', 'null']) {
      expect((await callTool({ guard, args })).ran).toEqual([]);
    }
  });

  test('are evaluated before a schema fills in defaults or changes an amount', async () => {
    const guard = guardOf(await openShop());
    const schema = z.object({ cents: z.number().default(99_999) });
    expect((await callTool({ guard, args: {}, schema })).ran).toEqual([]);
    expect((await callTool({ guard, args: { cents: 1 }, schema })).ran).toEqual([{ cents: 1 }]);
  });

  test('with a schema of their output throw instead of a text that would not fit it', async () => {
    const guard = guardOf(await openShop());
    const options = { outputSchema: z.object({ paid: z.boolean() }) };
    const { ran, error } = await callTool({ guard, args: { cents: 10_001 }, options });
    expect(ran).toEqual([]);
    expect(String(error)).toContain('amount_over_limit');
  });

  test('are left as they were; the guarded ones are new', async () => {
    const guard = guardOf(await openShop());
    const pay = tool({ name: 'pay', description: 'Pays.', parameters: z.object({}), execute: async () => 1 });
    const { invoke } = pay;
    const [guarded] = guardTools([pay], guard);
    expect(guarded).not.toBe(pay);
    expect(guarded?.parameters).toBe(pay.parameters);
    expect(pay.invoke).toBe(invoke);
  });
});

describe('tools of an MCP server', () => {
  test('are evaluated by the names of the server, which the SDK changes', async () => {
    const service = await openShop();
    const tools = {
      'pay-now': { action: 'payments.create', amount: '/cents', decimals: 2, currency: 'EUR' },
    };
    const guard = createToolGuard({
      verifier: service,
      agentId: 'did:web:example.com:agents:shopper',
      tools,
    });
    const ran: unknown[] = [];
    const server = guardMcpServer(serverOf(ran, 'pay-now'), guard);
    await server.callTool('pay-now', { cents: 1 });
    const denied = [{ type: 'text', text: expect.stringContaining('amount_over_limit') }];
    expect(await server.callTool('pay-now', { cents: 10_001 })).toEqual(denied);
    const result = await server.callToolResult?.('pay-now', { cents: 10_001 });
    expect(result).toEqual({ content: denied, isError: true });
    expect(ran).toEqual([{ cents: 1 }]);
    expect((await server.listTools()).map(({ name }) => name)).toEqual(['pay-now']);
  });

  test('are not called while a rule has no tool, nor while they cannot be listed', async () => {
    const ran: unknown[] = [];
    const guard = createToolGuard({ verifier: await openShop(), agentId: 'a', tools: { pey: {} } });
    const server = guardMcpServer(serverOf(ran), guard);
    await expect(server.callTool('pay', {})).rejects.toThrow(/a rule for "pey", and no such tool/);
    const listTools: MCPServer['listTools'] = () => Promise.reject(new Error('away'));
    const away = guardMcpServer({ ...serverOf(ran), listTools }, guard);
    await expect(away.callTool('pay', {})).rejects.toThrow('away');
    expect(ran).toEqual([]);
  });
});

describe('what cannot be stopped is refused', () => {
  test('a tool that the provider runs', async () => {
    const service = await openShop();
    const guard = createToolGuard({ verifier: service, agentId: 'a' });
    const search = webSearchTool();
    expect(() => guardTools([search], guard)).toThrow(/"web_search" runs where no guard can stop it/);
    const open = createToolGuard({ verifier: service, agentId: 'a', unjudged: ['web_search'] });
    expect(guardTools([search], open)).toEqual([search]);
  });

  test('a rule without its tool, and what only looks like a guard', async () => {
    const guard = createToolGuard({ verifier: await openShop(), agentId: 'a', tools: { pey: {} } });
    expect(() => guardTools([], guard)).toThrow(/a rule for "pey", and no such tool/);
    expect(guardTools([], guard, { partial: true })).toEqual([]);
    const fails = () => expect.fail();
    const open = {
      unjudged: [],
      ruleNames: [],
      intentOf: () => undefined,
      judge: fails,
      begin: fails,
      run: fails,
    };
    expect(() => guardTools([], open)).toThrow('createToolGuard');
    expect(() => guardMcpServer(serverOf([]), open)).toThrow('createToolGuard');
  });
});
