/** A local verifier behind the table of HTTP: same answers as the service, to the holder of the same key. */
import { describe, expect, test } from 'vitest';
import type { IdentityService } from '../../src/core.ts';
import type { IdentityServiceOptions } from '../../src/index.ts';
import type { Scope } from '../../src/records.ts';
import { createIntentSigner } from '../../src/tokens/proof/sign-intent.ts';
import type { VerifierHost, VerifierHostOptions } from '../../src/verifier/index.ts';
import { type Answer, type Api, expectProblem, openApi, toRequest } from '../support/api.ts';
import { AUDIENCE, ED25519, PROVING, SHOPPER } from '../support/prover.ts';
import { hostWith, keyOf, open, passport, type Wire, wireTo } from './stage.ts';

interface HostStage {
  readonly service: IdentityService;
  readonly wire: Wire;
  readonly key: string;
  readonly host: VerifierHost;
  /** The API of the service, and of the verifier. */
  readonly there: Api;
  readonly here: Api;
}

async function hostStage(
  options: Partial<IdentityServiceOptions> = {},
  more: Partial<VerifierHostOptions> & { readonly scopes?: readonly Scope[] } = {},
): Promise<HostStage> {
  const service = open(options);
  const wire = wireTo(service);
  const { scopes, ...given } = more;
  const key = await keyOf(service, scopes && { scopes });
  const host = hostWith({ apiKey: key, fetch: wire.fetch, ...given });
  const api = (served: typeof service | typeof host) => openApi({ service: served, secrets: new Set() });
  return { service, wire, key, host, there: api(service), here: api(host) };
}

const READ = { agent_id: 'did:web:shop.example:agents:a', action: 'orders.read' };

const plain = ({ status, headers, body }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !/^(?:x-request-id|ratelimit.*|content-length)$/.test(name)),
  body: { ...body, ...{ decision_id: '', evaluated_at: '', request_id: '', verifier: null } },
});

describe('the key', () => {
  test('is that of the verifier; any other, and none, is the 401 of the service', async () => {
    const { service, key, here, there } = await hostStage();
    await service.passports.create(passport('a'));
    expect((await here.ask('POST', '/verify', { key, json: READ })).body['verdict']).toBe('ALLOW');
    const other = await keyOf(service);
    expectProblem(await here.ask('POST', '/verify', { key: other, json: READ }), 401, 'unauthenticated');
    for (const ask of [{ json: READ }, { key: `${key}x`, json: READ }, { token: key, json: READ }])
      expect(plain(await here.ask('POST', '/verify', ask))).toEqual(
        plain(await there.ask('POST', '/verify', ask)),
      );
  });

  test('is looked at before the body, and the body before the passport', async () => {
    const { here, there, key } = await hostStage();
    for (const ask of [
      { body: '{', key: 'wrong' },
      { body: '{', key },
      { body: '{}', type: 'text/plain', key },
      { body: `{"a":"${'x'.repeat(70_000)}"}`, key },
      { json: { ...READ, more: 1 }, key },
      { json: READ, key, headers: { 'idempotency-key': '' } },
      { json: READ, key, headers: { 'agent-proof': 'x'.repeat(9_000) } },
      { json: { ...READ, proof: 'a' }, key, headers: { 'agent-proof': 'b' } },
    ])
      expect(plain(await here.ask('POST', '/verify', ask))).toEqual(
        plain(await there.ask('POST', '/verify', ask)),
      );
  });

  test('once refused by the service is refused before anything of the body', async () => {
    const { service, host, here, key } = await hostStage();
    const { data } = await service.keys.list();
    await service.keys.revoke(data[0]?.id ?? '');
    await host.confirm().catch(() => undefined);
    expect(host.state().asks).toBe('refused');
    for (const ask of [{ json: READ }, { body: '{' }, { body: '{}', type: 'text/plain' }, { json: {} }])
      expectProblem(await here.ask('POST', '/verify', { ...ask, key }), 401, 'unauthenticated');
  });

  test('without `decide` asks the service; without `verify` it is 403 before anything of the body', async () => {
    const asking = await hostStage({}, { scopes: ['verify'] });
    await asking.service.passports.create(passport('a'));
    const answer = await asking.here.ask('POST', '/verify', { key: asking.key, json: READ });
    expect(answer.body).toMatchObject({ verdict: 'ALLOW', verifier: null });
    expectProblem(
      await asking.here.ask('POST', '/verify', { key: asking.key, body: '{' }),
      400,
      'invalid_json',
    );
    const { host, here, key } = await hostStage({}, { scopes: ['decide'] });
    await host.confirm().catch(() => undefined);
    for (const ask of [{ json: READ }, { body: '{' }])
      expectProblem(await here.ask('POST', '/verify', { ...ask, key }), 403, 'insufficient_scope');
  });
});

test('over the rate it is the 429 of the service, with its headers, before anything of the body', async () => {
  const plans = { enterprise: { keys: null, passports: null, verifications_per_minute: 1 } };
  const { service, host, here, there, key } = await hostStage({ plans });
  const caller = await service.serving.authenticateKey(key);
  service.serving.countVerifications(caller, 1);
  await host.confirm().catch(() => undefined);
  expect(host.state().asks).toBe('rate');
  for (const ask of [{ json: READ }, { body: '{' }, { json: { ...READ, proof: '' } }]) {
    const answer = await here.ask('POST', '/verify', { ...ask, key });
    expectProblem(answer, 429, 'rate_limited');
    const same = await there.ask('POST', '/verify', { ...ask, key });
    expect(answer.headers.get('ratelimit-policy')).toBe(same.headers.get('ratelimit-policy'));
    expect(answer.headers.get('ratelimit')).toMatch(/^"verify";r=0;t=\d+$/);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

describe('the ids of a request', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const headers = { 'x-request-id': 'mine', traceparent: `00-${trace}-b7ad6b7169203331-01` };

  test('that is decided here: the answer has its id, the record only its trace', async () => {
    const { service, here, wire, host, key } = await hostStage();
    await service.passports.create(passport('a'));
    const { headers: sent, body } = await here.ask('POST', '/verify', { key, json: READ, headers });
    expect(sent.get('x-request-id')).toBe('mine');
    expect(body).toMatchObject({ request_id: 'mine', trace_id: trace, verifier: 'local' });
    const batch = { intents: [READ, READ] };
    expect(
      (await here.ask('POST', '/verify/batch', { key, json: batch, headers })).body['verdicts'],
    ).toMatchObject([
      { request_id: 'mine', trace_id: trace },
      { request_id: 'mine', trace_id: trace },
    ]);
    await host.close();
    expect(wire.filed).toMatchObject(Array(3).fill({ request_id: null, trace_id: trace }));
  });

  test('that goes to the service: the answer has the id of this request, the record its trace', async () => {
    const { service, here, key } = await hostStage();
    await service.passports.create(passport('a', { budgets: [{ window: 'day', count: 1 }] }));
    const answer = await here.ask('POST', '/verify', { key, json: READ });
    expect(answer.body).toMatchObject({ verdict: 'ALLOW', verifier: null, trace_id: null });
    expect(answer.body['request_id']).toBe(answer.headers.get('x-request-id'));
    const traced = await here.ask('POST', '/verify', { key, json: READ, headers });
    expect(traced.body).toMatchObject({ verdict: 'DENY', trace_id: trace, request_id: 'mine' });
  });
});

test('the proof of a header goes to the service', async () => {
  const { service, here, key } = await hostStage(PROVING);
  const { agent_id } = await service.passports.create(SHOPPER);
  const intent = { agent_id, action: 'orders.read' };
  const signer = createIntentSigner({
    key: ED25519.private_jwk,
    agent_id,
    audience: AUDIENCE,
    anyTarget: true,
  });
  const proof = await signer.sign(intent);
  const answer = await here.ask('POST', '/verify', { key, json: intent, headers: { 'agent-proof': proof } });
  expect(answer.body).toMatchObject({ verdict: 'ALLOW', proof_kid: expect.any(String), verifier: null });
  const without = await here.ask('POST', '/verify', { key, json: intent });
  expect(without.body).toMatchObject({ verdict: 'DENY', verifier: 'local' });
});

describe('an idempotency key', () => {
  const headers = { 'idempotency-key': 'once' };

  test('takes once, says that it is repeated, and is bound to its intent', async () => {
    const { service, here, key } = await hostStage();
    await service.passports.create(passport('a', { budgets: [{ window: 'day', count: 5 }] }));
    const first = await here.ask('POST', '/verify', { key, json: READ, headers });
    expect(first.headers.get('idempotent-replayed')).toBe(null);
    const again = await here.ask('POST', '/verify', { key, json: READ, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body['decision_id']).toBe(first.body['decision_id']);
    const other = { ...READ, action: 'orders.list' };
    expectProblem(
      await here.ask('POST', '/verify', { key, json: other, headers }),
      422,
      'idempotency_mismatch',
    );
  });

  test('of AuthZEN is one for each evaluation', async () => {
    const { service, here, key } = await hostStage({}, { authzen: { agentDomain: 'shop.example' } });
    await service.passports.create(passport('a', { budgets: [{ window: 'day', count: 5 }] }));
    const question = (name: string) => ({
      ...{ subject: { type: 'agent', id: 'a' }, action: { name }, resource: { type: 'order', id: '1' } },
    });
    const json = { evaluations: [question('orders.read'), question('orders.list')] };
    const ask = async (path = '/access/v1/evaluations', asked: object = json) =>
      here.ask('POST', path, { key, json: asked, headers });
    const ids = ({ body }: Answer) =>
      (body['evaluations'] as { decision: boolean; context: { decision_id: string } }[]).map(
        ({ decision, context }) => [decision, context.decision_id],
      );
    const first = await ask();
    expect(ids(first).map(([decision]) => decision)).toEqual([true, true]);
    const again = await ask();
    expect([ids(again), again.headers.get('idempotent-replayed')]).toEqual([ids(first), 'true']);
    expect((await ask('/access/v1/evaluation', question('orders.read'))).status).toBe(200);
  });
});

test('it describes and serves the endpoints of verdicts alone', async () => {
  const pathsOf = async ({ here }: HostStage) =>
    Object.keys((await here.ask('GET', '/openapi.json')).body['paths'] as object);
  const own = ['/verify', '/verify/batch'];
  const common = ['/openapi.json', '/health/live', '/health/ready'];
  const stage = await hostStage();
  expect(await pathsOf(stage)).toEqual([...own, ...common]);
  const access = ['/access/v1/evaluation', '/access/v1/evaluations'];
  expect(await pathsOf(await hostStage({}, { authzen: {} }))).toEqual([...own, ...access, ...common]);
  const { fetchHandler } = await import('../../src/http/index.ts');
  for (const path of ['/revoke', '/passports', '/spends/dec_1', '/verifier/passports', ...access]) {
    const answer = await fetchHandler(stage.host)(toRequest('POST', path, { key: stage.key, json: {} }));
    expect(answer.status).toBe(404);
  }
  expect(stage.wire.seen).toEqual([]);
});

describe('it is ready', () => {
  test('while the last state is not older than a second, or can be read', async () => {
    let now = 0;
    let isGone = false;
    const clock = { now: () => now, monotonic: () => now };
    const service = open();
    const wire = wireTo(service);
    const fetch: typeof wire.fetch = (...request) =>
      isGone ? Promise.reject(new TypeError('gone')) : wire.fetch(...request);
    const host = hostWith({ apiKey: await keyOf(service), fetch, clock });
    const here = openApi({ service: host, secrets: new Set() });
    const ready = async () => (await here.ask('GET', '/health/ready')).status;
    expect(await ready()).toBe(200);
    isGone = true;
    now += 900;
    expect(await ready()).toBe(200);
    now += 200;
    expect(await ready()).toBe(503);
    expect((await here.ask('GET', '/health/live')).status).toBe(200);
    isGone = false;
    expect(await ready()).toBe(200);
  });

  test('not with a key that the service refuses', async () => {
    const { service, here } = await hostStage();
    const { data } = await service.keys.list();
    await service.keys.revoke(data[0]?.id ?? '');
    expectProblem(await here.ask('GET', '/health/ready'), 503, 'service_unreachable');
  });
});

test('without the service a question is 503, and after the close as well', async () => {
  const { here, host, key } = await hostStage({}, { fetch: () => Promise.reject(new TypeError('gone')) });
  expectProblem(await here.ask('POST', '/verify', { key, json: READ }), 503, 'service_unreachable');
  await host.close();
  expectProblem(await here.ask('POST', '/verify', { key, json: READ }), 503, 'service_unreachable');
});

test.each([
  { traceparent: () => undefined },
  { agentKey: {} },
  { authzen: { agentDomain: 'x' } },
  { name: 'Bad' },
])('an option that it does not have, or that cannot work, is invalid_configuration: %o', (option) => {
  const made = () => hostWith({ apiKey: 'ais_live_x', ...option } as never);
  expect(made).toThrow(expect.objectContaining({ code: 'invalid_configuration' }));
});

test('throws service_unreachable for a batch and for its health if the service does not answer', async () => {
  const host = hostWith({
    apiKey: 'ais_live_key',
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
  const unreachable = { code: 'service_unreachable' };
  await expect(host.verifyBatch({ intents: [READ] })).rejects.toMatchObject(unreachable);
  await expect(host.health()).rejects.toMatchObject(unreachable);
  await expect(host.confirm()).rejects.toMatchObject(unreachable);
  await host.close();
});
