/** MCP servers of both generations of the SDK that take tokens of one issuer, and an agent that has a key. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer as NewMcpServer } from '@modelcontextprotocol/server';
import express, { type Response as ExpressResponse, type Request } from 'express';
import { onTestFinished } from 'vitest';
import { requireToken } from '../../adapters/express/index.ts';
import { guardServer } from '../../adapters/guards/mcp/index.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { accessOf, createTokenVerifier, type TokenVerifierOptions } from '../../src/tokens/index.ts';
import { type AgentKeyPair, ISSUER, makeKeyPair, type OpenIssuer, openIssuer } from './stage.ts';

/** The generation of the SDK: `sdk`, or the packages `server` and `client`. */
export type Generation = 1 | 2;

export interface OpenResource {
  readonly issuer: OpenIssuer;
  readonly key: AgentKeyPair;
  readonly agent_id: string;
  readonly resource: string;
  /** Sends requests to the issuer and to the server. */
  readonly fetch: typeof globalThis.fetch;
}

const TOOL = { description: 'Says who calls.' };
const answer = (agent_id: unknown) => ({ content: [{ type: 'text' as const, text: String(agent_id) }] });

type Serve = (
  request: Request,
  response: ExpressResponse,
  guarded: (mcp: McpServer) => McpServer,
) => Promise<void>;

const SERVERS: Readonly<Record<Generation, Serve>> = {
  async 1(request, response, guarded) {
    const mcp = guarded(new McpServer({ name: 'orders', version: '1.0.0' }));
    mcp.registerTool('whoami', TOOL, ({ authInfo }) => answer(authInfo?.extra?.['agent_id']));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    await mcp.connect(transport as never);
    await transport.handleRequest(request, response, request.body);
  },
  async 2(request, response) {
    const handler = createMcpHandler(() => {
      const mcp = new NewMcpServer({ name: 'orders', version: '1.0.0' });
      mcp.registerTool('whoami', TOOL, ({ http }) => answer(http?.authInfo?.extra?.['agent_id']));
      return mcp;
    });
    const headers = new Headers(request.headers as Record<string, string>);
    const sent = new globalThis.Request(`http://${request.headers.host}${request.originalUrl}`, {
      method: request.method,
      headers,
    });
    const authInfo = (request as unknown as { auth: never }).auth;
    const answered = await handler.fetch(sent, { authInfo, parsedBody: request.body });
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(await answered.text());
  },
};

/** Opens an issuer with an agent, and an MCP server of this generation that demands its tokens. */
export async function openResource({
  alg = 'EdDSA',
  generation = 1,
  isGuarded = false,
  ...more
}: Partial<TokenVerifierOptions> & {
  readonly alg?: 'EdDSA' | 'ES256';
  readonly generation?: Generation;
  /** Asks for a verdict before each call of a tool; with generation 1. */
  readonly isGuarded?: boolean;
} = {}): Promise<OpenResource> {
  const issuer = openIssuer();
  const key = await makeKeyPair(alg);
  const { agent_id } = await issuer.issue([key]);
  const app = express();
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const resource = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const fetch = ((url: string | URL, init?: RequestInit) =>
    `${url}`.startsWith('https://id.example.com/')
      ? issuer.fetch(`${url}`, init)
      : globalThis.fetch(url, init)) as typeof globalThis.fetch;
  const verifyToken = createTokenVerifier({ issuers: [ISSUER], resource, fetch, ...more });
  app.use(requireToken(verifyToken));
  const tools = { whoami: { action: 'orders.read' } };
  const guard = createToolGuard({ verifier: issuer.service, access: accessOf, tools });
  app.post('/mcp', express.json(), (request, response) =>
    SERVERS[generation](request, response, (mcp) => (isGuarded ? guardServer(mcp, guard) : mcp)),
  );
  return { issuer, key, agent_id, resource, fetch };
}
