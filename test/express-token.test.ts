import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, PrivateKeyJwtProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { exportJWK } from 'jose';
import {
  clientCredentialsGrant,
  customFetch,
  discovery,
  getDPoPHandle,
  PrivateKeyJwt,
  randomDPoPKeyPair,
} from 'openid-client';
import { expect, onTestFinished, test } from 'vitest';
import { requireToken } from '../adapters/express/index.ts';
import { createTokenVerifier, type TokenVerifierOptions } from '../src/tokens/index.ts';
import { ISSUER, makeKeyPair, openIssuer } from './access-tokens/stage.ts';

/** An MCP server that takes tokens of one issuer, with an agent that has a key. */
async function openResource(more: Partial<TokenVerifierOptions> = {}) {
  const issuer = openIssuer();
  const key = await makeKeyPair();
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
  app.post('/mcp', express.json(), async (request, response) => {
    const mcp = new McpServer({ name: 'orders', version: '1.0.0' });
    mcp.registerTool('whoami', { description: 'Says who calls.' }, ({ authInfo }) => ({
      content: [{ type: 'text', text: String(authInfo?.extra?.['agent_id']) }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    await mcp.connect(transport as never);
    await transport.handleRequest(request, response, request.body);
  });
  return { issuer, key, agent_id, resource, fetch };
}

test('the MCP client gets a token by itself, and the server knows the agent', {
  timeout: 30_000,
}, async () => {
  const { key, agent_id, resource, fetch } = await openResource();
  const authProvider = new PrivateKeyJwtProvider({
    clientId: agent_id,
    privateKey: { ...(await exportJWK(key.privateKey)), alg: 'EdDSA' } as never,
    algorithm: 'EdDSA',
    expectedIssuer: ISSUER,
  });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider, fetch }));
  const { content } = await client.callTool({ name: 'whoami', arguments: {} });
  expect(content).toEqual([{ type: 'text', text: agent_id }]);
  await client.close();
});

test.each([false, true])('openid-client finds the issuer and gets a token, bound: %s', async (isBound) => {
  const { key, agent_id, resource, fetch } = await openResource();
  const config = await discovery(
    new URL(ISSUER),
    agent_id,
    undefined,
    PrivateKeyJwt({ key: key.privateKey, kid: key.kid }),
    { algorithm: 'oauth2', [customFetch]: fetch as never },
  );
  const dpop = isBound ? { DPoP: getDPoPHandle(config, await randomDPoPKeyPair('ES256')) } : {};
  const answer = await clientCredentialsGrant(config, { resource, scope: 'orders.read' }, dpop);
  expect(answer).toMatchObject({ token_type: isBound ? 'dpop' : 'bearer', scope: 'orders.read' });
});

test('a server that asks whether the agent is active refuses it within a second of its revocation', async () => {
  let isActive = async (_: string): Promise<boolean> => true;
  const { issuer, key, agent_id, resource, fetch } = await openResource({ live: (agent) => isActive(agent) });
  isActive = issuer.service.isActive;
  const config = await discovery(
    new URL(ISSUER),
    agent_id,
    undefined,
    PrivateKeyJwt({ key: key.privateKey }),
    {
      algorithm: 'oauth2',
      [customFetch]: fetch as never,
    },
  );
  const { access_token } = await clientCredentialsGrant(config, { resource });
  const ask = () => fetch(`${resource}x`, { headers: { authorization: `Bearer ${access_token}` } });
  expect((await ask()).status).toBe(404);
  await issuer.service.revoke({ agent_id }, { account_id: 'acc_1' });
  expect((await ask()).status).toBe(401);
});

test('the middleware answers the metadata of the resource, and challenges a request without a token', async () => {
  const { resource } = await openResource();
  const refused = await fetch(resource, { method: 'POST' });
  const [, url = ''] =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  expect(refused.status).toBe(401);
  expect(await (await fetch(url)).json()).toMatchObject({ resource, authorization_servers: [ISSUER] });
});
