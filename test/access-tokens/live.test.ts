/** Resources that ask about the agent refuse it within a second of its revocation, by the clock on the wall. */
import { Client, PrivateKeyJwtProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { exportJWK } from 'jose';
import { expect, test } from 'vitest';
import type { WholeService } from '../../src/capabilities.ts';
import { everyCapability } from '../../src/capabilities.ts';
import { createTokenVerifier, introspection, type TokenVerifierOptions } from '../../src/tokens/index.ts';
import { verifierWith } from '../verifier/stage.ts';
import { openResource as openMcpServer } from './mcp-server.ts';
import { ISSUER, openAgent, PUBLIC_URL, RESOURCE } from './stage.ts';

const ACCOUNT = { account_id: 'acc_1' };
const WITHIN_MS = 1_000;

const WAYS = ['introspection', 'service.isActive', 'verifier.isActive'] as const;

async function openResource(way: (typeof WAYS)[number]) {
  const agent = await openAgent(
    {},
    { capabilities: everyCapability({ identity: { publicUrl: PUBLIC_URL }, accessTokens: {} }) },
  );
  const service = agent.service as unknown as WholeService;
  const fetch = agent.fetch as unknown as typeof globalThis.fetch;
  const scopes = ['verify', 'decide'] as const;
  const { key } = await service.keys.create({ name: 'resource', scopes }, ACCOUNT);
  const apiKey = `${key}`;
  const live: Readonly<Record<(typeof WAYS)[number], () => TokenVerifierOptions['live']>> = {
    introspection: () => introspection({ apiKey, fetch }),
    'service.isActive': () => service.isActive,
    'verifier.isActive': () => verifierWith({ apiKey, fetch }).isActive,
  };
  const chosen = live[way]();
  const verifyToken = createTokenVerifier({
    issuers: [ISSUER],
    resource: RESOURCE,
    fetch,
    ...(chosen && { live: chosen }),
  });
  const token = `${(await agent.ask()).body['access_token']}`;
  const status = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await verifyToken(new Request(RESOURCE, { headers }));
    return answer instanceof Response ? answer.status : 200;
  };
  return { service, agent_id: agent.agent_id, status };
}

test.each(WAYS)('%s refuses a revoked agent within a second', async (way) => {
  const { service, agent_id, status } = await openResource(way);
  await expect.poll(status).toBe(200);
  await service.revoke({ agent_id }, ACCOUNT);
  await new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  expect(await status()).toBe(401);
});

test('a guarded MCP server, which asks for a verdict, denies the call of a revoked agent within a second', async () => {
  const { issuer, key, agent_id, resource, fetch } = await openMcpServer({ isGuarded: true });
  const privateKey = { ...(await exportJWK(key.privateKey)), alg: key.alg } as never;
  const authProvider = new PrivateKeyJwtProvider({
    ...{ clientId: agent_id, privateKey, algorithm: key.alg, expectedIssuer: ISSUER, scope: 'orders.read' },
  });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider, fetch }));
  const call = () => client.callTool({ name: 'whoami', arguments: {} });
  expect((await call()).content).toEqual([{ type: 'text', text: agent_id }]);
  await issuer.service.revoke({ agent_id }, ACCOUNT);
  await new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  const { isError, content } = await call();
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining('agent_revoked')]);
  await client.close();
});
