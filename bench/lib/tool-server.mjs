/** An MCP server over stdio, measured from a client, directly or behind `agent-identity mcp-guard`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SERVER = [process.execPath, fileURLToPath(new URL('../servers/tool.mjs', import.meta.url))];
const ABOUT_CLIENT = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/**
 * Starts the server of one tool, `pay`. `guard` has the port and key of the service that decides each call, the agent
 * that calls, and the action for a payment. `startMs` is the time until the answer to `initialize`.
 */
export async function startTools(guard) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-tools-'));
  const startedAt = performance.now();
  const [file, ...args] = guard === undefined ? SERVER : guarded(guard, folder);
  const env = { PATH: process.env.PATH, HOME: folder, AGENT_IDENTITY_API_KEY: guard?.key };
  const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;

  async function ask(method, params) {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`The server of the tool ended at ${method}.`);
    const answer = JSON.parse(value);
    if (answer.id !== id || answer.error !== undefined || answer.result.isError === true)
      throw new Error(`${method}: ${value}`);
  }

  await ask('initialize', ABOUT_CLIENT);
  const startMs = performance.now() - startedAt;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    startMs,
    async callMs() {
      const before = performance.now();
      await ask('tools/call', { name: 'pay', arguments: { amount: 1 } });
      return performance.now() - before;
    },
    async stop() {
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function guarded({ port, agent_id, action }, folder) {
  const tools = join(folder, 'tools.json');
  writeFileSync(tools, JSON.stringify({ pay: { action, amount: '/amount' } }));
  const asks = ['--agent', agent_id, '--url', `http://127.0.0.1:${port}/api`, '--tools', tools];
  return [process.execPath, COMMAND, 'mcp-guard', ...asks, '--', ...SERVER];
}
