/**
 * An MCP server over stdio that writes each line that it reads into a file, and answers calls of tools by `ran`.
 * `node recording-server.mjs <file> [what]`, where `what` is what it does besides.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file, what = ''] = process.argv;
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tools = ['pay', 'search', 'forbidden'].map((name) => ({ name, inputSchema: { type: 'object' } }));

const ANSWERS = {
  'tools/call': () => ({ content: [{ type: 'text', text: 'ran' }] }),
  'tools/list': ({ cursor } = {}) => {
    if (what !== 'pages') return { tools };
    return cursor === undefined ? { tools: [tools[0]], nextCursor: '2' } : { tools: tools.slice(1) };
  },
  environment: () => ({ names: Object.keys(process.env) }),
};

if (what === 'garbage') {
  process.stdout.write('no json at all\n{"jsonrpc":"2.0","id":1,"result":\n\u0000\u0001\n');
  process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
}
if (what === 'half') process.stdout.write('{"half of a line": ');
if (what === 'deaf') process.on('SIGTERM', () => process.exit(5));
process.stderr.write('ready\n');

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  appendFileSync(file, `${line}\n`);
  const { id, method, params } = JSON.parse(line);
  if (what === 'die' && method === 'ping') process.exit(7);
  if (what === 'kill' && method === 'ping') process.kill(process.pid, 'SIGKILL');
  if (id !== undefined && method !== undefined) say({ id, result: ANSWERS[method]?.(params) ?? {} });
});
