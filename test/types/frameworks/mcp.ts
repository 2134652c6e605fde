/** An application that uses MCP with both versions of its SDK, compiled by a third party: see framework-types.test.ts. */

import { Client as ClientTwo } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as ServerTwo } from '@modelcontextprotocol/server';
import { createIdentityClient } from 'agent-identity-service/client';
import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { guardClient, guardServer } from 'agent-identity-service/guard/mcp';

const verifier = createIdentityClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'key' });
export const guard: ToolGuard = createToolGuard({ verifier, agentId: 'a' });
const info = { name: 'shop', version: '1' };
export const servers = [
  guardServer(new McpServer(info), guard),
  guardServer(new ServerTwo(info), guard),
] as const;
export const clients = [
  guardClient(new Client(info), guard),
  guardClient(new ClientTwo(info), guard),
] as const;
export const call = () => clients[0].callTool({ name: 'pay' });
