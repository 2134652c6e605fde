/** Resources that ask about the agent refuse it within a second of its revocation, by the clock on the wall. */
import { expect, test } from 'vitest';
import type { WholeService } from '../../src/capabilities.ts';
import { everyCapability } from '../../src/capabilities.ts';
import { createTokenVerifier, introspection, type TokenVerifierOptions } from '../../src/tokens/index.ts';
import { verifierWith } from '../verifier/stage.ts';
import { ISSUER, openAgent, RESOURCE } from './stage.ts';

const ACCOUNT = { account_id: 'acc_1' };
const WITHIN_MS = 1_000;

const WAYS = ['introspection', 'service.isActive', 'verifier.isActive', 'a verdict'] as const;

async function openResource(way: (typeof WAYS)[number]) {
  const agent = await openAgent({}, { capabilities: everyCapability({ accessTokens: {} }) });
  const service = agent.service as unknown as WholeService;
  const fetch = agent.fetch as unknown as typeof globalThis.fetch;
  const scopes = ['verify', 'decide'] as const;
  const { key } = await service.keys.create({ name: 'resource', scopes }, ACCOUNT);
  const apiKey = `${key}`;
  const isAllowed = async (agent_id: string): Promise<boolean> =>
    (await service.verifyAs(apiKey, { agent_id, action: 'orders.read' })).verdict === 'ALLOW';
  const live: Readonly<Record<(typeof WAYS)[number], () => TokenVerifierOptions['live']>> = {
    introspection: () => introspection({ apiKey, fetch }),
    'service.isActive': () => service.isActive,
    'verifier.isActive': () => verifierWith({ apiKey, fetch }).isActive,
    'a verdict': () => isAllowed,
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
