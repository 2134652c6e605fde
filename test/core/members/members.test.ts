import { describe, expect, test } from 'vitest';
import { firstMemberId, isSamePerson } from '../../../src/core/shared/people.ts';
import { openService, PASSWORD } from '../../support/service.ts';
import { openShared, sharedStores } from '../../support/stores.ts';
import { join, openNode } from './stage.ts';

const ANN = 'ann@example.com';
const BEN = 'ben@example.com';
const CRED = { email: ANN, password: PASSWORD };

describe.each(await sharedStores())('on $name', (store) => {
  async function openTwo() {
    const [first, second] = await openShared(store, 2);
    if (first === undefined || second === undefined) throw new Error('There are no storages.');
    return { storage: first, one: openNode(first), two: openNode(second) };
  }

  test('two owners who demote each other at once leave one', async () => {
    const { one, two } = await openTwo();
    const { id: account_id } = await one.accounts.create(CRED);
    const who = { account_id };
    const firstOwner = firstMemberId(account_id);
    const { member } = await join(one, account_id, { role: 'owner', email: BEN });
    for (let round = 0; round < 4; round += 1) {
      const isDemotion = round % 2 === 0;
      const done = await Promise.allSettled([
        isDemotion
          ? one.members.update(member.id, { role: 'viewer' }, who)
          : one.members.remove(member.id, {}, who),
        two.members.update(firstOwner, { role: 'viewer' }, who),
      ]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(done.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'conflict' },
      });
      const { data } = await one.members.list({ status: 'active' }, who);
      expect(data.filter(({ role }) => role === 'owner')).toHaveLength(1);
      const back = data.find(({ role }) => role !== 'owner');
      if (back === undefined || round === 3) break;
      await one.members.update(back.id, { role: 'owner' }, who);
    }
    const [left] = (await one.members.list({ status: 'active' }, who)).data.filter(
      ({ role }) => role === 'owner',
    );
    const onlyOwner = { ...who, member_id: left?.id ?? '' };
    await expect(one.members.remove(left?.id ?? '', {}, onlyOwner)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('a link is used once, and a removed member is out at once on every node', async () => {
    const { one, two } = await openTwo();
    const { id: account_id } = await one.accounts.create(CRED);
    const who = { account_id };
    const { member, link } = await one.members.invite({ role: 'editor', email: BEN }, who);
    const accept = { token: link.token, password: PASSWORD };
    const used = await Promise.allSettled([one.acceptLink(accept), two.acceptLink(accept)]);
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(used.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not_found' } });
    const { access_token } = await two.login({ email: BEN, password: PASSWORD });
    expect(await one.authenticateSession(access_token)).toMatchObject({
      member_id: member.id,
      role: 'editor',
    });
    await one.members.update(member.id, { role: 'viewer' }, who);
    expect(await two.authenticateSession(access_token)).toMatchObject({ role: 'viewer' });
    await one.members.remove(member.id, {}, who);
    await one.members.remove(member.id, {}, who);
    await expect(two.authenticateSession(access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(two.login({ email: BEN, password: PASSWORD })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect((await one.account(who)).usage.members).toBe(1);
    // The e-mail is free: it founds an account of its own.
    expect((await two.accounts.create({ email: BEN, password: PASSWORD })).email).toBe(BEN);
  });

  test('an e-mail signs in to one account', async () => {
    const { one, two } = await openTwo();
    const { id: account_id } = await one.accounts.create(CRED);
    await one.accounts.create({ email: BEN, password: PASSWORD });
    const invited = await one.members.invite({ role: 'viewer' }, { account_id });
    for (const email of [ANN, BEN, BEN.toUpperCase()]) {
      const accept = { token: invited.link.token, password: PASSWORD, email };
      await expect(two.acceptLink(accept)).rejects.toMatchObject({ code: 'already_exists' });
    }
    const twice = await one.members.invite({ role: 'viewer' }, { account_id });
    const both = await Promise.allSettled([
      one.acceptLink({ token: invited.link.token, password: PASSWORD, email: 'cy@example.com' }),
      two.acceptLink({ token: twice.link.token, password: PASSWORD, email: 'cy@example.com' }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_exists' },
    });
  });
});

test('a link of an active member replaces its login and ends its sessions; an earlier link is dead', async () => {
  const { service, clock } = openService();
  const { id: account_id } = await service.accounts.create(CRED);
  const { access_token } = await service.login(CRED);
  const first = await service.members.link(firstMemberId(account_id), { account_id });
  const second = await service.members.link(firstMemberId(account_id), { account_id });
  await expect(service.readLink({ token: first.token })).rejects.toMatchObject({ code: 'not_found' });
  expect(await service.readLink({ token: second.token })).toEqual({
    ...{ role: 'owner', email: ANN, name: null, expires_at: clock.instant(86_400_000), resets: true },
  });
  expect(await service.authenticateSession(access_token)).toMatchObject({ role: 'owner' });
  const password = 'another-password-of-ann';
  await service.acceptLink({ token: second.token, password });
  await expect(service.authenticateSession(access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(service.login(CRED)).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect((await service.login({ email: ANN, password })).token_type).toBe('bearer');
  const third = await service.members.link(firstMemberId(account_id), { account_id });
  clock.advance(86_400_000);
  await expect(service.readLink({ token: third.token })).rejects.toMatchObject({ code: 'not_found' });
});

test('a removed member comes back by a link alone, and keys are revoked only when asked', async () => {
  const { service } = openService();
  const { id: account_id } = await service.accounts.create(CRED);
  const { member, token } = await join(service, account_id, { role: 'editor', email: BEN });
  const ben = await service.authenticateSession(token);
  const [kept, other] = [
    await service.keys.create({ name: 'a' }, ben),
    await service.keys.create({ name: 'b' }, { account_id }),
  ];
  expect((await service.keys.get(kept.id, ben)).created_by).toBe(member.id);
  const madeBy = async (created_by: string) =>
    (await service.keys.list({ created_by }, { account_id })).data.map(({ id }) => id);
  expect(await madeBy(member.id)).toEqual([kept.id]);
  expect(await madeBy(firstMemberId(account_id))).toEqual([other.id]);
  expect(await madeBy('mem_nobody')).toEqual([]);
  await service.members.remove(member.id, {}, { account_id });
  expect((await service.keys.get(kept.id, { account_id })).status).toBe('active');
  await expect(service.members.update(member.id, { role: 'viewer' }, { account_id })).rejects.toMatchObject({
    code: 'conflict',
  });
  await service.members.remove(member.id, { revoke_keys: true }, { account_id });
  expect((await service.keys.get(kept.id, { account_id })).status).toBe('revoked');
  expect((await service.keys.get(other.id, { account_id })).status).toBe('active');
  const link = await service.members.link(member.id, { account_id });
  await service.acceptLink({ token: link.token, password: PASSWORD });
  expect((await service.account({ account_id })).usage.members).toBe(2);
});

test('the password and logout of a member are its own', async () => {
  const { service } = openService();
  const { id: account_id } = await service.accounts.create(CRED);
  const ann = (await service.login(CRED)).access_token;
  const { token } = await join(service, account_id, { role: 'viewer', email: BEN });
  await service.logout(token, { everywhere: true });
  await expect(service.authenticateSession(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  const ben = (await service.login({ email: BEN, password: PASSWORD })).access_token;
  const change = { current_password: PASSWORD, new_password: 'another-password-of-ben' };
  await service.changePassword(change, await service.authenticateSession(ben));
  await expect(service.authenticateSession(ben)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await service.authenticateSession(ann)).toMatchObject({ role: 'owner' });
  await service.accounts.setPassword({ email: BEN, password: PASSWORD });
  expect((await service.login({ email: BEN, password: PASSWORD })).token_type).toBe('bearer');
  expect(await service.authenticateSession(ann)).toMatchObject({ role: 'owner' });
});

test('the events of members name no address and no link, and a key sees none of them', async () => {
  const { service, storage, secrets } = openService();
  const { id: account_id } = await service.accounts.create(CRED);
  const { member, link } = await service.members.invite({ role: 'viewer', email: BEN }, { account_id });
  secrets.add(link.token);
  await service.acceptLink({ token: link.token, password: PASSWORD });
  const events = await storage.list('events', { where: { account_id }, limit: 100 });
  const types = events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['member.invited', 'member.joined', 'member.signed_in']));
  const text = JSON.stringify(events);
  for (const hidden of [link.token, BEN, ANN]) expect(text).not.toContain(hidden);
  expect(text).toContain(member.id);
});

test.each(['a\0b', 'ann\u202enimda', '\u2067ann\u2069', 'ann\u200f', 'a\nb'])(
  'a member cannot have the name %j, which people would read as another one',
  async (name) => {
    const { service } = openService();
    const { id: account_id } = await service.accounts.create(CRED);
    const refused = {
      code: 'invalid_request',
      details: { errors: [{ path: '/name', code: 'malformed' }] },
    };
    const invite = service.members.invite({ role: 'viewer', email: BEN, name }, { account_id });
    await expect(invite).rejects.toMatchObject(refused);
    const { member } = await service.members.invite({ role: 'viewer', name: 'שרה' }, { account_id });
    const update = service.members.update(member.id, { name }, { account_id });
    await expect(update).rejects.toMatchObject(refused);
  },
);

test('compares an account as its first owner', () => {
  expect(isSamePerson('acc_a', 'mem_a')).toBe(true);
  expect(isSamePerson('acc_a', 'mem_b')).toBe(false);
  expect(isSamePerson('operator', 'operator')).toBe(true);
});
