/** The entry point `./guard/openai-agents`: guards tools and MCP servers of the OpenAI Agents SDK. Tested with 0.20.0. */

/** @public */
export type { GuardToolsOptions, ToolGuard } from '../../../src/guard/index.ts';
export { guardMcpServer } from './guard-mcp-server.ts';
export { guardTools } from './guard-tools.ts';
