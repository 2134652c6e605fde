/**
 * An MCP server over stdio that folds names, and writes each call of a tool that it runs into a file.
 * `node folding-server.mjs <file>`
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { callIn } from '../support/folding-reader.mjs';

const [, , file] = process.argv;

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const { id, method, name, amount } = callIn(line);
  if (method === 'tools/call') appendFileSync(file, `${name} ${amount}\n`);
  const tools = [{ name: 'pay' }, { name: 'search' }].map((tool) => ({ ...tool, inputSchema: {} }));
  const result = method === 'tools/list' ? { tools } : {};
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
