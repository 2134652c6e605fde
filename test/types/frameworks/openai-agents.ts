/** An application that uses the OpenAI Agents SDK, compiled by a third party: see framework-types.test.ts. */

import { Agent, MCPServerStdio, tool } from '@openai/agents';
import { createIdentityClient } from 'agent-identity-service/client';
import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { guardMcpServer, guardTools } from 'agent-identity-service/guard/openai-agents';
import { z } from 'zod';

const verifier = createIdentityClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'key' });
export const guard: ToolGuard = createToolGuard({ verifier, agentId: 'a' });
const pay = tool({
  name: 'pay',
  description: 'Pays.',
  parameters: z.object({ cents: z.number() }),
  execute: async ({ cents }) => cents,
});
export const server = guardMcpServer(new MCPServerStdio({ command: 'x' }), guard);
export const agent = new Agent({ name: 'shopper', tools: guardTools([pay], guard), mcpServers: [server] });
