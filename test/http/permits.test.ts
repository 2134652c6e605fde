import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createPermitVerifier } from '../../src/tokens/proof/index.ts';
import { dataOf, issue, makeKey, openApi, signIn, text } from '../support/api.ts';
import { openService } from '../support/service.ts';
import { claimsOf } from '../support/signing.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

const AUDIENCE = 'https://pay.example';
const INTENT = { agent_id: AGENT, action: 'payments.create', permit: { audience: AUDIENCE } };
const PAYMENT = { action: 'payments.create' };

/** A key that asks for permits, and a resource that demands them. */
async function openPermits(environment = 'live') {
  const stage = await openVerdictStage({}, { authzen: {} });
  const { key } = await makeKey(stage.api, stage.token, { environment, scopes: ['verify', 'permit'] });
  const { clock, service } = stage.opened;
  const resource = {
    ...{ issuers: ['did:web:example.com'], audience: AUDIENCE, once: false as const, at: clock.now },
    keys: await service.signing.jwks(),
  };
  const use = (token: unknown, more: object = {}) =>
    createPermitVerifier({ ...resource, ...more })(token as string, PAYMENT);
  const ask = (path: string, json: unknown, headers = {}) =>
    stage.api.ask('POST', path, { key, json, headers });
  return { ...stage, permitKey: key, use, ask };
}

test('a key needs the scope permit, and a batch is refused as a whole', async () => {
  const { key, refused, api, opened } = await openPermits();
  const { permit: _, ...plain } = INTENT;
  await refused('POST', '/verify', { key, json: INTENT }, 403, 'insufficient_scope');
  await refused(
    'POST',
    '/verify',
    { key, json: INTENT, headers: { 'idempotency-key': 'a' } },
    403,
    'insufficient_scope',
  );
  await refused(
    'POST',
    '/verify/batch',
    { key, json: { intents: [plain, INTENT] } },
    403,
    'insufficient_scope',
  );
  expect((await api.ask('POST', '/verify', { key, json: plain })).status).toBe(200);
  // What is malformed is said first.
  const wrong = { ...INTENT, permit: { audience: 'test:x' } };
  expect(await refused('POST', '/verify', { key, json: wrong }, 400, 'invalid_request')).toEqual([
    '/permit/audience',
  ]);
  const mixed = { intents: [INTENT, { ...INTENT, permit: { audience: AUDIENCE, seconds: 61 } }] };
  expect(await refused('POST', '/verify/batch', { key, json: mixed }, 400, 'invalid_request')).toEqual([
    '/intents/1/permit/seconds',
  ]);
  await expect(opened.service.verifyAs(key, INTENT)).rejects.toMatchObject({ code: 'insufficient_scope' });
});

test('an answer over HTTP has the permit, also in a batch and again under its key', async () => {
  const { ask, use } = await openPermits();
  const first = await ask('/verify', INTENT, { 'idempotency-key': 'a' });
  expect((await use(first.body['permit'])).decision_id).toBe(first.body['decision_id']);
  const again = await ask('/verify', INTENT, { 'idempotency-key': 'a' });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(claimsOf(text(again, 'permit'))).toEqual(claimsOf(text(first, 'permit')));
  const batch = await ask('/verify/batch', { intents: [INTENT, { ...INTENT, action: 'fly' }] });
  const [allowed, denied] = batch.body['verdicts'] as readonly Record<string, unknown>[];
  expect((await use(allowed?.['permit'])).action).toBe('payments.create');
  expect([denied?.['permit'], denied?.['permit_audience']]).toEqual([null, null]);
});

test('a permit of a test key is refused at a live resource, and the reverse', async () => {
  const { ask, use, key, api } = await openPermits('test');
  const { body } = await ask('/verify', INTENT);
  expect(claimsOf(String(body['permit']))['aud']).toBe(`test:${AUDIENCE}`);
  expect((await use(body['permit'], { environment: 'test' })).environment).toBe('test');
  await expect(use(body['permit'])).rejects.toMatchObject({ details: { problem: 'audience' } });
  expect((await api.ask('POST', '/verify', { key, json: { ...INTENT, permit: undefined } })).status).toBe(
    200,
  );
});

test('AuthZEN asks in context.agent_identity, and is answered in context', async () => {
  const { ask, use } = await openPermits();
  const evaluation = {
    subject: { type: 'agent', id: AGENT },
    action: { name: 'payments.create' },
    resource: { type: 'counterparty', id: 'order-1' },
    context: { agent_identity: { permit: { audience: AUDIENCE } } },
  };
  const { body } = await ask('/access/v1/evaluation', evaluation);
  const { permit, decision_id } = body['context'] as { permit: string; decision_id: string };
  expect((await use(permit)).decision_id).toBe(decision_id);
  const denied = await ask('/access/v1/evaluation', { ...evaluation, action: { name: 'fly' } });
  expect(denied.body).toMatchObject({ decision: false, context: { permit: null } });
});

test('refuses a batch of AuthZEN as a whole under a key without the scope, and evaluates nothing', async () => {
  const budgets = [{ name: 'day', window: 'day', limit: 100 }];
  const { api, token, key } = await openVerdictStage(
    { currency: 'EUR', monetary_actions: ['payments.create'], budgets },
    { authzen: {} },
  );
  const properties = { amount: 5, currency: 'EUR' };
  const base = {
    subject: { type: 'agent', id: AGENT },
    action: { name: 'payments.create', properties },
    resource: { type: 'counterparty', id: 'order-1' },
  };
  const context = { agent_identity: { permit: { audience: AUDIENCE } } };
  const ask = (json: object) => api.ask('POST', '/access/v1/evaluations', { key, json });
  for (const json of [
    { ...base, evaluations: [{}, { context }] },
    { ...base, context, evaluations: [{ context: {} }, {}] },
    { ...base, context, evaluations: [{ action: 7 }, { context: { agent_identity: {} } }, {}] },
    { ...base, evaluations: [{}, { context }], options: { evaluations_semantic: 'permit_on_first_permit' } },
    { ...base, context },
  ]) {
    const { status, text: said } = await ask(json);
    expect([status, JSON.parse(said)]).toEqual([
      403,
      'This key lacks the scope permit. Use a key that has it.',
    ]);
  }
  const { body } = await api.ask('GET', `/passports/${encodeURIComponent(AGENT)}/budgets`, { token });
  expect(body['data']).toMatchObject([{ spent: 0 }]);
  expect(dataOf(await api.ask('GET', '/verifications', { token }))).toEqual([]);
  // The context of the body is not that of a question that has its own.
  const own = await ask({ ...base, context, evaluations: [{ context: {} }] });
  expect(own.body).toMatchObject({ evaluations: [{ decision: true }] });
});

describe.each([
  ['an audience of 257', { audience: 'a'.repeat(257) }, 'audience'],
  ['no audience', {}, 'audience'],
  ['test:x', { audience: 'test:x' }, 'audience'],
  ['a space', { audience: 'a b' }, 'audience'],
  ['an audience that is no text', { audience: 7 }, 'audience'],
  ['0 seconds', { audience: AUDIENCE, seconds: 0 }, 'seconds'],
  ['61 seconds', { audience: AUDIENCE, seconds: 61 }, 'seconds'],
  ['1.5 seconds', { audience: AUDIENCE, seconds: 1.5 }, 'seconds'],
  ['bind that is text', { audience: AUDIENCE, bind: 'true' }, 'bind'],
  ['another member', { audience: AUDIENCE, scope: 'x' }, 'scope'],
  ['text', AUDIENCE, ''],
  ['null', null, ''],
  ['an array', [AUDIENCE], ''],
])('%s', (_, permit, member) => {
  const at = member === '' ? '/permit' : `/permit/${member}`;

  test('is refused on every path, with its place, and nothing is evaluated', async () => {
    const { refused, permitKey: key, token, api } = await openPermits();
    const intent = { ...INTENT, permit };
    const asked = { key, json: intent };
    expect(await refused('POST', '/verify', asked, 400, 'invalid_request')).toEqual([at]);
    const headers = { 'idempotency-key': 'a' };
    expect(await refused('POST', '/verify', { ...asked, headers }, 400, 'invalid_request')).toEqual([at]);
    const batch = { key, json: { intents: [INTENT, intent] } };
    expect(await refused('POST', '/verify/batch', batch, 400, 'invalid_request')).toEqual([
      `/intents/1${at}`,
    ]);
    const evaluation = {
      subject: { type: 'agent', id: AGENT },
      action: { name: 'payments.create' },
      resource: { type: 'counterparty', id: 'order-1' },
      context: { agent_identity: { permit } },
    };
    const one = await api.ask('POST', '/access/v1/evaluation', { key, json: evaluation });
    expect([one.status, one.text]).toEqual([400, expect.stringContaining('permit')]);
    const { context, ...plain } = evaluation;
    const all = await api.ask('POST', '/access/v1/evaluations', {
      ...{ key, json: { ...plain, evaluations: [{ context }] } },
    });
    expect(all.body).toMatchObject({
      evaluations: [{ decision: false, context: { error: { status: 400 } } }],
    });
    expect(dataOf(await api.ask('GET', '/verifications', { token }))).toEqual([]);
  });
});

test('denies a permit for a domain that is only claimed if registration is open', async () => {
  const opened = openService({ registration: 'open', storage: memoryStorage() });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  await issue(api, token);
  const { key } = await makeKey(api, token, { scopes: ['verify', 'permit'] });
  const { body } = await api.ask('POST', '/verify', { key, json: INTENT });
  expect(body).toMatchObject({
    verdict: 'DENY',
    reasons: [{ code: 'permit_unavailable', problem: 'domain' }],
    permit: null,
  });
});

test('a second account ends the right of a claim within a second', async () => {
  const { ask, opened } = await openPermits();
  expect((await ask('/verify', INTENT)).body['verdict']).toBe('ALLOW');
  await opened.service.accounts.create({ email: 'other@example.com', password: 'Noch-ein-Kennwort-8' });
  opened.clock.advance(1_000);
  expect((await ask('/verify', INTENT)).body['reasons']).toMatchObject([{ problem: 'domain' }]);
});
