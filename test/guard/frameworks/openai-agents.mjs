/** The tool `pay` of the OpenAI Agents SDK behind a guard: one of its own, or one of an MCP server. */
import { Agent, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { guardMcpServer, guardTools } from 'agent-identity-service/guard/openai-agents';
import { z } from 'zod';

const runner = new Runner({ tracingDisabled: true });

/** An MCP server as the SDK sees it; `ran` gets what its tool is called with. */
export function serverOf(ran, name = 'pay', isFailing = false) {
  const callTool = async (called, args) => {
    ran.push(args);
    if (isFailing) throw new Error('The bank is closed.');
    return [{ type: 'text', text: `${called}: paid` }];
  };
  const properties = { cents: { type: ['number', 'null'] } };
  const inputSchema = { type: 'object', properties, required: [] };
  return {
    ...{ name: 'shop', cacheToolsList: false, callTool },
    ...{ connect: async () => {}, close: async () => {}, invalidateToolsCache: async () => {} },
    listTools: async () => [{ name, description: 'Pays.', inputSchema }],
    callToolResult: async (...call) => ({ content: await callTool(...call) }),
  };
}

function toolsOf({ guard, ran, isMcp, isFull, isFailing, schema, options }) {
  if (isMcp) {
    const server = { ...serverOf(ran, 'pay', isFailing), useStructuredContent: isFull === true };
    return { mcpServers: [guardMcpServer(server, guard)] };
  }
  const execute = async (args) => {
    ran.push(args);
    if (isFailing) throw new Error('The bank is closed.');
    return 'paid';
  };
  const parameters = schema ?? z.object({ cents: z.number().nullish() });
  const isLoose = schema === undefined;
  const loose = { type: 'object', properties: { cents: {} }, required: [], additionalProperties: true };
  const how = isLoose ? { parameters: loose, strict: false } : { parameters };
  return {
    tools: guardTools([tool({ name: 'pay', description: 'Pays.', ...how, execute, ...options })], guard),
  };
}

/** What the agent makes of one call of the model: what the tools gave, or what the run threw. */
export async function callTool({ args, signal, isStreamed, ...more }) {
  const ran = [];
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  const model = new ScriptedModel([
    [functionCall('pay', text, { callId: 'call-1' })],
    [assistantMessage('Done.')],
  ]);
  const agent = new Agent({ name: 'shopper', model, ...toolsOf({ ...more, ran }) });
  let outputs = [];
  let error;
  try {
    const result = await runner.run(agent, 'Pay.', { signal, stream: isStreamed === true });
    if (isStreamed) {
      for await (const _ of result);
      await result.completed;
    }
    outputs = result.newItems
      .filter(({ type }) => type === 'tool_call_output_item')
      .map(({ output }) => output);
  } catch (thrown) {
    error = thrown;
  }
  return { ran, outputs, error };
}

/** Every way through the SDK, for the matrix. */
export const WAYS = [
  { name: 'a tool' },
  { name: 'a tool, streamed', isStreamed: true },
  { name: 'an MCP server', isMcp: true },
  { name: 'an MCP server, streamed', isMcp: true, isStreamed: true },
  { name: 'an MCP server, whole results', isMcp: true, isFull: true },
];
