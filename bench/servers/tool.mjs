/** Serves MCP over stdio with one tool, which answers at once. */
import { createInterface } from 'node:readline';

const RESULTS = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  },
  'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'paid' }] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} })}\n`);
});
