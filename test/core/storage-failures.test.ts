import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { type Ask, expectProblem, issue, makeKey, openApi, signIn } from '../support/api.ts';
import { openService, PASSWORD, START } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'orders.get' };
const CREDENTIALS_IN_URL = 'connect ECONNREFUSED postgres://user:hunter2@db:5432/x';

const FAILURES: readonly [string, () => Promise<unknown>, (readonly [number, string])?][] = [
  ['rejects', () => Promise.reject(new Error(CREDENTIALS_IN_URL))],
  ['rejects with what is no error', () => Promise.reject('down')],
  ['rejects with nothing', () => Promise.reject(undefined)],
  [
    'throws',
    () => {
      throw new Error('down');
    },
  ],
  // A programming error: no time will mend it.
  ['makes a mistake', () => Promise.reject(new TypeError('down')), [500, 'internal']],
  ['hangs', () => new Promise(() => undefined)],
];

/** Only a storage that hangs is waited for: what a deadline cuts off goes on, and would be counted to the next request. */
async function openProbed(storageDeadlineMs = 5_000) {
  const storage = probe();
  const opened = openService({ storage, storageDeadlineMs, consistency: 'strict' });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  await issue(api, token);
  const { key, id } = await makeKey(api, token);
  return { ...opened, storage, api, token, key, id };
}

/** Every endpoint that asks the storage, with a good request. */
function requests(token: string, key: string, id: string): readonly [string, string, Ask][] {
  const passport = {
    domain: 'example.com',
    agent_name: 'new',
    allowed_actions: [],
    monetary_limit_per_txn: 1,
  };
  return [
    ['POST', '/verify', { key, json: INTENT }],
    ['POST', '/verify/batch', { key, json: { intents: [INTENT, INTENT] } }],
    ['POST', '/revoke', { key, json: { agent_id: AGENT } }],
    ['POST', '/suspend', { token, json: { agent_id: AGENT } }],
    ['POST', '/reinstate', { token, json: { agent_id: AGENT } }],
    ['POST', '/passports', { token, json: passport }],
    ['GET', '/passports', { token }],
    ['GET', `/passports/${AGENT}`, { token }],
    ['PATCH', `/passports/${AGENT}`, { token, json: { description: 'a' } }],
    ['POST', '/keys', { token, json: { name: 'a' } }],
    ['GET', '/keys', { token }],
    ['GET', `/keys/${id}`, { token }],
    ['PATCH', `/keys/${id}`, { token, json: { name: 'b' } }],
    ['POST', `/keys/${id}/rotate`, { token, headers: { 'idempotency-key': 'a' } }],
    ['GET', `/passports/${AGENT}/versions`, { token }],
    ['GET', '/account', { token }],
    ['DELETE', `/keys/${id}`, { token }],
    ['POST', '/auth/password', { token, json: { current_password: PASSWORD, new_password: PASSWORD } }],
    ['POST', '/auth/login', { json: { email: 'owner@example.com', password: PASSWORD } }],
    ['POST', '/auth/logout', { token }],
    ['GET', '/health/ready', {}],
  ];
}

describe.each(FAILURES)('a storage that %s', (how, fail, [status, code] = [503, 'storage_unavailable']) => {
  const deadlineMs = how === 'hangs' ? 150 : undefined;

  test('makes every endpoint that needs it answer with an error, at whichever call it fails', async () => {
    const { length } = requests('', '', '');
    const worlds = [];
    for (let index = 0; index < length; index += 1) worlds.push(await openProbed(deadlineMs));
    // At the same time: with a storage that hangs they do nothing but wait.
    await Promise.all(worlds.map(failAtEachCall));
  });

  async function failAtEachCall(
    { storage, api, token, key, id, logs }: Awaited<ReturnType<typeof openProbed>>,
    index: number,
  ): Promise<void> {
    const [method, path, ask] = requests(token, key, id)[index] ?? ['GET', '/health/ready', {}];
    // First every call fails, then only the second, and so on, until the request no longer gets there.
    for (let failing = 1; failing <= 6; failing += 1) {
      let calls = 0;
      storage.fail = (call) => {
        // The journal and the retention have timers of their own.
        if (/^(open|file|writers|filed|merge|compact|purge)$/.test(call)) return undefined;
        calls += 1;
        return calls === failing ? fail() : undefined;
      };
      const answer = await api.ask(method, path, ask);
      if (calls < failing) break;
      if (path === '/health/ready') expectProblem(answer, 503, 'storage_unavailable');
      else expectProblem(answer, status, code);
      expect(answer.text).not.toMatch(/ECONNREFUSED|hunter2|down|ALLOW/);
    }
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.every(({ level, event }) => level === 'error' && event === 'request_failed')).toBe(true);
    expect(JSON.stringify(logs)).not.toContain('hunter2');
  }

  test('gives no verdict in process', async () => {
    const { storage, service, key } = await openProbed(deadlineMs);
    storage.fail = fail;
    await expect(service.verify(INTENT)).rejects.toMatchObject({ code });
    await expect(service.verifyAs(key, INTENT)).rejects.toMatchObject({ code });
    await expect(service.verifyBatch({ intents: [INTENT] })).rejects.toMatchObject({ code });
  });

  test('leaves the process alive: /health/live answers', async () => {
    const { storage, api } = await openProbed(deadlineMs);
    storage.fail = fail;
    expect((await api.ask('GET', '/health/live')).status).toBe(200);
    expectProblem(await api.ask('GET', '/health/ready'), 503, 'storage_unavailable');
  });
});

describe.each([
  ['undefined', undefined],
  ['null', null],
])('a storage that wrongly answers %s', (_, nothing) => {
  test('never makes an ALLOW', async () => {
    const { storage, api, key } = await openProbed();
    storage.fail = (call) => (call === 'get passports' ? Promise.resolve(nothing) : undefined);
    const { body } = await api.ask('POST', '/verify', { key, json: INTENT });
    expect(body).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'agent_not_found' }] });
    storage.fail = () => Promise.resolve(nothing);
    // The key was there before: it is the storage that has lost it.
    expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 503, 'storage_unavailable');
  });
});

test.each<[string, object]>([
  ['of another agent', { id: 'did:web:example.com:agents:other' }],
  ['of another account', { account_id: 'acc_other' }],
  ['without actions', { allowed_actions: undefined }],
  ['with a limit that is no amount', { monetary_limit_per_txn: 'lots' }],
  ['with an unknown status', { status: 'fine' }],
])('a passport record %s never makes an ALLOW', async (_, change) => {
  const { storage, api, key } = await openProbed();
  const record = await storage.get('passports', AGENT);
  storage.fail = (call) => (call === 'get passports' ? Promise.resolve({ ...record, ...change }) : undefined);
  const { body } = await api.ask('POST', '/verify', { key, json: INTENT });
  expect(body['verdict']).toBe('DENY');
});

test('a request does not outlast its deadlines, however many calls keep theirs', async () => {
  const inner = memoryStorage();
  let delayMs = 0;
  const storage: StorageAdapter = {
    ...inner,
    async get(collection, id) {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return inner.get(collection, id);
    },
  };
  const opened = openService({
    storage,
    // An answer that is there already counts: a worker that stands still for a third of it would find one.
    storageDeadlineMs: 900,
    consistency: 'strict',
    clock: { now: () => START },
  });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const { key } = await makeKey(api, token);
  // Two thirds of what one call has: the session and its account take too long together, the key and its account too.
  delayMs = 600;
  expectProblem(await api.ask('GET', `/passports/${AGENT}`, { token }), 503, 'storage_unavailable');
  expectProblem(await api.ask('POST', '/verify', { key, json: INTENT }), 503, 'storage_unavailable');
  delayMs = 300;
  expect((await api.ask('POST', '/verify', { key, json: INTENT })).status).toBe(200);
});

test.each(['stale', 'exists', 'claimed', 'limit'])(
  'a storage that answers %s to every write ends in an error, never in a loop',
  async (failure) => {
    const { storage, api, token, id } = await openProbed();
    storage.fail = (call) =>
      call === 'write' ? Promise.resolve({ written: false, step: 0, failure }) : undefined;
    const asks: readonly [string, string, object | undefined][] = [
      ['PATCH', `/passports/${AGENT}`, { description: 'a' }],
      ['POST', '/revoke', { agent_id: AGENT }],
      ['POST', '/suspend', { agent_id: AGENT }],
      ['PATCH', `/keys/${id}`, { name: 'b' }],
      ['POST', `/keys/${id}/rotate`, {}],
      ['DELETE', `/keys/${id}`, undefined],
      ['POST', '/keys', { name: 'a' }],
      ['POST', '/auth/password', { current_password: PASSWORD, new_password: PASSWORD }],
    ];
    for (const [method, path, json] of asks) {
      const answer = await api.ask(method, path, { token, json });
      expect([path, answer.status >= 400]).toEqual([path, true]);
    }
    storage.fail = undefined;
    expect((await api.ask('GET', `/passports/${AGENT}`, { token })).body['version']).toBe(1);
  },
);
