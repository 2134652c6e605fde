/** Resources that demand a permit: they act once for a guarded agent, and never for an agent that avoids its guard. */
import {
  Client as ClientTwo,
  InMemoryTransport as MemoryTwo,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer as ServerTwo } from '@modelcontextprotocol/server';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { requirePermit } from '../../adapters/express/index.ts';
import { guardClient } from '../../adapters/guards/mcp/index.ts';
import type { PermitVerifier } from '../../src/tokens/proof/index.ts';
import { PAYMENT } from '../identity/permits/stage.ts';
import { listenExpress } from '../support/servers.ts';
import { ARGS, openGuard, PERMIT, RULE } from './permit-guard.ts';

/** A way to a tool that pays with a permit for exactly its arguments. */
interface Resource {
  /** The client without a guard. */
  readonly client: McpClient;
  /** The ids of the payments that were made. */
  readonly paid: readonly string[];
  /** The permits that came. */
  readonly got: readonly unknown[];
}

/** The parts of a client of either version that a test needs. */
interface McpClient {
  callTool(params: {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, unknown>>;
  }): Promise<unknown>;
}

function createTill(verifyPermit: PermitVerifier) {
  const [paid, got]: [string[], unknown[]] = [[], []];
  const pay = async ({ cents, currency, to }: typeof ARGS, token: unknown) => {
    got.push(token);
    const amount = (cents / 100).toFixed(2);
    const payment = { action: PAYMENT.action, target: to, amount, currency };
    const { decision_id } = await verifyPermit(token as string, payment);
    paid.push(decision_id);
    return { content: [{ type: 'text' as const, text: 'paid' }] };
  };
  return { paid, got, pay };
}

const INFO = { name: 'shop', version: '1.0.0' };
const SHAPE = { cents: z.number(), currency: z.string(), to: z.string() };

async function byVersionOne(verifyPermit: PermitVerifier): Promise<Resource> {
  const { pay, ...seen } = createTill(verifyPermit);
  const server = new McpServer(INFO);
  server.registerTool('pay', { inputSchema: SHAPE }, (args, { _meta }) => pay(args, _meta?.[PERMIT]));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client(INFO);
  await client.connect(near);
  return { client, ...seen };
}

function serverOfVersionTwo(pay: ReturnType<typeof createTill>['pay']): ServerTwo {
  const server = new ServerTwo(INFO);
  server.registerTool('pay', { inputSchema: z.object(SHAPE) }, (args, { mcpReq }) =>
    pay(args, mcpReq._meta?.[PERMIT]),
  );
  return server;
}

async function byVersionTwo(verifyPermit: PermitVerifier): Promise<Resource> {
  const { pay, ...seen } = createTill(verifyPermit);
  const [near, far] = MemoryTwo.createLinkedPair();
  await serverOfVersionTwo(pay).connect(far);
  const client = new ClientTwo(INFO);
  await client.connect(near);
  return { client, ...seen };
}

async function overHttp(verifyPermit: PermitVerifier): Promise<Resource> {
  const { pay, ...seen } = createTill(verifyPermit);
  const handler = createMcpHandler(() => serverOfVersionTwo(pay));
  onTestFinished(() => handler.close());
  const fetch: typeof globalThis.fetch = async (url, init) => handler.fetch(new Request(url, init));
  const client = new ClientTwo(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('http://shop.example/mcp'), { fetch }));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return { client, ...seen };
}

describe.each([
  ['SDK 1', byVersionOne],
  ['SDK 2', byVersionTwo],
  ['SDK 2 over HTTP', overHttp],
])('a server of MCP that demands permits, by %s', (_, connect) => {
  test('runs a call of a guarded client once, and nothing of an agent that goes around its guard', async () => {
    const { guard, verifyPermit, intentOf, service } = await openGuard();
    const { client, paid, got } = await connect(verifyPermit);
    const guarded = guardClient(client, guard);
    const call = { name: 'pay', arguments: ARGS };
    expect(await guarded.callTool(call)).toMatchObject({ content: [{ text: 'paid' }] });
    const [used] = got;
    // Without the guard, with the permit that was used, and with one for another payment.
    const { permit } = await service.verify(intentOf({ parameters: { amount: 1, currency: 'EUR' } }));
    for (const own of [undefined, used, permit, 'a.b.c']) {
      const answer = await client.callTool({ ...call, _meta: { [PERMIT]: own } });
      expect(answer).toMatchObject({ isError: true });
    }
    expect(await client.callTool(call)).toMatchObject({ isError: true });
    expect(paid).toHaveLength(1);
    // The guard replaces what the agent sends.
    expect(await guarded.callTool({ ...call, _meta: { [PERMIT]: permit, other: 1 } })).toMatchObject({
      content: [{ text: 'paid' }],
    });
    expect(got.at(-1)).not.toBe(permit);
    expect(paid).toHaveLength(2);
    // What the guard denies never comes here.
    await expect(guarded.callTool({ ...call, arguments: { ...ARGS, cents: 10_001 } })).rejects.toMatchObject({
      code: 'tool_denied',
    });
    expect([paid.length, got.length]).toEqual([2, 7]);
  });

  test('gets no permit of the client for a call that asks for none', async () => {
    const { permit: _, ...rule } = RULE;
    const { guard, verifyPermit, service, intentOf } = await openGuard({ tools: { pay: rule } });
    const { client, got } = await connect(verifyPermit);
    const { permit } = await service.verify(intentOf());
    await guardClient(client, guard).callTool({ name: 'pay', arguments: ARGS, _meta: { [PERMIT]: permit } });
    expect(got).toEqual([undefined]);
  });
});

/** A way to a resource by HTTP; the answer is `paid` or the problem. */
type Send = (action: object, token: string | undefined) => Promise<unknown>;

async function byExpress(verifyPermit: PermitVerifier, paid: string[]): Promise<Send> {
  const origin = await listenExpress((app) => {
    app.post(
      '/pay',
      express.json(),
      requirePermit<express.Request>(verifyPermit, ({ body }) => body),
      (request, response) => {
        paid.push(request.permit?.decision_id ?? 'no permit');
        response.json({ problem: 'paid' });
      },
    );
  });
  return async (action, token) => {
    const headers = new Headers({ 'content-type': 'application/json' });
    if (token !== undefined) headers.set('agent-permit', token);
    const init = { method: 'POST', headers, body: JSON.stringify(action) };
    return (await (await fetch(`${origin}/pay`, init)).json()).problem;
  };
}

async function byFetch(verifyPermit: PermitVerifier, paid: string[]): Promise<Send> {
  const handler = async (request: Request): Promise<unknown> => {
    const permit = await verifyPermit(request.headers.get('agent-permit'), await request.json());
    paid.push(permit.decision_id);
    return 'paid';
  };
  return (action, token) => {
    const headers = new Headers(token === undefined ? {} : { 'agent-permit': token });
    const request = new Request('https://pay.example', {
      ...{ method: 'POST', headers, body: JSON.stringify(action) },
    });
    return handler(request).catch(({ details }) => details.problem);
  };
}

test.each([
  ['Express', byExpress],
  ['a fetch handler', byFetch],
])('%s acts once for a guarded agent, and never for an agent that goes around its guard', async (_, open) => {
  const { guard, verifyPermit } = await openGuard();
  const paid: string[] = [];
  const send = await open(verifyPermit, paid);
  let token: string | undefined;
  const run = (cents: number) =>
    guard.run({ name: 'pay', args: { ...ARGS, cents } }, (_args, record) => {
      token = record?.permit ?? undefined;
      return send({ ...PAYMENT, amount: (cents / 100).toFixed(2) }, token);
    });
  expect(await send(PAYMENT, undefined)).toBe('malformed');
  expect(await run(ARGS.cents)).toBe('paid');
  expect(await send(PAYMENT, token)).toBe('used');
  expect(await send({ ...PAYMENT, amount: '19.91' }, token)).toBe('deed');
  await expect(run(10_001)).rejects.toMatchObject({ code: 'tool_denied' });
  expect(paid).toHaveLength(1);
});
