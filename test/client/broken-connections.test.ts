import { describe, expect, onTestFinished, test } from 'vitest';
import { createIdentityClient } from '../../src/client.ts';
import { makeKey } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { startProxy } from '../support/tcp-proxy.mjs';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';
import { type Fate, fragile } from './lost-answers.ts';

const INTENT = { agent_id: AGENT, action: 'orders.get' };

async function openFragile() {
  const stage = await openVerdictStage();
  const { service } = stage.opened;
  const api = fragile(service);
  const { key } = await makeKey(stage.api, stage.token, { scopes: ['verify', 'revoke', 'reinstate'] });
  const origin = await listen(api.listener);
  const client = createIdentityClient({ baseUrl: `${origin}/api`, apiKey: key });
  const { account_id } = await service.authenticateSession(stage.token);
  const actor = { account_id };
  const records = async () => (await service.verifications.list({}, actor)).data.length;
  const status = async () => (await service.passports.get(AGENT, actor)).status;
  return { ...stage, ...api, key, origin, client, records, status };
}

describe('a connection that breaks', () => {
  test.each<Fate>(['lost', 'halved'])('is one more try of a verdict (%s)', async (fate) => {
    const { client, next, seen, records } = await openFragile();
    next(fate);
    expect(await client.verify(INTENT)).toMatchObject({ verdict: 'ALLOW', agent_id: AGENT });
    expect(seen).toEqual(['POST /api/verify', 'POST /api/verify']);
    // Said in the docstring: the one whose answer was lost is recorded, too.
    expect(await records()).toBe(2);
    next(fate);
    expect(await client.verifyBatch({ intents: [INTENT, INTENT] })).toHaveLength(2);
    expect(seen).toHaveLength(2);
  });

  test('is an error when it breaks again', async () => {
    const { client, next, seen, origin } = await openFragile();
    next('lost', 'halved');
    await expect(client.verify(INTENT)).rejects.toMatchObject({
      code: 'service_unreachable',
      message: expect.stringMatching(`^No answer from ${origin}/api: the connection broke \\(\\w+\\)\\.$`),
    });
    expect(seen).toHaveLength(2);
  });

  test('is no second try of a change, which may have been made', async () => {
    const { client, next, seen, status } = await openFragile();
    for (const [method, after] of [
      ['suspend', 'suspended'],
      ['reinstate', 'active'],
      ['revoke', 'revoked'],
    ] as const) {
      next('lost');
      await expect(client[method]({ agent_id: AGENT })).rejects.toMatchObject({
        code: 'service_unreachable',
      });
      expect(seen).toEqual([`POST /api/${method}`]);
      expect(await status()).toBe(after);
    }
  });

  test('between two calls is not noticed', async () => {
    const { key, origin } = await openFragile();
    const proxy = await startProxy(Number(new URL(origin).port));
    onTestFinished(() => proxy.close());
    const client = createIdentityClient({ baseUrl: `http://127.0.0.1:${proxy.port}/api`, apiKey: key });
    for (let round = 0; round < 3; round += 1) {
      expect((await client.verify(INTENT)).verdict).toBe('ALLOW');
      proxy.cut();
    }
  });
});

describe('a verdict is asked for once', () => {
  test('where the connection is refused', async () => {
    const { key, origin } = await openFragile();
    const proxy = await startProxy(Number(new URL(origin).port));
    onTestFinished(() => proxy.close());
    const baseUrl = `http://127.0.0.1:${proxy.port}/api`;
    const asked: unknown[] = [];
    const client = createIdentityClient({
      baseUrl,
      apiKey: key,
      fetch(input, init) {
        asked.push(input);
        return fetch(input, init);
      },
    });
    await proxy.refuse();
    await expect(client.verify(INTENT)).rejects.toMatchObject({
      message: `No answer from ${baseUrl}: the connection was refused (ECONNREFUSED).`,
    });
    expect(asked).toHaveLength(1);
    await proxy.pass();
    expect((await client.verify(INTENT)).verdict).toBe('ALLOW');
  });

  test('where no answer comes in time', async () => {
    const { key, origin } = await openFragile();
    const proxy = await startProxy(Number(new URL(origin).port));
    onTestFinished(() => proxy.close());
    const baseUrl = `http://127.0.0.1:${proxy.port}/api`;
    const client = createIdentityClient({ baseUrl, apiKey: key, timeoutMs: 50 });
    proxy.swallow();
    await expect(client.verify(INTENT)).rejects.toMatchObject({
      code: 'service_unreachable',
      message: `No answer from ${baseUrl}: none came within 50 ms.`,
    });
  });

  test('where the service has answered, whatever it is', async () => {
    const { origin, seen, next } = await openFragile();
    next();
    const otherClient = createIdentityClient({ baseUrl: `${origin}/api`, apiKey: 'ais_live_other' });
    await expect(otherClient.verify(INTENT)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(seen).toHaveLength(1);
  });
});

describe('a signal', () => {
  test('that is aborted before the call sends nothing', async () => {
    const { client, seen, next } = await openFragile();
    next();
    const signal = AbortSignal.abort(new Error('no more'));
    await expect(client.verify(INTENT, { signal })).rejects.toThrow('no more');
    await expect(client.verifyBatch({ intents: [INTENT] }, { signal })).rejects.toThrow('no more');
    for (const method of ['suspend', 'reinstate', 'revoke'] as const) {
      await expect(client[method]({ agent_id: AGENT }, { signal })).rejects.toThrow('no more');
    }
    expect(seen).toEqual([]);
  });

  test('that is aborted while the service works ends the call with its reason', async () => {
    const giveUp = new AbortController();
    const origin = await listen(() => giveUp.abort(new Error('no more')));
    const client = createIdentityClient({ baseUrl: `${origin}/api`, apiKey: 'ais_live_x' });
    await expect(client.verify(INTENT, { signal: giveUp.signal })).rejects.toThrow('no more');
  });

  test('that is not aborted changes nothing, and is let go of', async () => {
    const { client } = await openFragile();
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(signal, {
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
    });
    expect((await client.verify(INTENT, { signal: counted })).verdict).toBe('ALLOW');
    expect(listeners).toBe(0);
  });
});
