/** An application that uses LangChain, compiled by a third party: see framework-types.test.ts. */
import { createIdentityClient } from 'agent-identity-service/client';
import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { guardMiddleware } from 'agent-identity-service/guard/langchain';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const verifier = createIdentityClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'key' });
export const guard: ToolGuard = createToolGuard({ verifier, agentId: 'a' });
const pay = tool(async ({ cents }) => cents, { name: 'pay', schema: z.object({ cents: z.number() }) });
export const agent = createAgent({ model: 'openai:x', tools: [pay], middleware: [guardMiddleware(guard)] });
