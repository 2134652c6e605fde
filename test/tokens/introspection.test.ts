/** Resources that ask the issuer of a token: a revoked agent is refused within a second. */
import { expect, test, vi } from 'vitest';
import { createTokenVerifier, introspection } from '../../src/tokens/index.ts';
import { ISSUER, openAgent, RESOURCE } from '../access-tokens/stage.ts';

const ACCOUNT = { account_id: 'acc_1' };

async function openResource() {
  const agent = await openAgent();
  const { key } = await agent.service.keys.create({ name: 'resource', scopes: ['verify'] }, ACCOUNT);
  const sent: string[] = [];
  const wire = { answer: undefined as Response | undefined };
  const fetch = (async (input, init) => {
    sent.push(`${input}`);
    return wire.answer?.clone() ?? agent.fetch(`${input}`, init);
  }) as typeof globalThis.fetch;
  const live = introspection({ apiKey: key as string, fetch });
  const verifyToken = createTokenVerifier({
    issuers: [ISSUER],
    resource: RESOURCE,
    fetch: agent.fetch as unknown as typeof globalThis.fetch,
    live,
  });
  const token = `${(await agent.ask()).body['access_token']}`;
  const status = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await verifyToken(new Request(RESOURCE, { headers }));
    return answer instanceof Response ? answer.status : 200;
  };
  return { ...agent, status, sent, wire };
}

test('refuses a revoked agent once the kept answer is over', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { status, service, agent_id, sent } = await openResource();
    expect(await Promise.all([status(), status(), status()])).toEqual([200, 200, 200]);
    expect(sent).toEqual([`${ISSUER}/introspect`]);
    await service.revoke({ agent_id }, ACCOUNT);
    expect(await status()).toBe(200);
    vi.setSystemTime(Date.now() + 701);
    expect(await status()).toBe(401);
    expect(sent.length).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['a failure', new Response('', { status: 503 })],
  ['a refused key', Response.json({ error: 'invalid_client' }, { status: 401 })],
  ['another answer', Response.json({ ok: true })],
  ['a redirect', new Response('', { status: 302, headers: { location: 'https://evil.example' } })],
  ['a text that is no JSON', new Response('active')],
])('answers 503 to %s, and asks again', async (_, answer) => {
  const { status, sent, wire } = await openResource();
  wire.answer = answer;
  expect(await status()).toBe(503);
  wire.answer = undefined;
  expect(await status()).toBe(200);
  expect(sent.length).toBe(2);
});

test('refuses options that cannot work', () => {
  for (const wrong of [{}, { apiKey: '' }, { apiKey: 'ais_x', fetch: 1 }, { apiKey: 'ais_x', issuer: 'x' }]) {
    expect(() => introspection(wrong as never)).toThrow(/introspection/);
  }
});
