import { createRequire } from 'node:module';
import { Client as ClientTwo } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTwo } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOne } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../support/process.ts';
import { AGENT, openShop } from './proxy.ts';

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const INFO = { name: 'shopper', version: '1.0.0' };

/** What of a client is used here, in both versions of the SDK. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

async function connect(version: 1 | 2, url: string, apiKey: string): Promise<AnyClient> {
  const options = {
    command: process.execPath,
    args: [CLI, 'mcp-guard', '--agent', AGENT, '--url', url, '--', process.execPath, EVERYTHING, 'stdio'],
    env: { AGENT_IDENTITY_API_KEY: apiKey, PATH: process.env['PATH'] ?? '' },
    stderr: 'ignore' as const,
  };
  if (version === 1) {
    const client = new ClientOne(INFO);
    await client.connect(new StdioOne(options));
    return client as unknown as AnyClient;
  }
  const client = new ClientTwo(INFO);
  await client.connect(new StdioTwo(options));
  return client as unknown as AnyClient;
}

test.each([1, 2] as const)(
  'server-everything behind the proxy, by the client of SDK v%i',
  async (version) => {
    let isAway = false;
    const { url, apiKey } = await openShop((listener) => (request, response) => {
      if (isAway) request.socket.destroy();
      else listener(request, response);
    });
    const client = await connect(version, url, apiKey);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(10);
    const echo = { name: 'echo', arguments: { message: 'hello' } };
    expect(await client.callTool(echo)).toMatchObject({ content: [{ text: 'Echo: hello' }] });
    expect(await client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ text: expect.stringContaining('3') }],
    });
    // The last one is a task: the client of v1 does not call it.
    const allowed = ['echo', 'get-sum', 'simulate-research-query'];
    const others = tools.map(({ name }) => name).filter((name) => !allowed.includes(name));
    for (const name of others) {
      const result = await client.callTool({ name, arguments: {} });
      expect([name, result['isError'], JSON.stringify(result)]).toEqual([
        name,
        true,
        expect.stringContaining('action_not_allowed'),
      ]);
    }
    isAway = true;
    expect(JSON.stringify(await client.callTool(echo))).toContain('verdict_unavailable');
  },
);
