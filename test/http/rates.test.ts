import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Answer, expectProblem, makeKey, openApi, signIn, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { type ManualClock, MINUTE, manualClock, openService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { stores } from '../support/stores.ts';

const INTENT = { agent_id: 'did:web:example.com:agents:shopper', action: 'orders.get' };

function plans(starter: number | null) {
  const room = { keys: null, passports: null };
  return { starter: { ...room, verifications_per_minute: starter } };
}

async function openRated(limit: number | null, options: Parameters<typeof openStage>[0] = {}) {
  const stage = await openStage({ plans: plans(limit), ...options });
  const { key } = await makeKey(stage.api, stage.token);
  const verify = () => stage.api.ask('POST', '/verify', { key, json: INTENT });
  const batch = (size: number) =>
    stage.api.ask('POST', '/verify/batch', { key, json: { intents: Array(size).fill(INTENT) } });
  return { ...stage, key, verify, batch };
}

const fields = ({ headers }: Answer) => [headers.get('ratelimit'), headers.get('ratelimit-policy')];

describe('verifications of an account', () => {
  test('are as many a minute as its plan allows, and every answer says what is left', async () => {
    const { opened, verify } = await openRated(3);
    opened.clock.advance(18_500);
    for (const left of [2, 1, 0]) {
      expect(fields(await verify())).toEqual([`"verify";r=${left};t=42`, '"verify";q=3;w=60']);
    }
    const refused = await verify();
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.body['detail']).toMatch(
      /^The plan starter allows \d+ verifications per minute\. Try again later\.$/,
    );
    expect(refused.headers.get('retry-after')).toBe('42');
    expect(fields(refused)).toEqual(['"verify";r=0;t=42', '"verify";q=3;w=60']);
    opened.clock.advance(41_499);
    expect((await verify()).status).toBe(429);
    opened.clock.advance(1);
    expect(fields(await verify())).toEqual(['"verify";r=2;t=60', '"verify";q=3;w=60']);
  });

  test('count all the intents of a batch, or none of a batch that is too large', async () => {
    const { verify, batch } = await openRated(10);
    expect(fields(await batch(7))[0]).toBe('"verify";r=3;t=60');
    expectProblem(await batch(5), 429, 'rate_limited');
    expect((await batch(2)).status).toBe(200);
    expect((await verify()).status).toBe(429);
  });

  test('count over all keys, with dry runs and malformed intents, and apart from other accounts', async () => {
    const { opened, api, token, key, verify } = await openRated(4);
    const second = await makeKey(api, token);
    await verify();
    await api.ask('POST', '/verify', { key: second.key, json: { ...INTENT, dry_run: true } });
    const malformed = await api.ask('POST', '/verify', { key, json: {} });
    expectProblem(malformed, 400, 'invalid_request');
    expect(fields(malformed)[0]).toBe('"verify";r=1;t=60');
    expectProblem(
      await api.ask('POST', '/verify/batch', { key, json: { intents: 1 } }),
      400,
      'invalid_request',
    );
    expectProblem(await verify(), 429, 'rate_limited');
    const other = await signIn(opened, api, 'other@example.com');
    const theirs = await makeKey(api, other.token);
    expect((await api.ask('POST', '/verify', { key: theirs.key, json: INTENT })).status).toBe(200);
  });

  test('are checked after the scope and before the body', async () => {
    const { api, token, key, verify } = await openRated(1);
    const scopeless = await makeKey(api, token, { scopes: ['revoke'] });
    await verify();
    for (const path of ['/verify', '/verify/batch']) {
      expectProblem(await api.ask('POST', path, { key: scopeless.key }), 403, 'insufficient_scope');
      expectProblem(await api.ask('POST', path, { key, body: 'x', type: 'text/plain' }), 429, 'rate_limited');
      expectProblem(await api.ask('POST', path, { key, body: ' '.repeat(2e6) }), 429, 'rate_limited');
    }
  });

  test('follow the plan within a second', async () => {
    const { opened, verify } = await openRated(1);
    await verify();
    expect((await verify()).status).toBe(429);
    await opened.service.accounts.setPlan('owner@example.com', 'enterprise');
    const answer = await verify();
    expect([answer.status, ...fields(answer)]).toEqual([200, null, null]);
    await opened.service.accounts.setPlan('owner@example.com', 'starter');
    expect((await verify()).status).toBe(429);
  });

  test('are not limited in process, nor with rateLimits off', async () => {
    const { opened, key, verify } = await openRated(1);
    await verify();
    for (let time = 0; time < 5; time += 1) {
      expect((await opened.service.verifyAs(key, INTENT)).verdict).toBe('DENY');
      await opened.service.verifyBatch({ intents: [INTENT, INTENT] });
    }
    expect((await verify()).status).toBe(429);
    const lifted = await openRated(1, { rateLimits: 'off' });
    for (let time = 0; time < 5; time += 1) expect((await lifted.verify()).status).toBe(200);
  });
});

describe('two nodes', () => {
  async function openNode(storage: Parameters<typeof openService>[0] & object, clock: ManualClock) {
    const opened = openService({ plans: plans(100), ...storage }, clock);
    return { ...opened, api: openApi(opened) };
  }

  test.each(stores)('on one %s store hold the joint rate within two seconds', async (_, open) => {
    const storage = await open();
    const clock = manualClock();
    const [a, b] = [await openNode({ storage }, clock), await openNode({ storage }, clock)];
    const { token } = await signIn(a, a.api);
    const { key } = await makeKey(a.api, token);
    const use = async ({ api }: typeof a, times: number) => {
      const asks = Array.from({ length: times }, () => api.ask('POST', '/verify', { key, json: INTENT }));
      return (await Promise.all(asks)).filter(({ status }) => status === 200).length;
    };
    /** Both nodes live by one clock: their timers run out together. A write of our own ends behind theirs. */
    const reconcile = async () => {
      await Promise.all([a.timers.pass(0.001), b.timers.pass(0.001)]);
      await storage.write([{ op: 'add', counter: 'turn', by: 1, at: clock.instant() }]);
      await setImmediate();
    };
    expect([await use(a, 60), await use(b, 30)]).toEqual([60, 30]);
    for (let second = 0; second < 2; second += 1) {
      clock.advance(1_000);
      await reconcile();
    }
    expect((await use(a, 20)) + (await use(b, 20))).toBeLessThanOrEqual(20);
    for (let second = 0; second < 2; second += 1) {
      clock.advance(1_000);
      await reconcile();
    }
    expect([await use(a, 5), await use(b, 5)]).toEqual([0, 0]);
    const counted = await storage.list('accounts', { where: {}, limit: 1 });
    const counter = `rate:${counted[0]?.id}:${Math.floor(clock.now() / MINUTE)}`;
    expect(await storage.count(counter, clock.instant())).toBeGreaterThanOrEqual(100);
    clock.advance(MINUTE);
    expect(await use(b, 100)).toBe(100);
  });

  test('still hold it alone while the storage does not count, and say so once', async () => {
    const storage = probe();
    const node = await openNode({ storage }, manualClock());
    const { token } = await signIn(node, node.api);
    const { key } = await makeKey(node.api, token);
    const verify = () => node.api.ask('POST', '/verify', { key, json: INTENT });
    storage.fail = (call) => (call === 'write' ? Promise.reject(new Error('down')) : undefined);
    for (let time = 0; time < 100; time += 1) expect((await verify()).status).toBe(200);
    await node.timers.pass(5_000);
    expect((await verify()).status).toBe(429);
    expect(node.logs.map(({ event }) => event)).toEqual(['rates_not_reconciled', 'plan_rate_reached']);
    storage.fail = undefined;
    await node.timers.pass(1_000);
    expect(text(await verify(), 'code')).toBe('rate_limited');
  });

  test('forget callers that have not asked for two minutes, and then leave the storage alone', async () => {
    const storage = probe();
    const node = await openNode({ storage }, manualClock());
    const { token } = await signIn(node, node.api);
    const { key } = await makeKey(node.api, token);
    await node.api.ask('POST', '/verify', { key, json: INTENT });
    await node.timers.pass(3 * MINUTE);
    storage.calls.length = 0;
    await node.timers.pass(MINUTE);
    // But for the looks at the clock, at the writers of the journal and the state of the logs, at erasures, and at holds and approvals that are over.
    const erasures = ['list erasures', 'list erasures'];
    expect(storage.calls.toSorted()).toEqual([
      'due',
      'due',
      'get shared_texts',
      ...erasures,
      'time',
      'unmerged',
    ]);
  });
});

test('a verdict never waits for a counter', async () => {
  const storage = probe();
  const { opened, verify } = await openRated(1_000, { storage, storageDeadlineMs: 60_000 });
  let end: (error: Error) => void = () => undefined;
  const hanging = new Promise<never>((_, reject) => {
    end = reject;
  });
  storage.fail = (call) => (call === 'write' || call === 'count' ? hanging : undefined);
  await verify();
  await opened.timers.pass(3_000);
  storage.calls.length = 0;
  for (let time = 0; time < 5; time += 1) expect((await verify()).status).toBe(200);
  expect(storage.calls.filter((call) => !call.startsWith('get '))).toEqual([]);
  end(new Error('down'));
});
