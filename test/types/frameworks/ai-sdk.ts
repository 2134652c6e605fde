/** An application that uses the Vercel AI SDK, compiled by a third party: see framework-types.test.ts. */
import { createIdentityClient } from 'agent-identity-service/client';
import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { approvalOf, guardTools } from 'agent-identity-service/guard/ai-sdk';
import { generateText, type LanguageModel, tool } from 'ai';
import { z } from 'zod';

const verifier = createIdentityClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'key' });
export const guard: ToolGuard = createToolGuard({ verifier, agentId: 'a' });
const pay = tool({ inputSchema: z.object({ cents: z.number() }), execute: async ({ cents }) => cents });
export const tools = guardTools({ pay }, guard);
export const approve = approvalOf(guard);
export const run = (model: LanguageModel) => generateText({ model, prompt: 'Pay.', tools });
