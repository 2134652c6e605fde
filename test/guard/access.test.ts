/** Guards that take the agent and the user from the access token of the request. */
import { describe, expect, test } from 'vitest';
import { createToolGuard, type ToolGuard } from '../../src/guard/index.ts';
import { accessOf, createTokenVerifier } from '../../src/tokens/index.ts';
import { ISSUER, openAgent, RESOURCE } from '../access-tokens/stage.ts';

const NO_VERIFIER = { verify: async () => Promise.reject(new Error('not asked')) };

async function open(scope?: string) {
  const agent = await openAgent();
  const verifyToken = createTokenVerifier({
    issuers: [ISSUER],
    resource: RESOURCE,
    fetch: agent.fetch as unknown as typeof globalThis.fetch,
  });
  const token = `${(await agent.ask({ scope })).body['access_token']}`;
  const authInfo = await verifyToken.verifyAccessToken(token);
  const tools = { read: { action: 'orders.read' }, write: { action: 'orders.write' } };
  const guard = createToolGuard({ verifier: agent.service, access: accessOf, tools });
  return { ...agent, guard, authInfo };
}

const codesOf = async (guard: ToolGuard, name: string, context: unknown): Promise<readonly string[]> => {
  const verdict = await guard.judge({ name, args: {}, context });
  return verdict.allowed ? [] : verdict.reasons.map(({ code }) => code);
};

describe('accessOf', () => {
  test('asks about the agent of the token', async () => {
    const { guard, authInfo, agent_id, service } = await open();
    expect(await codesOf(guard, 'write', { authInfo })).toEqual([]);
    const [record] = (await service.verifications.list({}, { account_id: 'acc_1' })).data;
    expect(record).toMatchObject({ agent_id, action: 'orders.write', subject: null });
  });

  test('denies an action that the scope of the token lacks, without a question', async () => {
    const { guard, authInfo, service } = await open('orders.read');
    const before = (await service.verifications.list({}, { account_id: 'acc_1' })).data.length;
    expect(await codesOf(guard, 'write', { authInfo })).toEqual(['scope_missing']);
    expect((await service.verifications.list({}, { account_id: 'acc_1' })).data.length).toBe(before);
    expect(await codesOf(guard, 'read', { authInfo })).toEqual([]);
  });

  test('denies what our verifier did not make', async () => {
    const { guard, authInfo } = await open();
    for (const context of [
      undefined,
      {},
      { authInfo: { ...authInfo, extra: { ...authInfo.extra } } },
      { authInfo: { extra: { agent_id: authInfo.clientId } } },
      { authInfo: null },
      { authInfo: { extra: 'x' } },
    ]) {
      expect(await codesOf(guard, 'read', context)).toEqual(['intent_unreadable']);
    }
    // A copy of the outer object keeps the mark, as the SDKs may copy it.
    expect(await codesOf(guard, 'read', { authInfo: { ...authInfo } })).toEqual([]);
  });
});

test('the user of a token is the subject, before the option', async () => {
  const asked: unknown[] = [];
  const verifier = {
    async verify(intent: unknown) {
      asked.push(intent);
      throw new Error('enough');
    },
  };
  for (const subject of ['alice', null]) {
    const guard = createToolGuard({
      ...{ verifier, subject: 'system', tools: { read: { action: 'orders.read' } } },
      access: () => ({ agent_id: 'did:web:a.example:agents:b', subject, scope: [] }),
    });
    await guard.judge({ name: 'read', args: {} });
  }
  expect(asked).toMatchObject([{ subject: 'alice' }, { subject: 'system' }]);
});

test('the agent, the user and the scope of a call are those of one token', async () => {
  const asked: unknown[] = [];
  let read = 0;
  const guard = createToolGuard({
    verifier: {
      async verify(intent: unknown) {
        asked.push(intent);
        throw new Error('enough');
      },
    },
    tools: { read: { action: 'orders.read' } },
    access() {
      read += 1;
      return {
        agent_id: `did:web:a.example:agents:n${read}`,
        subject: `user-${read}`,
        scope: ['orders.read'],
      };
    },
  });
  await guard.judge({ name: 'read', args: {} });
  await guard.judge({ name: 'read', args: {} });
  expect(asked).toMatchObject([
    { agent_id: 'did:web:a.example:agents:n1', subject: 'user-1' },
    { agent_id: 'did:web:a.example:agents:n2', subject: 'user-2' },
  ]);
  expect(read).toBe(2);
});

test('a reader that throws denies', async () => {
  const guard = createToolGuard({
    ...{ verifier: NO_VERIFIER, tools: { read: { action: 'orders.read' } } },
    access() {
      throw new Error('secret');
    },
  });
  expect(await codesOf(guard, 'read', {})).toEqual(['intent_unreadable']);
});

test.each([
  [
    { access: accessOf, agentId: 'did:web:a.example:agents:b' },
    /agentId and access are both set: choose one/,
  ],
  [{ access: 'x' }, /access must be a function/],
  [{}, /agentId must be the id of an agent/],
])('refuses %j', (options, message) => {
  expect(() => createToolGuard({ verifier: NO_VERIFIER, ...options } as never)).toThrow(message);
});
