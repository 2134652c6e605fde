import { Client as ClientTwo, InMemoryTransport as MemoryTwo } from '@modelcontextprotocol/client';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as MemoryOne } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerOne } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerTwo } from '@modelcontextprotocol/server';
import type { Verifier } from 'agent-identity-service/guard';
import { type GuardServerOptions, guardServer } from 'agent-identity-service/guard/mcp';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { guardOf, openShop, PAY } from './matrix.mjs';

const INFO = { name: 'shop', version: '1.0.0' };
const RULES = {
  pay: PAY,
  wipe: { action: 'payments.delete' },
  send: { action: '/to' },
  ask: () => ({ action: 'forbidden' }),
};
const NAMES = ['pay', 'wipe', 'send', 'ask', 'other', 'free'];

interface Shown {
  readonly version: 1 | 2;
  readonly verifier: Verifier;
  readonly guard?: object;
  readonly options?: GuardServerOptions;
}

/** A client of a server whose tools note that they ran. */
async function connected({ version, verifier, guard, options = { hideDenied: true } }: Shown) {
  const ran: string[] = [];
  const server = (version === 1 ? new ServerOne(INFO) : new ServerTwo(INFO)) as ServerOne;
  for (const name of NAMES) {
    const run = async () => ({ content: [{ type: 'text' as const, text: String(ran.push(name)) }] });
    const shape = { to: z.string().optional() };
    const inputSchema = (version === 1 ? shape : z.object(shape)) as typeof shape;
    server.registerTool(name, { description: name, inputSchema }, run);
  }
  const own = guardOf(verifier, { tools: RULES, unjudged: ['free'], ...guard });
  const [Client, Memory] = version === 1 ? [ClientOne, MemoryOne] : [ClientTwo, MemoryTwo];
  const [near, far] = Memory.createLinkedPair() as ReturnType<typeof MemoryOne.createLinkedPair>;
  await guardServer(server, own, options).connect(far);
  const client = new Client(INFO) as ClientOne;
  await client.connect(near);
  const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
  const call = (name: string) => client.callTool({ name, arguments: {} });
  return { client, ran, listed, call };
}

describe.each([1, 2] as const)('a list of an MCP server, SDK v%i', (version) => {
  test('leaves out what is always denied, and keeps what depends on arguments', async () => {
    const service = await openShop({ allowed_actions: ['payments.*'], denied_actions: ['payments.delete'] });
    const verifier = service;
    const { listed } = await connected({ version, verifier });
    expect(await listed()).toEqual(['pay', 'send', 'ask', 'free']);
    expect(await (await connected({ version, verifier, options: {} })).listed()).toEqual(NAMES);
    const observing = await connected({ version, verifier, guard: { mode: 'observe' } });
    expect(await observing.listed()).toEqual(NAMES);
  });

  test('follows the passport at once, in both directions', async () => {
    const service = await openShop({ allowed_actions: ['payments.*', 'other'] });
    const agent_id = 'did:web:example.com:agents:shopper';
    const { listed } = await connected({ version, verifier: service });
    expect(await listed()).toContain('other');
    await service.suspend({ agent_id });
    expect(await listed()).toEqual(['send', 'ask', 'free']);
    await service.reinstate({ agent_id });
    await service.passports.update(agent_id, { allowed_actions: ['payments.*'] });
    expect(await listed()).toEqual(['pay', 'wipe', 'send', 'ask', 'free']);
  });

  test('answers a call of a hidden tool as one of a tool that nobody has', async () => {
    const service = await openShop();
    const { call, ran } = await connected({ version, verifier: service });
    const texts = await Promise.all(
      ['wipe', 'nothing'].map((name) =>
        call(name).then(
          () => 'ran',
          ({ code, message }) => `${code} ${message.replace(name, 'X').replace(/^MCP error -32602: /, '')}`,
        ),
      ),
    );
    expect(texts).toEqual(['-32602 Unknown tool: X', '-32602 Unknown tool: X']);
    expect(ran).toEqual([]);
    expect(await call('pay')).toMatchObject({
      isError: true,
      content: [{ text: /amount_invalid/ }],
    } as never);
    const { data } = await service.verifications.list();
    expect(data.filter(({ dry_run }) => !dry_run)).toHaveLength(3);
  });

  test('is an error without a verdict, never a short list', async () => {
    const service = await openShop();
    const { verify } = service;
    const lying = { verify, verifyBatch: async () => [] };
    const failing = { verify: () => Promise.reject(new Error('secret-host')) };
    const hanging = { verify: () => new Promise(() => {}) };
    for (const verifier of [lying, failing, hanging] as Verifier[]) {
      const { client } = await connected({ version, verifier, guard: { timeoutMs: 50 } });
      const error = await client.listTools().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: -32_603 });
      expect(String(error)).toContain('There is no verdict on the tools now.');
    }
  });
});

test('asks once for each 100 tools, and each tool without batches', async () => {
  const service = await openShop();
  let asked = 0;
  const { verify } = service;
  const counted: Verifier = {
    verify: (...given) => {
      asked += 1;
      return verify(...given);
    },
  };
  const { listed } = await connected({ version: 1, verifier: counted });
  expect(await listed()).toEqual(['pay', 'send', 'ask', 'free']);
  expect(asked).toBe(3);
});

test('hideDenied must be true or false', async () => {
  const guard = guardOf(await openShop());
  const bad = expect.objectContaining({ code: 'invalid_configuration' });
  expect(() => guardServer(new ServerOne(INFO), guard, { hideDenied: 'yes' as never })).toThrow(bad);
});
