/** `agent-identity mcp` as a process, by the clients of both versions of the SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client as ClientTwo } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTwo } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOne } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { NOTICE } from '../../adapters/mcp-server/answers.ts';
import { TOOLS } from '../../adapters/mcp-server/tools.ts';
import { CLI } from '../support/process.ts';
import { ALL, openDesk, serveDesk } from './desk.ts';

const INFO = { name: 'assistant', version: '1.0.0' };

/** The answer of a tool, as both clients give it. */
interface Called {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** The parts of a client that both versions have. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly Readonly<Record<string, unknown>>[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Called>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

/** Connects a client to the command over the service of a desk. */
async function connect(kind: string) {
  const desk = await openDesk();
  const options = {
    command: process.execPath,
    args: [CLI, 'mcp', '--url', await serveDesk(desk)],
    env: { AGENT_IDENTITY_API_KEY: await desk.keyOf(ALL), PATH: process.env['PATH'] ?? '' },
    stderr: 'pipe' as const,
  };
  if (kind === 'sdk 1') {
    const client = new ClientOne(INFO);
    await client.connect(new StdioOne(options));
    return { ...desk, client: client as unknown as AnyClient };
  }
  const isModern = kind.endsWith('2026-07-28');
  const client = new ClientTwo(INFO, isModern ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(new StdioTwo(options));
  if (isModern) expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return { ...desk, client: client as unknown as AnyClient };
}

test.each(['sdk 1', 'client 2', 'client 2 of 2026-07-28'])(
  '%s asks why an agent was denied, and proposes a change that waits for a person',
  async (kind) => {
    const { client, approve, service, account_id, agent_id } = await connect(kind);
    onTestFinished(() => client.close());
    expect(client.getInstructions()).toContain('you cannot approve');
    const { tools } = await client.listTools();
    const named = Object.fromEntries(tools.map((tool) => [tool['name'], tool['annotations']]));
    expect(Object.keys(named)).toHaveLength(TOOLS.length);
    for (const [name, annotations] of Object.entries(named)) {
      const isWrite = ['propose_change', 'suspend_agent'].includes(name);
      expect(annotations).toEqual({
        readOnlyHint: !isWrite,
        openWorldHint: false,
        ...(isWrite && { destructiveHint: true }),
      });
    }

    const call = async (name: string, args: Record<string, unknown>) => {
      const {
        content,
        structuredContent,
        isError = false,
      } = await client.callTool({ name, arguments: args });
      const [{ text } = { text: '' }] = content;
      expect(text).toBe(`${NOTICE}\n${JSON.stringify(structuredContent)}`);
      return { isError, ...structuredContent };
    };
    await service.verify(
      { agent_id, action: 'pay', parameters: { amount: 250, currency: 'EUR' } },
      { account_id },
    );
    const reasons = [{ code: 'amount_over_limit', limit: '100', actual: '250' }];
    expect(await call('why_denied', { agent_id })).toMatchObject({ data: [{ reasons }] });
    const patch = { monetary_limit_per_txn: 300 };
    expect(await call('try_change', { agent_id, patch })).toMatchObject({ result: 'wider' });
    const asked = await call('propose_change', { agent_id, patch });
    expect(asked).toMatchObject({ status: 'waits', isError: false });
    expect(await call('list_approvals', {})).toMatchObject({
      data: [{ status: 'pending', change: { result: 'wider', fields: ['monetary_limit_per_txn'] } }],
    });
    await approve(Object(asked).approval_id);
    expect(await call('propose_change', { agent_id, patch })).toMatchObject({ status: 'applied' });
    expect(await call('show_passport', { agent_id: 'did:web:example.com:agents:none' })).toMatchObject({
      isError: true,
      code: 'not_found',
    });
    expect(await call('show_passport', { agent_id, approve: true })).toMatchObject({
      isError: true,
      errors: [{ path: '/approve', code: 'unknown_field' }],
    });
  },
);

test('writes the protocol alone on stdout, whatever comes in, and ends with its input', async () => {
  const desk = await openDesk();
  const key = await desk.keyOf(ALL);
  const child = spawn(process.execPath, [CLI, 'mcp', '--url', await serveDesk(desk)], {
    env: { PATH: process.env['PATH'], AGENT_IDENTITY_API_KEY: key, NODE_DEBUG: 'http' },
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  const send = (message: object): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = INFO;
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  send({ method: 'notifications/initialized' });
  child.stdin.write('no json\n{"jsonrpc":"2.0"}\n[]\n\u0000\n');
  send({ id: 2, method: 'tools/call', params: { name: 'approve', arguments: {} } });
  send({ id: 3, method: 'tools/call', params: { name: 'why_denied' } });
  send({ id: 4, method: 'tools/call', params: { name: 'usage', arguments: {} } });
  send({ id: 5, method: 'no/method' });
  const answers = () =>
    written.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  await expect.poll(() => answers().filter(({ id }) => id !== undefined && id !== null).length).toBe(5);
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  for (const answer of answers()) expect(answer).toMatchObject({ jsonrpc: '2.0' });
  expect(written.stdout + written.stderr).not.toContain(key);
});
