/**
 * Run by run.mjs in its folder: the conformance suite of MCP against a server over HTTP, once as it is and once behind
 * the guard. Both must pass the same scenarios: what the suite asks of tools, logging, progress and sampling.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { guardServer } from 'agent-identity-service/guard/mcp';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { z } from 'zod';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const SCENARIOS = [
  ...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-image'],
  ...['tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
  ...['tools-call-with-logging', 'tools-call-error', 'tools-call-with-progress', 'tools-call-sampling'],
];
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (said) => ({ type: 'text', text: said });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (name) => ({
  type: 'resource',
  resource: { uri: `test://${name}`, mimeType: 'text/plain', text: 'A resource of the test.' },
});
const TOOLS = {
  test_simple_text: () => [text('A text of the test.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [resource('embedded')],
  test_multiple_content_types: () => [text('Several kinds:'), image, resource('mixed')],
  async test_tool_with_logging({ sendNotification }) {
    for (const data of ['started', 'processing', 'completed']) {
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
      await pause(50);
    }
    return [text('done')];
  },
  async test_tool_with_progress({ sendNotification, _meta }) {
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: _meta?.progressToken, progress, total: 100 };
      if (_meta?.progressToken !== undefined)
        await sendNotification({ method: 'notifications/progress', params });
      await pause(50);
    }
    return [text('done')];
  },
  test_error_handling() {
    throw new Error('This tool fails on purpose.');
  },
};

/** A new server for each session, guarded or as it is. */
function mcpServer(guard) {
  const plain = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    { capabilities: { logging: {}, tools: {} } },
  );
  const server = guard === undefined ? plain : guardServer(plain, guard);
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: 'Of the test.' }, async (extra) => ({
      content: await run(extra),
    }));
  }
  const inputSchema = { prompt: z.string() };
  server.registerTool('test_sampling', { description: 'Of the test.', inputSchema }, async ({ prompt }) => {
    const messages = [{ role: 'user', content: text(prompt) }];
    const { content } = await plain.server.createMessage({ messages, maxTokens: 100 });
    return { content: [text(`LLM response: ${content.text}`)] };
  });
  return server;
}

/** The scenarios that pass, asked of a server that listens for as long as that takes. */
async function passedScenarios(guard) {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await mcpServer(guard).connect(transport);
    return transport.handleRequest(request, response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const passed = [];
  for (const scenario of SCENARIOS) {
    const url = `http://127.0.0.1:${http.address().port}/mcp`;
    const code = await new Promise((resolve) => {
      const args = [SUITE, 'server', '--url', url, '--scenario', scenario];
      execFile(process.execPath, args, (error, stdout) => {
        if (error !== null && process.env.VERBOSE) console.error(stdout);
        resolve(error === null ? 0 : error.code);
      });
    });
    if (code === 0) passed.push(scenario);
  }
  http.closeAllConnections();
  http.close();
  return passed;
}

const service = createIdentityService({ storageDeadlineMs: 30_000, storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com',
  agent_name: 'conformance',
  allowed_actions: ['mcp:*'],
  monetary_limit_per_txn: 0,
});
const guard = createToolGuard({ verifier: service, agentId: agent_id, prefix: 'mcp:' });
assert.deepEqual(await passedScenarios(undefined), SCENARIOS, 'without the guard');
assert.deepEqual(await passedScenarios(guard), SCENARIOS, 'behind the guard');
const { data } = await service.verifications.list({ limit: 100 });
assert.ok(data.length >= 9 && data.every(({ verdict }) => verdict === 'ALLOW'));
await service.close();
console.log(
  `MCP conformance: ${SCENARIOS.length} of ${SCENARIOS.length} scenarios, with and without the guard`,
);
