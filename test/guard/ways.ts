/** Each way through each framework to the tool `pay`. */
import type { ToolGuard } from 'agent-identity-service/guard';
import * as aiSdk from './frameworks/ai-sdk.mjs';
import * as langchain from './frameworks/langchain.mjs';
import * as mcp from './frameworks/mcp.mjs';
import * as openaiAgents from './frameworks/openai-agents.mjs';
import type { PayArguments } from './matrix.mjs';

/** A call of the tool `pay`. */
export interface Asked {
  readonly guard: ToolGuard;
  readonly args: PayArguments;
  readonly isFailing?: boolean;
}

/** Each way through each framework; `hides` is whether it hides from an adapter that a tool has thrown. */
export const WAYS: readonly [name: string, call: (asked: Asked) => Promise<unknown>, hides: boolean][] = [
  ...aiSdk.WAYS.map((way) => waysOf('AI SDK', way.name, (asked) => aiSdk.callTool({ ...way, ...asked }))),
  ...langchain.WAYS.map((way) =>
    waysOf('LangChain', way.name, (asked) => langchain.callTool({ ...way, ...asked })),
  ),
  ...openaiAgents.WAYS.map((way) =>
    waysOf('OpenAI', way.name, (asked) => openaiAgents.callTool({ ...way, ...asked }), way.isMcp !== true),
  ),
  ...mcp.WAYS.map((way) => waysOf('MCP', way.name, (asked) => mcp.callTool({ ...way, ...asked }))),
];

function waysOf(
  framework: string,
  name: string,
  call: (asked: Asked) => Promise<unknown>,
  hides = false,
): [string, (asked: Asked) => Promise<unknown>, boolean] {
  return [`${framework}, ${name}`, call, hides];
}
