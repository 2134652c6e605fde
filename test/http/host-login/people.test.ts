import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../../src/http/index.ts';
import type { HostLogin, Role } from '../../../src/records.ts';
import { openApi, PASSPORT, signIn, toRequest } from '../../support/api.ts';
import { ANN, failuresOf, hosted } from '../../support/host.ts';
import { openLocalService, openService } from '../../support/service.ts';

describe('a person whom the application has signed in', () => {
  test('acts without a token, and the first sight opens account and member in one write', async () => {
    const opened = openLocalService();
    const call = hosted(opened, () => ({
      ...ANN,
      name: 'Ann',
      email: 'Ann@example.com',
      account_name: 'Acme',
    }));
    const made = await call('POST', '/passports', { json: PASSPORT });
    expect(made.status).toBe(201);
    expect(await call('GET', '/account')).toMatchObject({ status: 200, body: { plan: 'starter' } });
    const accounts = await opened.storage.list('accounts', { where: {}, limit: 10 });
    const organisation = { external_id: 'org-1', name: 'Acme', email: null };
    expect(accounts).toMatchObject([{ ...organisation, plan: 'starter', disabled_at: null }]);
    const members = await call('GET', '/members');
    expect(members.body['data']).toMatchObject([
      { role: 'owner', login: 'host', status: 'active', name: 'Ann', email: 'ann@example.com' },
    ]);
    expect(JSON.stringify(members.body)).not.toMatch(/org-1|user-1/);
    expect(opened.trail[0]).toMatchObject({ event: 'account.created', account_id: accounts[0]?.id });
    expect(JSON.stringify(opened.trail)).not.toMatch(/org-1|user-1|"Ann/);
  });

  test('has an account that the operator puts on a plan and disables by its id, and that no password opens', async () => {
    const opened = openService();
    const call = hosted(opened, () => ANN);
    const id = String((await call('GET', '/account')).body['id']);
    await opened.service.accounts.setPlan(id, 'team');
    expect((await call('GET', '/account')).body['plan']).toBe('team');
    for (const email of [id, 'host\norg-1', ''])
      await expect(opened.service.login({ email, password: '' })).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    await opened.service.accounts.disable(id);
    expect((await call('GET', '/account')).status).toBe(401);
    expect(failuresOf(opened)).toMatchObject([{ field: 'account', reason: 'disabled' }]);
    await opened.service.accounts.enable(id);
    expect((await call('GET', '/account')).status).toBe(200);
    await opened.service.accounts.delete(id);
    expect((await call('GET', '/account')).status).toBe(401);
  });

  test('of another organisation, or of none, sees nothing of it', async () => {
    const opened = openLocalService();
    let login: HostLogin | null = ANN;
    const call = hosted(opened, () => login);
    await call('POST', '/passports', { json: PASSPORT });
    const path = '/passports/did:web:example.com:agents:shopper';
    login = { ...ANN, account: 'org-2' };
    expect((await call('GET', path)).status).toBe(404);
    login = null;
    expect(await call('GET', path)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    login = { ...ANN, member: 'user-2', role: 'viewer' };
    expect((await call('GET', path)).status).toBe(200);
    expect(failuresOf(opened)).toEqual([]);
  });

  test('is the same for every node and at any number of first requests at a time', async () => {
    const opened = openLocalService();
    const other = openLocalService({ storage: opened.storage });
    const calls = [opened, other].map((one) => hosted(one, () => ANN));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => calls[index % 2]?.('GET', '/account')),
    );
    expect(new Set(answers.map((answer) => `${answer?.status} ${answer?.body['id']}`)).size).toBe(1);
    for (const collection of ['accounts', 'members'] as const)
      expect(await opened.storage.list(collection, { where: {}, limit: 10 })).toHaveLength(1);
    expect((await calls[0]?.('GET', '/account'))?.body['usage']).toMatchObject({ members: 1 });
  });

  test('has the role of this request, stored at once; a name follows at most once per minute', async () => {
    const opened = openLocalService();
    let login: HostLogin = ANN;
    const call = hosted(opened, () => login);
    const stored = async () => (await opened.storage.list('members', { where: {}, limit: 2 }))[0];
    await call('GET', '/account');
    login = { ...ANN, role: 'viewer', name: 'Ann' };
    expect(await call('POST', '/passports', { json: PASSPORT })).toMatchObject({
      ...{ status: 403, body: { code: 'insufficient_role', roles: ['editor', 'admin', 'owner'] } },
    });
    expect(await stored()).toMatchObject({ role: 'viewer', name: 'Ann', version: 2 });
    expect((await call('GET', '/account')).body).toMatchObject({ member: { role: 'viewer' } });
    login = { ...ANN, role: 'viewer', name: 'Anna' };
    await call('GET', '/account');
    expect(await stored()).toMatchObject({ name: 'Ann', version: 2 });
    opened.clock.advance(60_000);
    await call('GET', '/account');
    expect(await stored()).toMatchObject({ name: 'Anna', version: 3 });
    login = ANN;
    expect((await call('POST', '/passports', { json: PASSPORT })).status).toBe(201);
    // The name is absent now: the application says nothing of it.
    expect(await stored()).toMatchObject({ role: 'owner', name: 'Anna', version: 4 });
  });

  test('is refused once it was removed, even if the application signs it in again', async () => {
    const opened = openLocalService();
    const { account_id, member_id } = await opened.service.actorOf(ANN);
    await opened.service.members.remove(member_id, {}, { account_id });
    const call = hosted(opened, () => ANN);
    expect((await call('GET', '/account')).status).toBe(401);
    expect(failuresOf(opened)).toMatchObject([{ field: 'member', reason: 'removed' }]);
    await expect(opened.service.actorOf(ANN)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('is refused above 1,000 members, and the account stays as it is', async () => {
    const opened = openLocalService();
    const { account_id } = await opened.service.actorOf(ANN);
    const counter = `usage:members:${account_id}`;
    const at = new Date(opened.clock.now()).toISOString();
    await opened.storage.write([{ op: 'add', counter, by: 999, at }]);
    const call = hosted(opened, () => ({ ...ANN, member: 'user-2' }));
    expect(await call('GET', '/account')).toMatchObject({
      status: 403,
      body: { code: 'plan_limit_reached' },
    });
    expect(await opened.storage.list('members', { where: {}, limit: 10 })).toHaveLength(1);
  });

  test('joins an account of ours by account_id, which differs from every account of an application', async () => {
    const opened = openService();
    const { account_id } = await signIn(opened, openApi(opened));
    let login: HostLogin = { account_id, member: 'user-1', role: 'viewer' };
    const call = hosted(opened, () => login);
    expect((await call('GET', '/account')).body['id']).toBe(account_id);
    login = { account: account_id, member: 'user-1', role: 'viewer' };
    expect((await call('GET', '/account')).body['id']).not.toBe(account_id);
  });

  test('is refused where the account is unknown or disabled, with one line that names no id', async () => {
    const opened = openService();
    const { account_id, email } = await signIn(opened, openApi(opened));
    let login: HostLogin = { account_id: 'acc_unknown', member: 'user-1', role: 'owner' };
    const call = hosted(opened, () => login);
    expect((await call('GET', '/account')).status).toBe(401);
    login = { ...login, account_id };
    expect((await call('GET', '/account')).status).toBe(200);
    await opened.service.accounts.disable(email);
    expect((await call('GET', '/account')).status).toBe(401);
    expect(failuresOf(opened)).toMatchObject([
      { field: 'account_id', reason: 'unknown' },
      { field: 'account_id', reason: 'disabled' },
    ]);
    expect(JSON.stringify(failuresOf(opened))).not.toMatch(/acc_|user-1/);
  });
});

test('ends a stream of events after a minute, so that the application is asked again', async () => {
  const opened = openLocalService();
  let login: HostLogin | null = ANN;
  const handle = fetchHandler(opened.service, { authenticate: () => login });
  const open = () => handle(toRequest('GET', '/events', {}));
  const response = await open();
  expect(response.status).toBe(200);
  let isOver = false;
  const reading = response.text().then(() => {
    isOver = true;
  });
  await opened.timers.pass(59_000);
  expect(isOver).toBe(false);
  login = null;
  await opened.timers.pass(1_000);
  await reading;
  expect((await open()).status).toBe(401);
});

test('a stream of events ends within a second after its account is disabled', async () => {
  const opened = openLocalService();
  const { account_id } = await opened.service.actorOf(ANN);
  const handle = fetchHandler(opened.service, { authenticate: () => ANN });
  const reading = (await handle(toRequest('GET', '/events', {}))).text();
  await opened.timers.pass(2_000);
  await opened.service.accounts.disable(account_id);
  await opened.timers.pass(1_000);
  expect(await reading).toContain('retry:');
});

test('a stream of events ends within a second after its person is removed', async () => {
  const opened = openLocalService();
  const { account_id, member_id } = await opened.service.actorOf(ANN);
  const handle = fetchHandler(opened.service, { authenticate: () => ANN });
  const reading = (await handle(toRequest('GET', '/events', {}))).text();
  await opened.timers.pass(2_000);
  await opened.service.members.remove(member_id, {}, { account_id });
  await opened.timers.pass(1_000);
  expect(await reading).toContain('retry:');
});

test('a service without logins of its own pages by the secret of its keys, on every node', async () => {
  const identity = { secret: 'a secret that all nodes of this application share' };
  const opened = openLocalService({ identity });
  const nodes = [opened, openLocalService({ identity, storage: opened.storage })];
  const [first, second] = nodes.map((one) => hosted(one, () => ANN));
  for (const name of ['a', 'b']) await first?.('POST', '/keys', { json: { name } });
  const page = await first?.('GET', '/keys?limit=1');
  const next = await second?.('GET', `/keys?limit=1&cursor=${page?.body['next_cursor']}`);
  expect(next?.status).toBe(200);
  expect(next?.body['data']).toHaveLength(1);
});

test('in process, actorOf gives the actor of a person, with the same first sight', async () => {
  const opened = openLocalService();
  const { service } = opened;
  const actor = await service.actorOf(ANN);
  await service.passports.create(PASSPORT, actor);
  const call = hosted(opened, () => ANN);
  expect((await call('GET', '/account')).body['id']).toBe(actor.account_id);
  expect((await call('GET', '/passports')).body['data']).toHaveLength(1);
  await expect(service.actorOf({ ...ANN, role: 'root' as Role })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { errors: [{ path: '/role' }] },
  });
  await expect(service.actorOf({ account_id: 'acc_x', member: 'm', role: 'owner' })).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});
