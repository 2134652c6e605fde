/** Calls that a person has to approve: what a guard says of them, and how they come again. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createIdentityClient, type IdentityService } from 'agent-identity-service';
import type { ToolCall, ToolGuard, ToolGuardOptions, ToolVerdict } from 'agent-identity-service/guard';
import { approvalOf, guardTools } from 'agent-identity-service/guard/ai-sdk';
import { guardClient, guardServer } from 'agent-identity-service/guard/mcp';
import { nodeListener } from 'agent-identity-service/http';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { listen } from '../support/servers.ts';
import { guardOf, openShop, PAY } from './matrix.mjs';

const AGENT = 'did:web:example.com:agents:shopper';
const CALL: ToolCall = { name: 'pay', args: { cents: 2_500 } };
const ASKED = { id: expect.stringMatching(/^apr_/), expires_at: expect.any(String) };
const fail = () => expect.fail('ran');

/** A shop where a person approves what costs more than 10, and a guard of it. */
async function openDesk(options: Partial<ToolGuardOptions> = {}) {
  const service = await openShop({ approval: { above: 10 } });
  const guard = guardOf(service, options);
  return { service, guard };
}

/** The approval that the call needs, approved. */
async function approvedId(service: IdentityService, guard: ToolGuard, call: ToolCall = CALL) {
  const id = askedIn(await guard.judge(call));
  await service.approvals.approve(id);
  return id;
}

function askedIn(verdict: ToolVerdict): string {
  return (verdict.allowed ? undefined : verdict.approval?.id) ?? expect.fail('no person is asked');
}

function codesOf(verdict: ToolVerdict): readonly string[] {
  return verdict.allowed ? [] : verdict.reasons.map(({ code }) => code);
}

describe('a call that needs a person', () => {
  test('is denied with the approval, and runs once with its id when it is approved', async () => {
    const { service, guard } = await openDesk();
    const verdict = await guard.judge(CALL);
    expect(verdict).toMatchObject({
      allowed: false,
      approval: ASKED,
      text: expect.stringMatching(
        /^DENY dec_\w+: A person must approve the intent\. \(approval_required\) The tool was not run\. Once a person has approved apr_\w+, the same call with this approval_id is allowed once\.$/,
      ),
    });
    const denied = { code: 'tool_denied', details: { approval: ASKED } };
    await expect(guard.run(CALL, fail)).rejects.toMatchObject(denied);
    const approval_id = askedIn(verdict);
    const again = { ...CALL, approval_id };
    expect(codesOf(await guard.judge(again))).toEqual(['approval_pending']);
    await service.approvals.approve(approval_id);
    expect(codesOf(await guard.judge({ ...again, args: { cents: 2_501 } }))).toEqual(['approval_mismatch']);
    expect(await guard.judge(again, { dry_run: true })).toMatchObject({ allowed: true });
    expect(await guard.run(again, () => 'paid')).toBe('paid');
    expect(codesOf(await guard.judge(again))).toEqual(['approval_used']);
    expect(await service.approvals.get(approval_id)).toMatchObject({ status: 'used' });
  });

  test('is denied for good where the person rejects it', async () => {
    const { service, guard } = await openDesk();
    const id = askedIn(await guard.judge(CALL));
    await service.approvals.reject(id);
    expect(codesOf(await guard.judge({ ...CALL, approval_id: id }))).toEqual(['approval_rejected']);
  });

  test('names no approval where no person was asked', async () => {
    const { service, guard } = await openDesk();
    const ahead = await guard.judge(CALL, { dry_run: true });
    expect(codesOf(ahead)).toEqual(['approval_required']);
    expect(ahead).not.toHaveProperty('approval');
    const over = await guard.judge({ name: 'pay', args: { cents: 10_001 } });
    expect(codesOf(over)).toEqual(['amount_over_limit']);
    expect(over).not.toHaveProperty('approval');
    expect((await service.approvals.list()).data).toEqual([]);
  });

  test.each([7, null, {}])('cannot be read with the approval_id %j', async (approval_id) => {
    const { service, guard } = await openDesk({ approvalId: () => approval_id as never });
    expect(codesOf(await guard.judge(CALL))).toEqual(['intent_unreadable']);
    const own = guardOf(service);
    const call = { ...CALL, approval_id: approval_id as never };
    expect(codesOf(await own.judge(call))).toEqual([
      approval_id === null ? 'approval_required' : 'intent_unreadable',
    ]);
  });

  test('under a key of the application continues with the approval that an earlier run used', async () => {
    const { service, guard } = await openDesk({ idempotencyKey: () => 'order-1' });
    const call = { ...CALL, approval_id: await approvedId(service, guard) };
    const run = await guard.begin(call);
    expect(run.hasTaken).toBe(true);
    await run.undo();
    expect(await guard.run(call, () => 'paid')).toBe('paid');
    const another = guardOf(service, { idempotencyKey: () => 'order-2' });
    expect(codesOf(await another.judge(call))).toEqual(['approval_used']);
  });
});

test('the option approvalId gives the calls of a framework their approvals', async () => {
  type Context = { readonly experimental_context?: { readonly approval_id?: string } };
  const { service, guard } = await openDesk({
    approvalId: ({ name, context }) =>
      name === 'pay' ? (context as Context | undefined)?.experimental_context?.approval_id : undefined,
  });
  const ran: unknown[] = [];
  const inputSchema = z.object({ cents: z.number() });
  const tools = guardTools({ pay: tool({ inputSchema, execute: async (args) => ran.push(args) }) }, guard);
  const pay = async (experimental_context: object = {}) =>
    tools.pay.execute?.({ cents: 2_500 }, { toolCallId: '1', messages: [], experimental_context });
  await expect(pay()).rejects.toMatchObject({ code: 'tool_denied', details: { approval: ASKED } });
  await pay({ approval_id: await approvedId(service, guard) });
  expect(ran).toEqual([{ cents: 2_500 }]);
  expect(() => guardOf(service, { approvalId: 'apr_1' as never })).toThrow('approvalId must be a function');
});

test('approvalOf lets a call be tried that only lacks its approval: the run asks the person', async () => {
  const { service, guard } = await openDesk();
  const ask = (cents: number) =>
    approvalOf(guard)({ toolCall: { toolName: 'pay', toolCallId: '1', input: { cents } } });
  expect(await ask(2_500)).toBeUndefined();
  expect((await service.approvals.list()).data).toEqual([]);
  expect(await ask(10_001)).toMatchObject({ type: 'denied' });
});

describe('a single callback', () => {
  test('is denied with the approval, and runs with its id, in process and over HTTP', async () => {
    const { service } = await openDesk();
    const { key: apiKey } = await service.keys.create({ name: 'guard', scopes: ['verify'] });
    const client = createIdentityClient({ baseUrl: `${await listen(nodeListener(service))}/api`, apiKey });
    for (const [place, guard] of [service.guard, client.guard].entries()) {
      const parameters = { amount: 20 + place, currency: 'EUR' };
      const intent = { agent_id: AGENT, action: 'payments.create', parameters };
      const error = await guard(intent, fail).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'tool_denied', details: { approval: ASKED } });
      const { approval } = (error as { readonly details: { readonly approval: { readonly id: string } } })
        .details;
      await service.approvals.approve(approval.id);
      expect(await guard({ ...intent, approval_id: approval.id }, () => 'paid')).toBe('paid');
    }
  });
});

describe('over MCP, in _meta', () => {
  const INFO = { name: 'shop', version: '1.0.0' };
  const NAME = 'agent-identity/approval_id';
  const params = { name: 'pay', arguments: { cents: 2_500 } };

  async function openServer(guard?: ToolGuard) {
    const server = new McpServer(INFO);
    server.registerTool('pay', { inputSchema: { cents: z.number() } }, async () => ({
      content: [{ type: 'text' as const, text: 'paid' }],
    }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await (guard ? guardServer(server, guard) : server).connect(far);
    const client = new Client(INFO);
    await client.connect(near);
    return client;
  }

  test('a server names the approval, and takes it with the call', async () => {
    const { service, guard } = await openDesk();
    const client = await openServer(guard);
    const { _meta } = await client.callTool(params);
    expect(_meta).toMatchObject({ 'agent-identity/verdict': 'DENY', [NAME]: ASKED.id });
    await service.approvals.approve(String(_meta?.[NAME]));
    const used = await client.callTool({ ...params, _meta: { [NAME]: _meta?.[NAME] } });
    expect(used).toMatchObject({ content: [{ text: 'paid' }] });
    const { _meta: over } = await client.callTool({ name: 'pay', arguments: { cents: 10_001 } });
    expect(over).not.toHaveProperty([NAME]);
  });

  test('a client takes it with the call', async () => {
    const { service, guard } = await openDesk();
    const client = guardClient(await openServer(), guard);
    await expect(client.callTool(params)).rejects.toMatchObject({ details: { approval: ASKED } });
    const _meta = { [NAME]: await approvedId(service, guard) };
    expect(await client.callTool({ ...params, _meta })).toMatchObject({ content: [{ text: 'paid' }] });
  });

  test.each(['result', 'error'] as const)(
    'the proxy names it in a denial as %s, and takes it',
    async (denyAs) => {
      const { service } = await openDesk();
      const guard = createToolGuard({ verifier: service, agentId: AGENT, tools: { pay: PAY } });
      const answers: unknown[] = [];
      const forwarded: unknown[] = [];
      const gate = createGate({
        ...{ guard, denyAs, isGuardingMethods: false, allowedMethods: [], onList: () => undefined },
        forward: (message) => void forwarded.push(message),
        answer: (message) => void answers.push(message),
      });
      const send = (id: number, more: object = {}) => {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, ...more } };
        gate.receive(Buffer.from(JSON.stringify(message)));
        return gate.settled();
      };
      await send(1);
      const named = { [NAME]: ASKED.id };
      expect(answers).toMatchObject([
        denyAs === 'result' ? { result: { _meta: named } } : { error: { data: named } },
      ]);
      const [{ id = '' } = {}] = (await service.approvals.list()).data;
      await service.approvals.approve(id);
      await send(2, { _meta: { [NAME]: id } });
      expect([answers.length, forwarded.length]).toEqual([1, 1]);
    },
  );
});
