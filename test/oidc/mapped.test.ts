/** A map of the application gives people an account and a role by their claims. */
import { describe, expect, test } from 'vitest';
import { firstMemberId } from '../../src/core/shared/people.ts';
import type { MapPerson } from '../../src/core.ts';
import type { StorageAdapter } from '../../src/index.ts';
import { PASSWORD } from '../support/service.ts';
import { openShared, sharedStores } from '../support/stores.ts';
import { ANN, openAccount, openNode, signIn } from './stage.ts';

const REFUSED = { code: 'invalid_credentials' };

/** A map that puts everyone in one place, which a test may change. */
function directory() {
  const place: { answer: unknown } = { answer: null };
  const map = (() => place.answer) as MapPerson;
  return { place, map };
}

describe.each(await sharedStores())('on $name', (store) => {
  test('twenty first sights make one member; its role is set anew, and its streams end', async () => {
    const [first, second] = await openShared(store, 2);
    const { place, map } = directory();
    const [one, two] = [openNode({ map }, first).service, openNode({ map }, second).service];
    const account_id = await openAccount(one);
    place.answer = { account_id, role: 'viewer' };
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, at) => signIn(at % 2 === 0 ? one : two, { sub: 'ben', name: 'Ben' })),
    );
    const members = (await one.members.list({}, { account_id })).data;
    expect(members.map(({ login }) => login).sort()).toEqual(['oidc', 'password']);
    expect((await one.account({ account_id })).usage.members).toBe(2);
    const [token = ''] = tokens;
    const ben = await two.authenticateSession(token);
    expect(ben).toMatchObject({ account_id, role: 'viewer' });
    const stream = await two.events.open({}, ben);
    place.answer = { account_id, role: 'admin' };
    await signIn(one, { sub: 'ben' });
    const started = Date.now();
    for await (const _ of stream) break;
    for await (const _ of stream);
    // It would never end; a second may take longer on a machine that does other work.
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(await two.authenticateSession(token)).toMatchObject({ role: 'admin' });
    const id = ben.member_id;
    await expect(one.members.update(id, { role: 'viewer' }, { account_id })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await one.members.update(id, { name: 'Benny' }, { account_id })).toMatchObject({ role: 'admin' });
    await one.members.remove(id, {}, { account_id });
    await expect(signIn(two, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
    const link = await one.members.link(id, { account_id });
    expect(await two.authenticateSession(await signIn(two, { sub: 'ben' }, link))).toMatchObject({
      ...{ member_id: id, role: 'admin' },
    });
  });
});

test('an organisation of the application gets its account at its first sign-in', async () => {
  const { place, map } = directory();
  const { service, storage } = openNode({ map });
  place.answer = { account: 'acme', role: 'owner' };
  const ben = await service.authenticateSession(await signIn(service, { sub: 'ben' }));
  const cy = await service.authenticateSession(await signIn(service, { sub: 'cy' }));
  expect(ben.account_id).toBe(cy.account_id);
  expect(await storage.get('accounts', ben.account_id)).toMatchObject({ external_id: 'acme', email: null });
  // Mapped owners alone: the directory can give one at any time.
  await service.members.remove(ben.member_id, {}, { account_id: ben.account_id });
  place.answer = { account: 'acme', role: 'viewer' };
  await signIn(service, { sub: 'cy' });
  expect((await service.account(cy)).member).toMatchObject({ role: 'viewer' });
});

test('a first sight finds the account that another one makes between its reads', async () => {
  const { place, map } = directory();
  const { service, storage } = openNode({ map });
  place.answer = { account: 'acme', role: 'owner' };
  const tokens: string[] = [];
  const late: StorageAdapter = {
    ...storage,
    async get(collection, id) {
      if (collection === 'logins' && tokens.length === 0) tokens.push(await signIn(service, { sub: 'ben' }));
      return storage.get(collection, id);
    },
  };
  tokens.push(await signIn(openNode({ map }, late).service, { sub: 'ben' }));
  const [first, second] = await Promise.all(tokens.map((token) => service.authenticateSession(token)));
  expect(second?.member_id).toBe(first?.member_id);
});

test('an organisation whose own id is that of an account of ours gets an account of its own', async () => {
  const { place, map } = directory();
  const { service } = openNode({ map });
  const account_id = await openAccount(service);
  place.answer = { account: account_id, role: 'owner' };
  const eve = await service.authenticateSession(await signIn(service, { sub: 'eve' }));
  expect(eve.account_id).not.toBe(account_id);
  expect((await service.members.list({}, { account_id })).data.map(({ id }) => id)).toEqual([
    firstMemberId(account_id),
  ]);
});

test('a person in another account, or in one that is unknown or disabled, is refused', async () => {
  const { place, map } = directory();
  const { service, storage } = openNode({ map });
  const account_id = await openAccount(service);
  place.answer = { account_id: 'acc_unknown', role: 'owner' };
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  place.answer = { account_id, role: 'owner' };
  await signIn(service, { sub: 'ben' });
  place.answer = { account: 'acme', role: 'owner' };
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  const { link } = await service.members.invite({ role: 'viewer' }, { account_id });
  await expect(signIn(service, { sub: 'cy' }, link)).rejects.toMatchObject({ code: 'conflict' });
  place.answer = { account_id, role: 'owner' };
  await expect(signIn(service, { sub: 'dan', email: ANN })).rejects.toMatchObject({ code: 'conflict' });
  await service.accounts.disable(ANN);
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  expect(await storage.list('sessions', { where: {}, limit: 10 })).toHaveLength(1);
});

test.each<[what: string, answer: unknown]>([
  ['null', null],
  ['nothing', undefined],
  ['a role alone', { role: 'owner' }],
  ['a place without a role', { account: 'acme' }],
  ['a role that there is not', { account: 'acme', role: 'root' }],
  ['a role in other case', { account: 'acme', role: 'Owner' }],
  ['two accounts', { account: 'acme', account_id: 'acc_1', role: 'owner' }],
  ['an empty account', { account: '', role: 'owner' }],
  ['a person besides', { account: 'acme', role: 'owner', member: 'root' }],
  ['a number', 7],
  ['a text', 'owner'],
  ['a list', [{ account: 'acme', role: 'owner' }]],
  ['a function', () => ({ account: 'acme', role: 'owner' })],
])('a map that gives %s signs no person in', async (_, answer) => {
  const { place, map } = directory();
  const { service, storage } = openNode({ map });
  place.answer = answer;
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  place.answer = Promise.resolve(answer);
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  for (const name of ['accounts', 'members', 'logins', 'sessions'] as const)
    expect(await storage.list(name, { where: {}, limit: 10 })).toEqual([]);
});

test('a map that throws signs no person in, and cannot change who the person is', async () => {
  let mapped: MapPerson = () => {
    throw new Error('a text of the application');
  };
  const { service, logs } = openNode({ map: (claims) => mapped(claims) });
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  mapped = async () => Promise.reject(new Error('a text of the application'));
  await expect(signIn(service, { sub: 'ben' })).rejects.toMatchObject(REFUSED);
  expect(JSON.stringify(logs)).not.toContain('a text of the application');
  mapped = (claims) => {
    Object.assign(claims, { sub: 'root' });
    return { account: 'acme', role: 'viewer' };
  };
  const ben = await service.authenticateSession(await signIn(service, { sub: 'ben' }));
  const root = await service.authenticateSession(await signIn(service, { sub: 'root' }));
  expect(ben.member_id).not.toBe(root.member_id);
});

test('owners of a directory do not stand for the last owner with an own login', async () => {
  const { place, map } = directory();
  const { service, storage } = openNode({ map });
  const account_id = await openAccount(service);
  const firstOwner = firstMemberId(account_id);
  place.answer = { account_id, role: 'owner' };
  await signIn(service, { sub: 'ben' });
  const CONFLICT = { code: 'conflict' };
  const who = { account_id };
  await expect(service.members.remove(firstOwner, {}, who)).rejects.toMatchObject(CONFLICT);
  await expect(service.members.update(firstOwner, { role: 'viewer' }, who)).rejects.toMatchObject(CONFLICT);
  const link = await service.members.link(firstOwner, who);
  await expect(signIn(service, { sub: 'ann' }, link)).rejects.toMatchObject(CONFLICT);
  expect((await service.login({ email: ANN, password: PASSWORD })).token_type).toBe('bearer');
  // Without the map an identity that was invited is an own login.
  const invited = openNode({}, storage).service;
  await signIn(invited, { sub: 'ann' }, link);
  await invited.members.update(firstOwner, { role: 'viewer' }, who);
});
