/** MCP clients that open a page for a person: the retry is a new call, and nothing that they send back counts. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { IdentityService } from 'agent-identity-service';
import { guardServer } from 'agent-identity-service/guard/mcp';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { guardOf, openShop } from './matrix.mjs';

const PAGE = 'https://id.example/approvals/';
const ASKED = 'agent-identity/approval';
const NEW = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
};

type Message = {
  readonly id?: number;
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly content?: readonly { readonly text?: string }[];
  };
  readonly error?: { readonly code: number };
  readonly method?: string;
};

/** A guarded server with a tool `pay`, and a client that sends messages as they are. */
async function openDesk(options: { url?: string | undefined } = { url: PAGE }) {
  const service = await openShop({ approval: { above: 10 } });
  const ran: unknown[] = [];
  const seen: unknown[] = [];
  const server = new McpServer({ name: 'shop', version: '1' });
  server.registerTool('pay', { inputSchema: { cents: z.number() } }, async (args, extra) => {
    ran.push(args);
    seen.push(extra);
    return { content: [{ type: 'text', text: 'paid' }] };
  });
  const approvals = options.url === undefined ? {} : { url: options.url };
  const guarded = guardServer(server, guardOf(service, { approvals }));
  const [mine, its] = InMemoryTransport.createLinkedPair();
  const received: Message[] = [];
  mine.onmessage = (message) => received.push(message as Message);
  await guarded.connect(its);
  await mine.start();
  onTestFinished(() => mine.close());
  let count = 0;
  async function ask(method: string, params: object): Promise<Message> {
    count += 1;
    const id = count;
    await mine.send({ jsonrpc: '2.0', id, method, params } as never);
    await expect.poll(() => received.some((message) => message.id === id), { timeout: 25_000 }).toBe(true);
    return received.find((message) => message.id === id) as Message;
  }
  const begin = (capabilities: object, protocolVersion = '2025-11-25') =>
    ask('initialize', { protocolVersion, capabilities, clientInfo: { name: 'c', version: '1' } });
  const pay = (more: object = {}, cents = 2_500) =>
    ask('tools/call', { name: 'pay', arguments: { cents }, ...more });
  return { service, ran, received, begin, pay };
}

async function decide(service: IdentityService, how: 'approve' | 'reject'): Promise<string> {
  const [asked] = (await service.approvals.list({ status: 'pending' })).data;
  const id = asked?.id ?? expect.fail('no person is asked');
  await service.approvals[how](id);
  return id;
}

const ACCEPT = { inputResponses: { [ASKED]: { action: 'accept' } } };

test('2026-07-28: asks by a page, and runs once after the approval, also for a retry that waits', async () => {
  const { service, ran, begin, pay } = await openDesk();
  await begin({});
  const { result } = await pay({ _meta: NEW });
  const [pending] = (await service.approvals.list()).data;
  expect(result).toEqual({
    resultType: 'input_required',
    inputRequests: {
      [ASKED]: {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          message: 'A person must approve this call of a tool.',
          url: `${PAGE}${pending?.id}`,
        },
      },
    },
    requestState: expect.stringMatching(new RegExp(`^ais1\\.${pending?.id}\\.[\\w-]{43}$`)),
  });
  const { requestState } = result ?? {};
  const early = pay({ _meta: NEW, requestState, ...ACCEPT });
  setTimeout(() => void decide(service, 'approve'), 700);
  expect((await early).result).toMatchObject({ content: [{ text: 'paid' }] });
  expect(ran).toEqual([{ cents: 2_500 }]);
  expect((await pay({ _meta: NEW })).result?.resultType).toBe('input_required');
  expect(ran).toHaveLength(1);
});

test('a state of another call is an error, and authority comes from the verdict alone', async () => {
  const { service, ran, begin, pay } = await openDesk();
  await begin({});
  const { requestState = '' } = (await pay({ _meta: NEW })).result ?? {};
  for (const state of [requestState.slice(0, -1), `${requestState}x`, 'ais1.', 'ais1.apr_x.y']) {
    expect((await pay({ _meta: NEW, requestState: state, ...ACCEPT })).error).toMatchObject({
      code: -32_602,
    });
  }
  expect((await pay({ _meta: NEW, requestState, ...ACCEPT }, 2_600)).error).toMatchObject({ code: -32_602 });
  const declined = await pay({
    _meta: NEW,
    requestState,
    inputResponses: { [ASKED]: { action: 'decline' } },
  });
  expect(declined.result).toMatchObject({ isError: true, _meta: { 'agent-identity/verdict': 'DENY' } });
  const retry = pay({ _meta: NEW, requestState, ...ACCEPT });
  setTimeout(() => void decide(service, 'reject'), 300);
  expect((await retry).result?.content?.[0]?.text).toContain('approval_rejected');
  expect(ran).toEqual([]);
});

test('2025-11-25: answers an error with the page, and says when a person has decided', async () => {
  const { service, ran, received, begin, pay } = await openDesk();
  await begin({ elicitation: { url: {} } });
  const { error } = await pay();
  const id = await decide(service, 'approve');
  expect(error).toMatchObject({
    code: -32_042,
    data: { elicitations: [{ mode: 'url', elicitationId: id, url: `${PAGE}${id}` }] },
  });
  const notice = { method: 'notifications/elicitation/complete', params: { elicitationId: id } };
  await expect.poll(() => received.find(({ method }) => method === notice.method)).toMatchObject(notice);
  expect((await pay()).result).toMatchObject({ content: [{ text: 'paid' }] });
  expect(ran).toHaveLength(1);
});

test.each([
  ['a client without pages', { url: PAGE }, {}, '2025-11-25'],
  ['a client with forms', { url: PAGE }, { elicitation: { form: {} } }, '2025-11-25'],
  ['an older protocol', { url: PAGE }, { elicitation: { url: {} } }, '2025-06-18'],
  ['a guard without a page', {}, { elicitation: { url: {} } }, '2025-11-25'],
])('%s gets the text', async (_what, options, capabilities, version) => {
  const { begin, pay } = await openDesk(options);
  await begin(capabilities, version);
  expect((await pay()).result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Repeat') }],
  });
});

test('a client of the SDK gets the error with the page', async () => {
  const service = await openShop({ approval: { above: 10 } });
  const server = new McpServer({ name: 'shop', version: '1' });
  server.registerTool('pay', { inputSchema: { cents: z.number() } }, async () => ({ content: [] }));
  const guarded = guardServer(server, guardOf(service, { approvals: { url: PAGE } }));
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  const [mine, its] = InMemoryTransport.createLinkedPair();
  await Promise.all([guarded.connect(its), client.connect(mine)]);
  onTestFinished(() => client.close());
  const call = client.callTool({ name: 'pay', arguments: { cents: 2_500 } });
  await expect(call).rejects.toMatchObject({ code: -32_042 });
});
