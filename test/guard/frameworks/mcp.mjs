/** The tool `pay` of an MCP server behind a guard, by both versions of the SDK. */

import {
  Client as ClientTwo,
  InMemoryTransport as MemoryTwo,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as MemoryOne } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerOne } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer as ServerTwo } from '@modelcontextprotocol/server';
import { guardClient, guardServer } from 'agent-identity-service/guard/mcp';
import { z } from 'zod';

const INFO = { name: 'shop', version: '1.0.0' };
const shape = { cents: z.number().nullish() };
const paid = { content: [{ type: 'text', text: 'paid' }] };

/** How a server comes by its tool; `ran` gets what it is run with. */
function register(server, ran, how, isFailing) {
  const execute = async (args) => {
    ran.push(args);
    if (isFailing) throw new Error('The bank is closed.');
    return paid;
  };
  const config = { description: 'Pays.', inputSchema: server instanceof ServerTwo ? z.object(shape) : shape };
  if (how === 'tool') server.tool('pay', shape, execute);
  else if (how === 'update')
    server.registerTool('pay', config, async () => paid).update({ callback: execute });
  else server.registerTool('pay', config, execute);
}

/** One call through a guarded server or client; what ran and what it answered. */
export async function callTool({
  version,
  side = 'server',
  how,
  guard,
  args,
  signal,
  isHttp,
  isRequest,
  ...more
}) {
  const [Server, Client, Memory] =
    version === 1 ? [ServerOne, ClientOne, MemoryOne] : [ServerTwo, ClientTwo, MemoryTwo];
  const ran = [];
  const make = () => {
    const server = new Server(INFO);
    register(server, ran, how, more.isFailing);
    return side === 'server' ? guardServer(server, guard) : server;
  };
  const plain = new Client(INFO, isHttp ? { versionNegotiation: { mode: 'auto' } } : {});
  const client = side === 'client' ? guardClient(plain, guard) : plain;
  let close = () => client.close();
  if (isHttp) {
    const handler = createMcpHandler(make);
    const fetch = async (url, init) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL('http://shop.example/mcp'), { fetch }));
    close = async () => {
      await client.close();
      await handler.close();
    };
  } else {
    const [near, far] = Memory.createLinkedPair();
    await make().connect(far);
    await client.connect(near);
  }
  const params = { name: 'pay', arguments: args };
  const options = signal === undefined ? undefined : { signal };
  const schemas = version === 1 ? [isRequest ? CallToolResultSchema : undefined] : [];
  const call = isRequest
    ? client.request({ method: 'tools/call', params }, ...schemas, options)
    : client.callTool(params, ...schemas, options);
  const outcome = await call.then(
    (result) => ({ result }),
    (error) => ({ error }),
  );
  const protocol = plain.getNegotiatedProtocolVersion?.();
  await close();
  return { ran, protocol, ...outcome };
}

/** Every way through the SDKs, for the matrix. */
export const WAYS = [
  { name: 'v1, server, registerTool', version: 1 },
  { name: 'v1, server, tool', version: 1, how: 'tool' },
  { name: 'v1, server, update', version: 1, how: 'update' },
  { name: 'v1, client, callTool', version: 1, side: 'client' },
  { name: 'v1, client, request', version: 1, side: 'client', isRequest: true },
  { name: 'v2, server, registerTool', version: 2 },
  { name: 'v2, server, update', version: 2, how: 'update' },
  { name: 'v2, server over HTTP, negotiated', version: 2, isHttp: true },
  { name: 'v2, client, callTool', version: 2, side: 'client' },
  { name: 'v2, client, request', version: 2, side: 'client', isRequest: true },
];
