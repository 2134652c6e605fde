import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createToolGuard } from 'agent-identity-service/guard';
import { guardClient, guardServer } from 'agent-identity-service/guard/mcp';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTool, WAYS } from './frameworks/mcp.mjs';
import { failuresOf, guardOf, openShop } from './matrix.mjs';

const INFO = { name: 'shop', version: '1.0.0' };
const paid = { content: [{ type: 'text' as const, text: 'paid' }] };

async function connected(server: McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client(INFO);
  await client.connect(near);
  return client;
}

describe('tools of MCP', () => {
  test.each(WAYS)('hold in every case of the matrix: $name', async (way) => {
    const call = async (guard: Parameters<typeof callTool>[0]['guard'], args: object, options: object) =>
      (await callTool({ ...way, guard, args, ...options })).ran;
    expect(await failuresOf(call, 20)).toEqual([]);
  });

  test('a server answers a DENY as a result of the tool, also in the protocol of 2026', async () => {
    const guard = guardOf(await openShop());
    const ways = [
      { version: 1, protocol: undefined },
      { version: 2, isHttp: true, protocol: '2026-07-28' },
    ] as const;
    for (const { protocol, ...way } of ways) {
      const { result, protocol: negotiated } = await callTool({ ...way, guard, args: { cents: 10_001 } });
      expect(negotiated).toBe(protocol);
      expect(result).toMatchObject({
        isError: true,
        content: [
          { type: 'text', text: expect.stringMatching(/^DENY dec_\w+: The amount is over the limit\./) },
        ],
        _meta: {
          'agent-identity/verdict': 'DENY',
          'agent-identity/decision_id': expect.stringMatching(/^dec_/),
        },
      });
    }
  });

  test('a client throws tool_denied', async () => {
    const guard = guardOf(await openShop());
    const { error } = await callTool({ version: 2, side: 'client', guard, args: { cents: 10_001 } });
    expect(error).toMatchObject({
      code: 'tool_denied',
      details: { reasons: [{ code: 'amount_over_limit' }] },
    });
  });

  test('evaluate no default of the schema: the guard denies the missing amount', async () => {
    const ran: unknown[] = [];
    const server = new McpServer(INFO);
    server.registerTool('pay', { inputSchema: { cents: z.number().default(99_999) } }, async (args) => {
      ran.push(args);
      return paid;
    });
    const client = await connected(guardServer(server, guardOf(await openShop())));
    expect((await client.callTool({ name: 'pay', arguments: {} })).isError).toBe(true);
    expect((await client.callTool({ name: 'pay', arguments: { cents: 1 } })).isError).toBeUndefined();
    expect(ran).toEqual([{ cents: 1 }]);
  });

  test('each of two guards has to allow a call, of a server and of a client', async () => {
    const service = await openShop();
    const [allows, denies] = [
      guardOf(service),
      guardOf(service, { agentId: 'did:web:example.com:agents:thief' }),
    ];
    const call = { name: 'pay', arguments: { cents: 1 } };
    for (const [inner, outer] of [
      [allows, denies],
      [denies, allows],
    ] as const) {
      const open = (ran: () => typeof paid) => {
        const server = new McpServer(INFO);
        server.registerTool('pay', { inputSchema: { cents: z.number() } }, ran);
        return server;
      };
      const server = open(() => expect.fail('ran'));
      const client = await connected(guardServer(guardServer(server, inner), outer));
      expect(JSON.stringify(await client.callTool(call))).toContain('agent_revoked');
      const plain = await connected(open(() => expect.fail('ran')));
      const guarded = guardClient(guardClient(plain, inner), outer);
      await expect(guarded.callTool(call)).rejects.toMatchObject({ code: 'tool_denied' });
    }
    expect((await service.verifications.list({})).data.map(({ verdict }) => verdict).sort()).toEqual([
      ...['ALLOW', 'ALLOW', 'DENY', 'DENY', 'DENY', 'DENY'],
    ]);
  });

  test('are evaluated if they are registered after connect', async () => {
    const server = guardServer(
      new McpServer(INFO, { capabilities: { tools: {} } }),
      guardOf(await openShop()),
      {
        partial: true,
      },
    );
    server.registerTool('first', {}, async () => paid);
    const client = await connected(server);
    server.registerTool('late', {}, async () => expect.fail('ran'));
    const result = await client.callTool({ name: 'late', arguments: {} });
    expect(JSON.stringify(result)).toContain('action_not_allowed');
  });

  test('do not run if the call is cancelled or its connection closes during the evaluation', async () => {
    for (const end of ['cancel', 'close'] as const) {
      const service = await openShop();
      let answer: (() => void) | undefined;
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      let release: (() => void) | undefined;
      const verifier = {
        async verify(intent: Parameters<typeof service.verify>[0]) {
          answer?.();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          return service.verify(intent);
        },
      };
      const server = new McpServer(INFO);
      server.registerTool('pay', { inputSchema: { cents: z.number() } }, async () => expect.fail('ran'));
      const client = await connected(guardServer(server, guardOf(verifier)));
      const controller = new AbortController();
      const { signal } = controller;
      const call = client.callTool({ name: 'pay', arguments: { cents: 1 } }, undefined, { signal });
      const outcome = call.catch(() => 'ended');
      await asked;
      if (end === 'cancel') controller.abort();
      else await client.close();
      release?.();
      expect(await outcome).toBe('ended');
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('the agent may come from the login of the request', async () => {
    const service = await openShop();
    const guard = createToolGuard({
      verifier: service,
      agentId: ({ context }) => (context as { authInfo: { clientId: string } }).authInfo.clientId,
      tools: { pay: { action: 'payments.create', amount: '/cents', decimals: 2, currency: 'EUR' } },
    });
    const server = new McpServer(INFO);
    server.registerTool('pay', { inputSchema: { cents: z.number() } }, async () => paid);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await guardServer(server, guard).connect(far);
    const answers: string[] = [];
    near.onmessage = (message) => answers.push(JSON.stringify(message));
    await near.start();
    const params = { name: 'pay', arguments: { cents: 1 } };
    for (const name of ['shopper', 'thief']) {
      const authInfo = { token: 't', scopes: [], clientId: `did:web:example.com:agents:${name}` };
      await near.send({ jsonrpc: '2.0', id: name, method: 'tools/call', params }, { authInfo });
    }
    await expect.poll(() => answers.length).toBe(2);
    expect(answers.find((text) => text.includes('"shopper"'))).toContain('paid');
    expect(answers.find((text) => text.includes('"thief"'))).toContain('agent_revoked');
  });
});

describe('a rule without its tool is refused', () => {
  const tools = { pey: {} };

  test('by a server when it connects', async () => {
    const guard = createToolGuard({ verifier: await openShop(), agentId: 'a', tools });
    const server = new McpServer(INFO);
    server.registerTool('pay', {}, async () => paid);
    await expect(connected(guardServer(server, guard))).rejects.toThrow(
      /"pey", and no such tool. Did you mean pay\?/,
    );
  });

  test('by a client at the first call, which is not sent', async () => {
    const guard = createToolGuard({ verifier: await openShop(), agentId: 'a', tools });
    const server = new McpServer(INFO);
    server.registerTool('pay', {}, async () => expect.fail('ran'));
    const client = guardClient(await connected(server), guard);
    await expect(client.callTool({ name: 'pay' })).rejects.toThrow(/"pey", and no such tool/);
    expect(() => client.experimental).toThrow('lead around the guard');
  });
});
