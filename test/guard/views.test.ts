import { Client as ClientTwo, InMemoryTransport as MemoryTwo } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as ServerTwo } from '@modelcontextprotocol/server';
import { guardClient, guardServer } from 'agent-identity-service/guard/mcp';
import { guardMcpServer } from 'agent-identity-service/guard/openai-agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { guardOf, openShop } from './matrix.mjs';

const INFO = { name: 'shop', version: '1.0.0' };
const RICH = { name: 'pay', arguments: { cents: 10_001 } };
const request = { method: 'tools/call', params: RICH };

/** A guarded client of each version of the SDK, over a server whose tool writes down what it is run with. */
async function openClients() {
  const guard = guardOf(await openShop());
  const ran: unknown[] = [];
  const pay = (args: unknown) => {
    ran.push(args);
    return { content: [] };
  };
  const one = new McpServer(INFO);
  one.registerTool('pay', { inputSchema: { cents: z.number() } }, pay);
  const [nearOne, farOne] = InMemoryTransport.createLinkedPair();
  await one.connect(farOne);
  const plainOne = new Client(INFO);
  await plainOne.connect(nearOne);
  const two = new ServerTwo(INFO);
  two.registerTool('pay', { inputSchema: z.object({ cents: z.number() }) }, pay);
  const [nearTwo, farTwo] = MemoryTwo.createLinkedPair();
  await two.connect(farTwo);
  const plainTwo = new ClientTwo(INFO);
  await plainTwo.connect(nearTwo);
  return { ran, clients: [guardClient(plainOne, guard), guardClient(plainTwo, guard)] as readonly object[] };
}

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Carrier = { readonly send: Call };

/** A client without its types, which do not show what is private. */
type Loose = Readonly<
  Record<'request' | 'callTool' | 'notification' | 'listTools' | 'close' | '_requestWithSchema', Call> &
    Record<'transport' | '_transport', Carrier>
>;

/** Waits for what a server may do with a message that has no answer. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('no method of its classes, and nothing that it holds, leads around the guard of an MCP client', async () => {
  const { ran, clients } = await openClients();
  for (const guarded of clients as readonly Loose[]) {
    const methods = Object.getPrototypeOf(guarded);
    const base = Object.getPrototypeOf(methods);
    const message = { jsonrpc: '2.0', id: 77, ...request };
    const ways: Readonly<Record<string, () => unknown>> = {
      request: () => methods.request.call(guarded, request, CallToolResultSchema),
      'request of the base': () => base.request.call(guarded, request, CallToolResultSchema),
      callTool: () => methods.callTool.call(guarded, RICH),
      notification: () => guarded.notification(request),
      'notification of the base': () => base.notification.call(guarded, request),
      transport: () => guarded.transport.send(message),
      'private transport': () => guarded._transport.send(message),
      'its descriptor': () =>
        Object(Object.getOwnPropertyDescriptor(guarded, '_transport')).value.send(message),
      'private methods': () => guarded._requestWithSchema(request, CallToolResultSchema),
      'a getter that changes': () => {
        const inTurn = ['ping', 'tools/call', 'tools/call'];
        const sly = {
          get method() {
            return inTurn.shift();
          },
        };
        return guarded.request(sly, z.object({}));
      },
      'a method in another case': () =>
        guarded.request({ method: 'ping', Method: 'tools/call' }, z.object({})),
      'params in another case': () =>
        guarded.callTool({ name: 'pay', arguments: { cents: 1 }, Arguments: {} }),
      'an amount in another case': () => guarded.callTool({ name: 'pay', arguments: { cents: 1, Cents: 2 } }),
    };
    for (const [way, go] of Object.entries(ways)) {
      const outcome = await Promise.resolve()
        .then(go)
        .then(
          () => 'passed',
          () => 'refused',
        );
      expect([way, outcome]).toEqual([way, way === 'a getter that changes' ? 'passed' : 'refused']);
    }
    expect(guarded instanceof Client || guarded instanceof ClientTwo).toBe(true);
    expect(await guarded.listTools()).toMatchObject({ tools: [{ name: 'pay' }] });
    expect(await guarded.callTool({ name: 'pay', arguments: { cents: 1 } })).toMatchObject({ content: [] });
    await guarded.close();
    expect(guarded.transport).toBeUndefined();
  }
  await settled();
  expect(ran).toEqual([{ cents: 1 }, { cents: 1 }]);
});

test('nothing that an MCP server of the OpenAI SDK holds leads around its guard', async () => {
  const ran: unknown[] = [];
  class Session {
    async request(message: unknown) {
      ran.push(message);
    }
  }
  class Underlying {
    session = new Session();
    async callTool(name: string, args: unknown) {
      ran.push([name, args]);
      return [];
    }
  }
  class Server {
    name = 'shop';
    underlying = new Underlying();
    connect = async () => {};
    listTools = async () => [{ name: 'pay', inputSchema: {} }];
    async callTool(name: string, args: unknown) {
      return this.underlying.callTool(name, args);
    }
  }
  const guarded = guardMcpServer(new Server(), guardOf(await openShop()));
  const ways = [
    () => Server.prototype.callTool.call(guarded, 'pay', RICH.arguments),
    () => Object.getPrototypeOf(guarded).callTool.call(guarded, 'pay', RICH.arguments),
    () => guarded.underlying.callTool('pay', RICH.arguments),
    () => guarded.underlying.session.request(request),
    () => ({ ...guarded }).underlying.callTool('pay', RICH.arguments),
  ];
  for (const way of ways) await expect(Promise.resolve().then(way)).rejects.toThrow('lead around the guard');
  expect(JSON.stringify(await guarded.callTool('pay', RICH.arguments))).toContain('amount_over_limit');
  await guarded.callTool('pay', { cents: 1 });
  expect(ran).toEqual([['pay', { cents: 1 }]]);
  expect([guarded.name, Object.keys(guarded), 'callTool' in guarded]).toEqual([
    'shop',
    ['name', 'underlying', 'connect', 'listTools'],
    true,
  ]);
});

test('a method of the class does not connect a guarded MCP server', async () => {
  const server = new McpServer(INFO);
  server.registerTool('pay', { inputSchema: { cents: z.number() } }, () => expect.fail('ran'));
  const guarded = guardServer(server, guardOf(await openShop()));
  const [, far] = InMemoryTransport.createLinkedPair();
  const { connect } = Object.getPrototypeOf(guarded.server);
  await expect(connect.call(guarded.server, far)).rejects.toThrow('by its own connect');
});
