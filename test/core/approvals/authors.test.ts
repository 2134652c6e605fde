/** The authors of decisions: an account, its first owner, and people who leave meanwhile. */
import { expect, onTestFinished, test } from 'vitest';
import { firstMemberId } from '../../../src/core/shared/people.ts';
import { openService, PASSWORD } from '../../support/service.ts';
import { idIn, SHOPPER } from './stage.ts';
import { openTeam, pending } from './team-stage.ts';

const ALLOW = { verdict: 'ALLOW' };

/** An account with own logins, whose owner is Ann, and the key of a program of Ben. */
async function openAccount(approval: object) {
  const { service } = openService();
  onTestFinished(() => service.close());
  const { id: account_id } = await service.accounts.create({ email: 'ann@example.com', password: PASSWORD });
  const account = { account_id };
  const ann = { account_id, member_id: firstMemberId(account_id) };
  const join = async (email: string) => {
    const { member, link } = await service.members.invite({ role: 'admin', email }, ann);
    await service.acceptLink({ token: link.token, password: PASSWORD });
    return { account_id, member_id: member.id };
  };
  const ben = await join('ben@example.com');
  const { agent_id } = await service.passports.create(
    { ...SHOPPER, approval: { above: 100, ...approval } },
    ben,
  );
  const { key } = await service.keys.create({ name: 'till' }, ben);
  const ask = (approval_id?: string) => {
    const parameters = { amount: 250, currency: 'EUR' };
    const named = approval_id === undefined ? {} : { approval_id };
    return service.verifyAs(key, { agent_id, action: 'payments.create', parameters, ...named });
  };
  const request = async () => idIn((await ask()).reasons);
  return { service, account, ann, ben, join, agent_id, ask, request };
}

test('counts an account and its first owner as one person who has decided', async () => {
  const { service, account, ann, request } = await openAccount({});
  const id = await request();
  await service.approvals.approve(id, {}, account);
  const again = await service.approvals.approve(id, {}, ann);
  expect(again.decisions.map(({ by }) => by)).toEqual([account.account_id]);
});

test('counts a decision of the account as a decision of its first owner while the owner may decide', async () => {
  const { service, account, ann, ben, join, agent_id, ask, request } = await openAccount({});
  const id = await request();
  await service.approvals.approve(id, {}, account);
  await service.passports.update(agent_id, { approval: { count: 2 } }, ben);
  expect(await ask(id)).toMatchObject(pending(1, 2));
  const cy = await join('cy@example.com');
  await service.approvals.approve(id, {}, cy);
  await service.members.update(cy.member_id, { role: 'owner' }, ann);
  await service.members.update(ann.member_id, { role: 'viewer' }, cy);
  expect(await ask(id)).toMatchObject(pending(1, 2));
  await service.members.update(ann.member_id, { role: 'approver' }, cy);
  expect(await ask(id)).toMatchObject(ALLOW);
});

test('counts no person for an account of an application if a person must be named', async () => {
  const { service, agent_id, ask, request, keyOf, ann, dan } = await openTeam({ above: 100 });
  const key = await keyOf(dan);
  const id = await request(key);
  await service.approvals.approve(id, {}, { account_id: ann.account_id });
  await service.passports.update(agent_id, { approval: { by: 'another' } }, dan);
  expect(await ask(key, id)).toMatchObject(pending(0, 1));
});

test('who leaves before the last one decides does not count any more, and the first decision stays named', async () => {
  const { service, request, approve, keyOf, ann, ben, cleo, dan } = await openTeam({ above: 100, count: 2 });
  const id = await request(await keyOf(dan));
  await approve(id, ben);
  await service.members.remove(ben.member_id, {}, ann);
  expect(await approve(id, cleo)).toMatchObject({ status: 'pending', decided_by: null });
  const decided = { status: 'approved', decided_by: ann.member_id };
  expect(await approve(id, ann)).toMatchObject(decided);
  const late = await approve(id, dan);
  expect(late).toMatchObject(decided);
  expect(late.decisions).toHaveLength(4);
});
