/** People whom an owner has invited sign in with an issuer. */
import { expect, test } from 'vitest';
import { passwordLoginId } from '../../src/core/members/login-record.ts';
import { firstMemberId } from '../../src/core/shared/people.ts';
import { PASSWORD } from '../support/service.ts';
import { openShared, sharedStores } from '../support/stores.ts';
import { ANN, ISSUER, openAccount, openNode, signIn } from './stage.ts';

const REFUSED = { code: 'invalid_credentials' };
const BEN = { sub: 'ben', email: 'ben@example.com', email_verified: true, name: 'Ben' };

test.each(await sharedStores())(
  'on $name a link makes a person a member, on every node, once',
  async (store) => {
    const [first, second] = await openShared(store, 2);
    const [one, two] = [openNode({}, first).service, openNode({}, second).service];
    const account_id = await openAccount(one);
    await expect(signIn(one, BEN)).rejects.toMatchObject(REFUSED);
    const { member, link } = await one.members.invite({ role: 'editor' }, { account_id });
    const used = await Promise.allSettled([signIn(one, BEN, link), signIn(two, BEN, link)]);
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(used.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not_found' } });
    const token = await signIn(two, { ...BEN, email: 'another@example.com' });
    const who = { account_id, member_id: member.id, role: 'editor' };
    expect(await one.authenticateSession(token)).toMatchObject(who);
    const shown = { login: 'oidc', status: 'active', email: 'ben@example.com', name: 'Ben' };
    const { data } = await one.members.list({}, { account_id });
    expect(data.find(({ id }) => id === member.id)).toMatchObject(shown);
    await one.members.remove(member.id, {}, { account_id });
    await expect(two.authenticateSession(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(signIn(two, BEN)).rejects.toMatchObject(REFUSED);
    const again = await two.members.link(member.id, { account_id });
    expect(await one.authenticateSession(await signIn(one, BEN, again))).toMatchObject(who);
    await one.accounts.disable(ANN);
    await expect(signIn(two, BEN)).rejects.toMatchObject(REFUSED);
  },
);

test('the same e-mail or the same subject at another issuer reaches no account', async () => {
  const { service, storage } = openNode();
  const account_id = await openAccount(service);
  const { link } = await service.members.invite({ role: 'owner', email: BEN.email }, { account_id });
  await signIn(service, BEN, link);
  for (const other of [
    { ...BEN, iss: 'https://evil.example' },
    { ...BEN, iss: `${ISSUER}/` },
    { ...BEN, sub: 'other' },
    { ...BEN, sub: 'Ben' },
    { sub: 'x', email: ANN, email_verified: true },
    { iss: `${ISSUER}","ben`, sub: '' },
    { iss: `${ISSUER}","ben"]`, sub: 'x' },
  ])
    await expect(signIn(service, other)).rejects.toMatchObject(REFUSED);
  expect(await storage.list('sessions', { where: {}, limit: 10 })).toHaveLength(1);
});

test('a link of an active member moves it from a password to the issuer, and ends its sessions', async () => {
  const { service, storage } = openNode();
  const account_id = await openAccount(service);
  const { access_token } = await service.login({ email: ANN, password: PASSWORD });
  const link = await service.members.link(firstMemberId(account_id), { account_id });
  const token = await signIn(service, { sub: 'ann', email: ANN }, link);
  expect(await service.authenticateSession(token)).toMatchObject({ role: 'owner' });
  await expect(service.authenticateSession(access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(service.login({ email: ANN, password: PASSWORD })).rejects.toMatchObject(REFUSED);
  expect(await storage.get('logins', passwordLoginId(ANN))).toBeUndefined();
  const who = await service.authenticateSession(token);
  const change = { current_password: PASSWORD, new_password: 'another-password' };
  await expect(service.changePassword(change, who)).rejects.toMatchObject({ code: 'conflict' });
  // And back: the identity is free then.
  const back = await service.members.link(firstMemberId(account_id), { account_id });
  await service.acceptLink({ token: back.token, password: PASSWORD });
  await expect(signIn(service, { sub: 'ann' })).rejects.toMatchObject(REFUSED);
  expect((await service.login({ email: ANN, password: PASSWORD })).token_type).toBe('bearer');
});

test('one person is not two members', async () => {
  const { service } = openNode();
  const account_id = await openAccount(service);
  const invite = () => service.members.invite({ role: 'viewer' }, { account_id });
  const CONFLICT = { code: 'conflict' };
  const first = await invite();
  // The e-mail of the claims is that of the password of Ann, verified or not.
  await expect(signIn(service, { sub: 'ann', email: 'Ann@Example.com' }, first.link)).rejects.toMatchObject({
    ...CONFLICT,
    message: expect.stringContaining('moves the login'),
  });
  await signIn(service, BEN, first.link);
  const second = await invite();
  await expect(signIn(service, BEN, second.link)).rejects.toMatchObject(CONFLICT);
  // Nothing was used: the link goes on, also for another person.
  await service.members.remove(first.member.id, {}, { account_id });
  const token = await signIn(service, BEN, second.link);
  expect(await service.authenticateSession(token)).toMatchObject({ member_id: second.member.id });
  // The first one comes back as another person, and the login of the second stays.
  const back = await service.members.link(first.member.id, { account_id });
  await signIn(service, { sub: 'cy' }, back);
  expect(await service.authenticateSession(await signIn(service, BEN))).toMatchObject({
    member_id: second.member.id,
  });
});

test('a wrong link is not found, before the issuer is asked', async () => {
  let asked = 0;
  const { service } = openNode({
    provider: {
      start: async () => ({ url: ISSUER, transaction: 't' }),
      finish: async () => {
        asked += 1;
        return { iss: ISSUER, sub: 'ben' };
      },
    },
  });
  const account_id = await openAccount(service);
  const { link } = await service.members.invite({ role: 'viewer' }, { account_id });
  const wrong = `${link.token.slice(0, -1)}${link.token.endsWith('0') ? '1' : '0'}`;
  for (const token of [wrong, 'ais_live_x', ''])
    await expect(signIn(service, {}, { token })).rejects.toMatchObject({ code: 'not_found' });
  expect(asked).toBe(0);
});

test.each<[shown: object, claims: object]>([
  [{ email: null, name: 'Ben' }, { email: 7 }],
  [{ email: null, name: 'Ben' }, { email: ['ben@example.com'] }],
  [{ email: null, name: 'Ben' }, { email: { address: 'ben@example.com' } }],
  [{ email: null, name: 'Ben' }, { email: 'no e-mail' }],
  [{ email: null, name: 'Ben' }, { email: null }],
  [{ email: null, name: 'Ben' }, { email_verified: 'true' }],
  [{ email: null, name: 'Ben' }, { email_verified: 1 }],
  [{ email: BEN.email, name: null }, { name: 7 }],
  [{ email: BEN.email, name: null }, { name: '' }],
  [{ email: BEN.email, name: null }, { name: 'a'.repeat(101) }],
  [{ email: BEN.email, name: null }, { name: ['Ben'] }],
])('a member shows %j where the issuer claims %j', async (shown, claims) => {
  const { service } = openNode();
  const account_id = await openAccount(service);
  const { member, link } = await service.members.invite({ role: 'viewer' }, { account_id });
  await signIn(service, { ...BEN, ...claims }, link);
  const { data } = await service.members.list({}, { account_id });
  expect(data.find(({ id }) => id === member.id)).toMatchObject({ ...shown, login: 'oidc', role: 'viewer' });
  // Who the person is depends on none of them.
  expect(await service.authenticateSession(await signIn(service, BEN))).toMatchObject({
    member_id: member.id,
  });
});

test('log and events name the member and the reason, and no address, claim or link', async () => {
  const { service, logs, storage } = openNode();
  const account_id = await openAccount(service);
  const { member, link } = await service.members.invite({ role: 'viewer' }, { account_id });
  await expect(signIn(service, BEN)).rejects.toMatchObject(REFUSED);
  const token = await signIn(service, BEN, link);
  const refusals = logs.filter(({ event }) => event === 'member.sign_in_refused');
  expect(refusals).toEqual([expect.objectContaining({ level: 'warn', reason: 'no_login' })]);
  const events = await storage.list('events', { where: { account_id }, limit: 100 });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'member.signed_in', data: { member_id: member.id, method: 'oidc' } }),
  );
  const text = JSON.stringify([logs, events]);
  for (const hidden of [BEN.email, BEN.sub, 'Ben', ISSUER, link.token, token])
    expect(text).not.toContain(JSON.stringify(hidden).slice(1, -1));
});
