import { describe, expect, test } from 'vitest';
import { IdentityError } from '../../src/errors.ts';
import { endpoints } from '../../src/http/index.ts';
import { expectedAt } from '../../src/schema/expected.ts';
import { requestSchemas } from '../../src/schema/requests.ts';
import { type Answer, makeKey, PASSPORT } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { openService, PASSWORD } from '../support/service.ts';

const INSTANT = 'This must be an instant such as 2027-01-31T09:00:00Z.';

function errorsOf(answer: Answer): Readonly<Record<string, string>> {
  const errors = (answer.body['errors'] ?? []) as readonly {
    readonly path: string;
    readonly message: string;
  }[];
  expect(answer.status).toBe(400);
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
}

const HOPELESS = {
  domain: 'Shop.Example',
  agent_name: 7,
  allowed_actions: ['payments.create', 'a b', null],
  monetary_limit_per_txn: '19,99',
  currency: 'eur',
  allowed_targets: ['shop.example'],
  not_before: 'tomorrow',
  metadata: { team: 1 },
  alowed_targets: [],
};

const ITS_ERRORS = {
  '/alowed_targets': 'There is no such field. Did you mean allowed_targets?',
  '/agent_name': 'This must be a lower-case name such as shopper.',
  '/allowed_actions/2': 'This must be an action such as payments.create, or a pattern such as orders.*.',
  '/metadata/team': 'This must be text of at most 500 characters.',
  '/domain': 'This must be a lower-case host name such as shop.example.',
  '/allowed_actions/1': 'This must be an action such as payments.create, or a pattern such as orders.*.',
  '/allowed_targets/0':
    'This must be a DID such as did:web:shop.example, or a pattern such as did:web:*.shop.example.',
  '/currency': 'This must be an ISO 4217 code such as EUR.',
  '/monetary_limit_per_txn': 'This must be a decimal such as 19.99, from 0 to 10^15 with at most 6 decimals.',
  '/not_before': INSTANT,
};

describe('every field that is wrong is named at once, with what would be right', () => {
  test('of a passport, whether its type is wrong or its text', async () => {
    const { api, token } = await openStage();
    const answer = await api.ask('POST', '/passports', { token, json: HOPELESS });
    expect(errorsOf(answer)).toEqual(ITS_ERRORS);
    const detail = String(answer.body['detail']);
    expect(detail).toMatch(
      /^\/alowed_targets: There is no such field\. Did you mean allowed_targets\? Also wrong: /,
    );
    for (const path of Object.keys(ITS_ERRORS)) expect(detail).toContain(path);
  });

  test('in process as over HTTP', async () => {
    const { service } = openService();
    const owner = { account_id: 'acc_1' };
    const error = await service.passports.create(HOPELESS as never, owner).catch((thrown: unknown) => thrown);
    const { details } = error as IdentityError;
    expect(error).toBeInstanceOf(IdentityError);
    expect(Object.fromEntries(details.errors?.map(({ path, message }) => [path, message]) ?? [])).toEqual(
      ITS_ERRORS,
    );
  });

  test('of a patch', async () => {
    const { api, token } = await openStage();
    await api.ask('POST', '/passports', { token, json: PASSPORT });
    const json = { expires_at: 'soon', currency: 'EURO', monetary_actions: ['*.a'], allowed_actions: null };
    const answer = await api.ask('PATCH', '/passports/did:web:example.com:agents:shopper', { token, json });
    expect(Object.keys(errorsOf(answer)).sort()).toEqual([
      '/allowed_actions',
      '/currency',
      '/expires_at',
      '/monetary_actions/0',
    ]);
  });

  test('of a key, a suspension, an account and a change of password', async () => {
    const { api, token } = await openStage({ registration: 'open' });
    const key = { name: '', environment: 'test', scopes: ['revoke'], expires_at: 'soon', scope: [] };
    expect(errorsOf(await api.ask('POST', '/keys', { token, json: key }))).toEqual({
      '/scope': 'There is no such field. Did you mean scopes?',
      '/name': 'This is empty. This must be text of 1 to 100 characters.',
      '/scopes': 'A test key may only have the scopes verify, events, decide, permit, token.',
      '/expires_at': INSTANT,
    });
    const past = { name: '', environment: 'test', scopes: ['revoke'], expires_at: '2020-01-31T09:00:00Z' };
    const NOT_IN_FUTURE = 'This must be an instant in the future.';
    expect(errorsOf(await api.ask('POST', '/keys', { token, json: past }))).toEqual({
      '/name': 'This is empty. This must be text of 1 to 100 characters.',
      '/scopes': 'A test key may only have the scopes verify, events, decide, permit, token.',
      '/expires_at': NOT_IN_FUTURE,
    });
    const named = await api.ask('POST', '/keys', { token, json: { ...past, name: 'a' } });
    expect(Object.keys(errorsOf(named))).toEqual(['/scopes', '/expires_at']);
    const valid = await api.ask('POST', '/keys', { token, json: { ...past, name: 'a', scopes: ['verify'] } });
    expect(errorsOf(valid)).toEqual({ '/expires_at': NOT_IN_FUTURE });
    const suspension = { reason: '', until: '2027-01-31' };
    expect(errorsOf(await api.ask('POST', '/suspend', { token, json: suspension }))).toEqual({
      '/agent_id': 'This field is required: the id of an agent, such as did:web:shop.example:agents:shopper.',
      '/reason': 'This is empty. This must be text of 1 to 500 characters.',
      '/until': INSTANT,
    });
    const account = { email: 'ann at example', password: 'short' };
    expect(errorsOf(await api.ask('POST', '/auth/register', { json: account }))).toEqual({
      '/email': 'This must be an e-mail address such as ann@example.com.',
      '/password': 'This has fewer than 12 characters. This must be text of 12 to 128 characters.',
    });
    const change = { current_password: 1, new_password: 'short' };
    expect(errorsOf(await api.ask('POST', '/auth/password', { token, json: change }))).toEqual({
      '/current_password': 'This must be text.',
      '/new_password': 'This has fewer than 12 characters. This must be text of 12 to 128 characters.',
    });
  });

  test('of a batch, wherever in it', async () => {
    const { api, token } = await openStage();
    const { key } = await makeKey(api, token);
    const good = { agent_id: 'a', action: 'b' };
    const json = { intents: [{ ...good, amont: 1 }, good, { action: 7, parameter: {} }, 'x'], dryrun: true };
    expect(errorsOf(await api.ask('POST', '/verify/batch', { key, json }))).toEqual({
      '/dryrun': 'There is no such field.',
      '/intents/0/amont': 'There is no such field.',
      '/intents/2/agent_id':
        'This field is required: the id of an agent, such as did:web:shop.example:agents:shopper.',
      '/intents/2/action': 'This must be an action such as payments.create.',
      '/intents/2/parameter': 'There is no such field. Did you mean parameters?',
      '/intents/3': 'This must be an object with agent_id and action.',
    });
  });

  test('of a query', async () => {
    const { api, token } = await openStage();
    const query = '?from=yesterday&to=2027-01-31&verdict=allow&limit=500&enviroment=live&agent_id=';
    expect(errorsOf(await api.ask('GET', `/verifications${query}`, { token }))).toEqual({
      '/from': INSTANT,
      '/to': INSTANT,
      '/verdict': 'This must be ALLOW or DENY.',
      '/limit': 'This must be a whole number from 1 to 100.',
      '/enviroment': 'There is no such parameter. Did you mean environment?',
      '/agent_id': 'This is empty: leave it out instead.',
    });
    const passports = '?status=gone&domain=Shop.Example&limit=0';
    expect(errorsOf(await api.ask('GET', `/passports${passports}`, { token }))).toEqual({
      '/status': 'This must be active, suspended, revoked or expired.',
      '/domain': 'This must be a lower-case host name such as shop.example.',
      '/limit': 'This must be a whole number from 1 to 100.',
    });
    const turned = '?from=2027-01-31T09:00:00Z&to=2027-01-30T09:00:00Z';
    expect(errorsOf(await api.ask('GET', `/verifications${turned}&verdict=allow`, { token }))).toEqual({
      '/verdict': 'This must be ALLOW or DENY.',
      '/from': 'This must not be later than to.',
    });
  });

  test('of a query in process', async () => {
    const { service } = openService();
    const owner = { account_id: 'acc_1' };
    const pathsOf = (asked: Promise<unknown>) =>
      asked.then(
        () => [],
        ({ details }: IdentityError) => details.errors?.map(({ path }) => path),
      );
    const range = { agent_id: '', from: '2027-01-31T09:00:00Z', to: '2027-01-30T09:00:00Z' };
    expect(await pathsOf(service.verifications.list({ ...range, limit: 0 }, owner))).toEqual([
      '/agent_id',
      '/from',
      '/limit',
    ]);
    expect(await pathsOf(service.verifications.csv({ ...range, to: 'soon' }, owner))).toEqual([
      '/agent_id',
      '/to',
    ]);
    expect(await pathsOf(service.analytics(range, owner))).toEqual(['/agent_id', '/from']);
    const passports = { status: 'gone' as 'active', domain: 'Shop.Example', limit: 101 };
    expect(await pathsOf(service.passports.list(passports, owner))).toEqual(['/status', '/domain', '/limit']);
  });
});

test('for every field of a request and every parameter there are words for what it takes', () => {
  const fields = Object.values(requestSchemas).flatMap(({ properties }) => Object.keys(Object(properties)));
  const parameters = endpoints.flatMap(({ query = [] }) => query.map(({ name }) => name));
  expect([...fields, ...parameters].filter((name) => expectedAt(`/${name}`) === undefined)).toEqual([]);
});

test('a hostile body is answered by twenty errors, soon, and by no more than twice its own size', async () => {
  const { api, token } = await openStage();
  const names = Array.from({ length: 990 }, (_, index) => [`allowed_action${index}`, 1]);
  const many = await api.ask('POST', '/passports', {
    token,
    json: { ...PASSPORT, ...Object.fromEntries(names) },
  });
  expect(Object.keys(errorsOf(many))).toHaveLength(20);
  expect(String(many.body['detail'])).toMatch(/, and 970 more\.$/);
  const long = JSON.stringify({ ...PASSPORT, ['allowed_actions'.repeat(4_000)]: 1 });
  const answer = await api.ask('POST', '/passports', { token, body: long });
  expect(Object.values(errorsOf(answer))).toEqual(['There is no such field.']);
  expect(answer.text.length).toBeLessThan(2 * long.length);
});

test('no message shows a value', async () => {
  const { api, token } = await openStage({ registration: 'open' });
  const secret = 'hunter2';
  const json = { email: secret, password: secret, [PASSWORD.slice(0, 3)]: secret };
  const answers = [
    await api.ask('POST', '/auth/register', { json }),
    await api.ask('POST', '/keys', {
      token,
      json: { name: [secret], environment: secret, scopes: [secret] },
    }),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(400);
    expect(text).not.toContain(secret);
  }
});
