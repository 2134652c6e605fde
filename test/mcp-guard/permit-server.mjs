/**
 * An MCP server over stdio whose tool `pay` demands a permit for its arguments: `node permit-server.mjs <JSON>` with
 * `issuers`, `audience` and `keys`.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { createPermitVerifier, rememberOnce } from '../../dist/proof.js';

const verifyPermit = createPermitVerifier({ ...JSON.parse(process.argv[2]), once: rememberOnce() });
const server = new McpServer({ name: 'till', version: '1.0.0' });
server.registerTool('pay', { inputSchema: { cents: z.number() } }, async ({ cents }, { _meta }) => {
  const payment = { action: 'payments.create', amount: (cents / 100).toFixed(2), currency: 'EUR' };
  const { decision_id } = await verifyPermit(_meta?.['agent-identity/permit'], payment);
  return { content: [{ type: 'text', text: decision_id }] };
});
await server.connect(new StdioServerTransport());
