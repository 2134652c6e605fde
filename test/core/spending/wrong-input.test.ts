/** Wrong budgets, holds and amounts: refused in process and over HTTP with the same paths, and nothing is stored. */
import { describe, expect, test } from 'vitest';
import type { FieldError, IdentityError } from '../../../src/errors.ts';
import type { Intent } from '../../../src/records.ts';
import { expectProblem, makeKey, signIn } from '../../support/api.ts';
import { openStage, type Stage } from '../../support/malformed.ts';
import { dump } from '../../support/storage-probe.ts';
import { RIGHT_BUDGETS, SHOPPER, WRONG_BUDGETS, WRONG_PATCHES } from './wrong-input.ts';

const AGENT = 'did:web:shop.example:agents:shopper';

/** The paths that a call in process is refused with; the storage is what it was. */
async function pathsOf({ opened }: Stage, call: () => Promise<unknown>, code = 'invalid_request') {
  const before = await dump(opened.storage);
  const error = await call().then(
    () => undefined,
    (thrown: IdentityError) => thrown,
  );
  expect(error).toMatchObject({ code });
  expect(await dump(opened.storage)).toBe(before);
  const errors: readonly FieldError[] = error?.details.errors ?? [];
  return errors.map(({ path }) => path);
}

describe('a passport with', () => {
  test.each(WRONG_BUDGETS)('%s is refused', async (_, fields, paths) => {
    const opened = await openStage();
    const { token, refused } = opened;
    const given = { ...SHOPPER, ...fields };
    const ask = { token, json: given };
    expect(new Set(await refused('POST', '/passports', ask, 400, 'invalid_request'))).toEqual(new Set(paths));
    const actor = { account_id: await accountOf(opened) };
    const create = () => opened.opened.service.passports.create(given as never, actor);
    expect(new Set(await pathsOf(opened, create))).toEqual(new Set(paths));
  });

  test.each(RIGHT_BUDGETS.map((fields, index) => [index, fields] as const))(
    'budgets that are right is issued: %i',
    async (index, fields) => {
      const { api, token } = await openStage();
      const json = { ...SHOPPER, ...fields, agent_name: `shopper-${index}` };
      expect(await api.ask('POST', '/passports', { token, json })).toMatchObject({ status: 201 });
    },
  );
});

async function accountOf({ api, token }: Stage): Promise<string> {
  return `${(await api.ask('GET', '/account', { token })).body['id']}`;
}

describe('a patch that', () => {
  async function openPatched(): Promise<Stage> {
    const opened = await openStage();
    const json = { ...SHOPPER, budgets: [{ window: 'day', limit: '100.50' }] };
    expect((await opened.api.ask('POST', '/passports', { token: opened.token, json })).status).toBe(201);
    return opened;
  }

  test.each(WRONG_PATCHES)('%s is refused', async (_, patch, paths) => {
    const opened = await openPatched();
    const { token, refused } = opened;
    const path = `/passports/${encodeURIComponent(AGENT)}`;
    expect(await refused('PATCH', path, { token, json: patch }, 400, 'invalid_request')).toEqual(paths);
    const actor = { account_id: await accountOf(opened) };
    const update = () => opened.opened.service.passports.update(AGENT, patch, actor);
    expect(await pathsOf(opened, update)).toEqual(paths);
  });
});

/** A passport with a budget of 100, and keys that see it. */
async function openTill() {
  const stage = await openStage();
  const { api, token, opened } = stage;
  const json = { ...SHOPPER, budgets: [{ window: 'day', limit: 100 }] };
  await api.ask('POST', '/passports', { token, json });
  const { key } = await makeKey(api, token);
  const spend = async (amount: number, more: object = {}) => {
    const intent = { agent_id: AGENT, action: 'pay', parameters: { amount, currency: 'EUR' }, ...more };
    return `${(await api.ask('POST', '/verify', { key, json: intent })).body['decision_id']}`;
  };
  const used = async () => {
    const { body } = await api.ask('GET', `/passports/${encodeURIComponent(AGENT)}/budgets`, { token });
    const [state] = body['data'] as readonly Record<string, unknown>[];
    return [state?.['spent'], state?.['held']];
  };
  return {
    ...stage,
    key,
    spend,
    used,
    actor: { account_id: await accountOf(stage) },
    service: opened.service,
  };
}

test.each([0, -1, 1.5, 691_200, 604_801, '60', null, true, [60]])(
  'hold_seconds of %j is refused',
  async (hold_seconds) => {
    const till = await openTill();
    const { refused, key, service, actor } = till;
    const right: Intent = { agent_id: AGENT, action: 'look' };
    const wrong = { ...right, hold_seconds } as Intent;
    const code = 'invalid_request';
    expect(await refused('POST', '/verify', { key, json: wrong }, 400, code)).toEqual(['/hold_seconds']);
    const batch = { intents: [right, wrong] };
    const inBatch = ['/intents/1/hold_seconds'];
    expect(await refused('POST', '/verify/batch', { key, json: batch }, 400, code)).toEqual(inBatch);
    expect(await pathsOf(till, () => service.verify(wrong, actor))).toEqual(['/hold_seconds']);
    expect(await pathsOf(till, () => service.verifyBatch(batch, actor))).toEqual(inBatch);
    expect(await pathsOf(till, () => service.passports.try(AGENT, { intent: wrong }, actor))).toEqual([
      '/intent/hold_seconds',
    ]);
  },
);

describe.each(['commit', 'release'] as const)('%s', (method) => {
  test.each([
    [{ amount: 0 }, '/amount'],
    [{ amount: '0.00' }, '/amount'],
    [{ amount: -1 }, '/amount'],
    [{ amount: '1.001' }, '/amount'],
    [{ amount: 'x' }, '/amount'],
    [{ amount: null }, '/amount'],
    [{ amount: true }, '/amount'],
    [{ amount: 1, currency: 'EUR' }, '/currency'],
    [[], ''],
    ['5', ''],
  ])('of %j is refused', async (json, path) => {
    const till = await openTill();
    const { refused, key, spend, service, actor, used } = till;
    const id = await spend(60, { hold_seconds: 60 });
    expect(await refused('POST', `/spends/${id}/${method}`, { key, json }, 400, 'invalid_request')).toEqual([
      path,
    ]);
    expect(await pathsOf(till, () => service.spends[method](id, json as never, actor))).toEqual([path]);
    expect(await used()).toEqual([0, 60]);
  });

  test('of a spend without an amount takes none', async () => {
    const till = await openTill();
    const { refused, key, api, service, actor } = till;
    const json = { agent_id: AGENT, action: 'look', hold_seconds: 60 };
    const { body } = await api.ask('POST', '/verify', { key, json });
    const id = `${body['decision_id']}`;
    const ask = { key, json: { amount: 1 } };
    expect(await refused('POST', `/spends/${id}/${method}`, ask, 400, 'invalid_request')).toEqual([
      '/amount',
    ]);
    expect(await pathsOf(till, () => service.spends[method](id, { amount: 1 }, actor))).toEqual(['/amount']);
  });

  test('of more than is held is a conflict', async () => {
    const till = await openTill();
    const { refused, key, spend, service, actor, used } = till;
    const id = await spend(60, { hold_seconds: 60 });
    await refused('POST', `/spends/${id}/${method}`, { key, json: { amount: '60.01' } }, 409, 'conflict');
    await pathsOf(till, () => service.spends[method](id, { amount: '60.01' }, actor), 'conflict');
    expect(await used()).toEqual([0, 60]);
  });

  test('of a spend that there is not, that another account or another environment has, is 404', async () => {
    const till = await openTill();
    const { refused, api, token, spend, service, opened } = till;
    const id = await spend(60, { hold_seconds: 60 });
    const otherAccount = await signIn(opened, api, 'eve@example.com');
    const { key: other } = await makeKey(api, otherAccount.token);
    const { key: inTest } = await makeKey(api, token, { environment: 'test' });
    const { key: bound } = await makeKey(api, token, { agent_ids: ['did:web:shop.example:agents:other'] });
    for (const key of [other, inTest, bound]) {
      await refused('POST', `/spends/${id}/${method}`, { key }, 404, 'not_found');
      await refused('GET', `/spends/${id}`, { key }, 404, 'not_found');
    }
    await refused('POST', `/spends/${id}/${method}`, { token: otherAccount.token }, 404, 'not_found');
    await refused('POST', `/spends/dec_0/${method}`, { token }, 404, 'not_found');
    const actor = { account_id: otherAccount.account_id };
    await pathsOf(till, () => service.spends[method](id, {}, actor), 'not_found');
  });
});

test('a refund needs its scope, and what is refunded twice is a conflict', async () => {
  const till = await openTill();
  const { api, token, refused, key, spend, used, service, actor } = till;
  const id = await spend(60);
  await refused('POST', `/spends/${id}/release`, { key }, 403, 'insufficient_scope');
  const { key: refunder } = await makeKey(api, token, { scopes: ['verify', 'refund'] });
  expect((await api.ask('POST', `/spends/${id}/release`, { key: refunder })).status).toBe(200);
  expect(await used()).toEqual([0, 0]);
  await refused('POST', `/spends/${id}/release`, { key: refunder }, 409, 'conflict');
  await pathsOf(till, () => service.spends.release(id, {}, actor), 'conflict');
  await refused('POST', `/spends/${id}/commit`, { key }, 409, 'conflict');
  expect(await used()).toEqual([0, 0]);
});

test('a refund under an idempotency key is answered again only to a key that may refund', async () => {
  const { api, token, refused, key, spend, used } = await openTill();
  const { key: refunder } = await makeKey(api, token, { scopes: ['verify', 'refund'] });
  const id = await spend(60);
  const refund = { json: { amount: 20 }, headers: { 'idempotency-key': 'r-1' } };
  const path = `/spends/${id}/release`;
  const first = await api.ask('POST', path, { ...refund, key: refunder });
  expect((await api.ask('POST', path, { ...refund, key: refunder })).body).toEqual(first.body);
  await refused('POST', path, { ...refund, key }, 403, 'insufficient_scope');
  const { key: blind } = await makeKey(api, token, { scopes: ['refund'] });
  const held = await spend(10, { hold_seconds: 60 });
  const release = { headers: { 'idempotency-key': 'r-2' } };
  expect((await api.ask('POST', `/spends/${held}/release`, { ...release, key })).status).toBe(200);
  await refused('POST', `/spends/${held}/release`, { ...release, key: blind }, 403, 'insufficient_scope');
  expect(await used()).toEqual([40, 0]);
});

test('the endpoints check the credentials, the query and the method as everywhere', async () => {
  const { api, token, refused, key, spend } = await openTill();
  const id = await spend(60);
  const budgets = `/passports/${encodeURIComponent(AGENT)}/budgets`;
  await refused('GET', budgets, { key }, 401, 'unauthenticated');
  await refused('GET', `/spends/${id}`, {}, 401, 'unauthenticated');
  await refused('POST', `/spends/${id}/commit`, { key, token }, 400, 'invalid_request');
  const { key: revoker } = await makeKey(api, token, { scopes: ['revoke'] });
  await refused('GET', `/spends/${id}`, { key: revoker }, 403, 'insufficient_scope');
  for (const environment of ['', 'Live', 'prod']) {
    const path = `${budgets}?environment=${environment}`;
    expect(await refused('GET', path, { token }, 400, 'invalid_request')).toEqual(['/environment']);
  }
  await refused('GET', '/passports/did%3Aweb%3Aa.example%3Aagents%3Aa/budgets', { token }, 404, 'not_found');
  for (const path of [budgets, `/spends/${id}`, `/spends/${id}/commit`]) {
    expectProblem(await api.ask('DELETE', path, { token }), 405, 'method_not_allowed');
  }
  const long = 'k'.repeat(256);
  for (const text of ['', long]) {
    const ask = { key, headers: { 'idempotency-key': text } };
    await refused('POST', `/spends/${id}/commit`, ask, 400, 'invalid_request');
  }
});
