/** Approvals that need other people: who counts when a person decides, and again when the approval is used. */
import { describe, expect, test } from 'vitest';
import { stores } from '../../support/stores.ts';
import { barred, openTeam, pending } from './team-stage.ts';

const TWO = { above: 100, seconds: 600, count: 2 };
const ANOTHER = { above: 100, seconds: 600, by: 'another' } as const;
const ALLOW = { verdict: 'ALLOW', reasons: [] };

describe.each(stores)('an approval of people in %s', (_, openStore) => {
  test('by two needs any two, and shows who has decided', async () => {
    const team = await openTeam(TWO, openStore);
    const { service, intentOf, ask, request, approve, keyOf, ann, ben, cleo, clock } = team;
    const key = await keyOf(ann);
    const id = await request(key);
    expect(await ask(key, id)).toMatchObject(pending(0, 2));
    const first = await service.approvals.approve(id, { note: 'seen' }, ben);
    const one = { by: ben.member_id, at: clock.instant(), note: 'seen' };
    expect(first).toMatchObject({ status: 'pending', needed: 2, by: 'anyone', decisions: [one] });
    expect(first).toMatchObject({
      decided_by: null,
      decided_at: null,
      note: null,
      requested_by: ann.member_id,
    });
    expect(await ask(key, id)).toMatchObject(pending(1, 2));
    clock.advance(1_000);
    const second = await approve(id, ann);
    expect(second).toMatchObject({
      status: 'approved',
      decided_by: ann.member_id,
      decided_at: clock.instant(),
    });
    expect(second.decisions).toEqual([one, { by: ann.member_id, at: clock.instant(), note: null }]);
    const third = await approve(id, cleo);
    expect(third).toEqual({
      ...second,
      decisions: [...second.decisions, expect.objectContaining({ by: cleo.member_id })],
    });
    expect(await service.verify({ ...intentOf(), dry_run: true, approval_id: id })).toMatchObject(ALLOW);
    expect(await ask(key, id)).toMatchObject(ALLOW);
    expect((await service.approvals.get(id, ann)).status).toBe('used');
  });

  test('by the same person twice has one approval, also at the same moment', async () => {
    const { ask, request, approve, keyOf, ann, ben } = await openTeam(TWO, openStore);
    const key = await keyOf(ann);
    const id = await request(key);
    const all = await Promise.all([approve(id, ben), approve(id, ben), approve(id, ben)]);
    for (const one of all) expect([one.status, one.decisions.length]).toEqual(['pending', 1]);
    expect(await approve(id, ben)).toEqual(all[0]);
    expect(await ask(key, id)).toMatchObject(pending(1, 2));
  });

  test('that is used keeps its decisions: who repeats one gets them, a further person a conflict', async () => {
    const { service, ask, request, approve, keyOf, ann, ben, cleo } = await openTeam(TWO, openStore);
    const key = await keyOf(ann);
    const id = await request(key);
    await approve(id, ben);
    await approve(id, ann);
    expect(await ask(key, id)).toMatchObject(ALLOW);
    const used = await service.approvals.get(id, ann);
    expect(used).toMatchObject({ status: 'used', decisions: [{ by: ben.member_id }, { by: ann.member_id }] });
    for (const who of [ben, ann]) expect(await approve(id, who)).toEqual(used);
    for (const decide of [approve(id, cleo), service.approvals.reject(id, {}, ben)])
      await expect(decide).rejects.toMatchObject({ code: 'conflict' });
    expect(await service.approvals.get(id, ann)).toEqual(used);
  });

  test('by two at the same moment has two', async () => {
    const { service, request, approve, keyOf, ann, ben, cleo } = await openTeam(TWO, openStore);
    const key = await keyOf(ann);
    for (let amount = 200; amount < 210; amount += 1) {
      const id = await request(key, amount);
      const both = await Promise.all([approve(id, ben), approve(id, cleo)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['approved', 'pending']);
      expect((await service.approvals.get(id, ann)).decisions).toHaveLength(2);
    }
  });

  test('by another bars the maker of the key and the person who widened the passport', async () => {
    const { service, agent_id, ask, request, approve, keyOf, person, ann, ben, cleo } = await openTeam(
      ANOTHER,
      openStore,
    );
    const key = await keyOf(ben);
    const id = await request(key);
    await expect(approve(id, ann)).rejects.toMatchObject(barred('widened'));
    await expect(approve(id, ben)).rejects.toMatchObject(barred('requested'));
    expect(await service.approvals.get(id, ann)).toMatchObject({ status: 'pending', decisions: [] });
    const eve = await person('eve', 'admin');
    await service.passports.update(agent_id, { monetary_limit_per_txn: 20_000 }, eve);
    await expect(approve(id, eve)).rejects.toMatchObject(barred('widened'));
    expect((await approve(id, ann)).status).toBe('approved');
    expect(await ask(key, id)).toMatchObject(ALLOW);
    const next = await request(key);
    await service.passports.update(agent_id, { monetary_limit_per_txn: 900 }, cleo);
    expect((await approve(next, cleo)).status).toBe('approved');
    expect((await service.approvals.reject(await request(key, 300), {}, ben)).status).toBe('rejected');
  });

  test('does not have the one of a person who widens the passport afterwards, or asks with an own key', async () => {
    const { service, agent_id, ask, request, approve, keyOf, ann, ben, cleo, dan } = await openTeam(
      ANOTHER,
      openStore,
    );
    const [key, own] = [await keyOf(dan), await keyOf(cleo)];
    const id = await request(key);
    await approve(id, cleo);
    expect(await ask(own, id)).toMatchObject(pending(0, 1));
    await service.passports.update(agent_id, { allowed_actions: ['*'] }, cleo);
    expect(await ask(key, id)).toMatchObject(pending(0, 1));
    expect((await service.approvals.get(id, ann)).status).toBe('approved');
    await approve(id, ben);
    expect(await ask(own, id)).toMatchObject(ALLOW);
  });

  test('does not have the one of a person who is removed, or may not decide any more', async () => {
    const { service, ask, request, approve, keyOf, ann, ben, cleo, dan } = await openTeam(TWO, openStore);
    const key = await keyOf(dan);
    const id = await request(key);
    await approve(id, ben);
    await approve(id, cleo);
    await service.members.update(ben.member_id, { role: 'editor' }, ann);
    expect(await ask(key, id)).toMatchObject(pending(1, 2));
    await service.members.update(ben.member_id, { role: 'admin' }, ann);
    await service.members.remove(cleo.member_id, {}, ann);
    expect(await ask(key, id)).toMatchObject(pending(1, 2));
    await approve(id, ann);
    expect(await ask(key, id)).toMatchObject(ALLOW);
  });
});

test('a plain approval has one person, as before, who is read again when it is used', async () => {
  const { service, ask, request, approve, keyOf, ann, ben, cleo } = await openTeam({ above: 100 });
  const key = await keyOf(ann);
  const id = await request(key);
  const { reasons } = await ask(key, id);
  expect(reasons).toEqual([{ code: 'approval_pending', message: 'The approval is not decided yet.' }]);
  expect((await approve(id, ann)).status).toBe('approved');
  await service.members.update(ben.member_id, { role: 'owner' }, ann);
  await service.members.update(ann.member_id, { role: 'viewer' }, ben);
  expect(await ask(key, id)).toMatchObject(pending(0, 1));
  await approve(id, cleo);
  expect(await ask(key, id)).toMatchObject(ALLOW);
});

test('the stricter one of the rule that was stored and the present one counts', async () => {
  const { service, agent_id, ask, request, approve, keyOf, ann, ben, cleo, dan } = await openTeam({
    above: 100,
  });
  const key = await keyOf(dan);
  const id = await request(key);
  await approve(id, ann);
  await service.passports.update(agent_id, { approval: { count: 2 } }, dan);
  expect(await ask(key, id)).toMatchObject(pending(1, 2));
  const two = await request(key, 300);
  await approve(two, ben);
  await service.passports.update(agent_id, { approval: { count: 1 } }, dan);
  expect(await ask(key, two, 300)).toMatchObject(pending(1, 2));
  await approve(two, cleo);
  expect(await ask(key, two, 300)).toMatchObject(ALLOW);
  await service.passports.update(agent_id, { approval: { by: 'another' } }, dan);
  await expect(approve(await request(key, 400), dan)).rejects.toMatchObject(barred('requested'));
  expect(await ask(key, id)).toMatchObject(ALLOW);
});

test('another is demanded while the stored rule or the present one demands it, of deciders and of users', async () => {
  const { service, agent_id, ask, request, approve, keyOf, ann, ben, dan } = await openTeam(ANOTHER);
  const [ofBen, ofDan] = [await keyOf(ben), await keyOf(dan)];
  const stored = await request(ofBen);
  await service.passports.update(agent_id, { approval: { by: 'anyone' } }, dan);
  await expect(approve(stored, ben)).rejects.toMatchObject(barred('requested'));
  await approve(stored, ann);
  expect(await ask(ofDan, stored)).toMatchObject(ALLOW);
  const plain = await request(ofBen, 300);
  await approve(plain, ben);
  const late = await request(ofBen, 400);
  await service.passports.update(agent_id, { approval: { by: 'another' } }, dan);
  expect(await ask(ofDan, plain, 300)).toMatchObject(pending(0, 1));
  await expect(approve(late, ben)).rejects.toMatchObject(barred('requested'));
});

test('bars the person whom the application names, and nobody if it names none', async () => {
  const { service, intentOf, approve, agent_id, ann, ben, cleo } = await openTeam(ANOTHER);
  const requested_by = ben.member_id;
  expect((await service.verify(intentOf(), { ...ann, requested_by })).verdict).toBe('DENY');
  const { data } = await service.approvals.list({ agent_id }, ann);
  const [{ id } = { id: '' }] = data;
  expect(data[0]).toMatchObject({ requested_by });
  await expect(approve(id, ben)).rejects.toMatchObject(barred('requested'));
  await approve(id, cleo);
  const use = (caller: object) => service.verify({ ...intentOf(), approval_id: id, dry_run: true }, caller);
  expect(await use({ requested_by: cleo.member_id })).toMatchObject(pending(0, 1));
  expect(await use({})).toMatchObject(ALLOW);
  await service.verify(intentOf(300));
  const [unnamed] = (await service.approvals.list({ agent_id }, ann)).data;
  expect(unnamed).toMatchObject({ requested_by: null });
  expect((await approve(unnamed?.id ?? '', ben)).status).toBe('approved');
  await expect(service.verify(intentOf(), { requested_by: 7 as never })).rejects.toMatchObject({
    details: { errors: [{ path: '/requested_by' }] },
  });
});

test('an author without a name counts where any one person is enough, and only there', async () => {
  const { service, request, keyOf, ask, agent_id, ann, ben, cleo, dan } = await openTeam({ above: 100 });
  const { account_id } = ann;
  const key = await keyOf(dan);
  const id = await request(key);
  expect((await service.approvals.approve(id, {}, { account_id })).decided_by).toBe(account_id);
  expect(await ask(key, id)).toMatchObject(ALLOW);
  await service.passports.update(agent_id, { approval: { count: 2 } }, dan);
  const two = await request(key);
  await expect(service.approvals.approve(two, {}, { account_id })).rejects.toMatchObject({
    code: 'second_person_required',
    details: {},
  });
  await service.approvals.approve(two, {}, ben);
  await service.approvals.approve(two, {}, { account_id, operator: true });
  expect((await service.approvals.get(two, cleo)).decisions.map(({ by }) => by)).toEqual([
    ben.member_id,
    'operator',
  ]);
  expect(await ask(key, two)).toMatchObject(ALLOW);
});

test('counts each passport of a chain with its own approvers', async () => {
  const { service, agent_id, keyOf, approve, ann, ben, dan } = await openTeam(ANOTHER);
  const child = await service.passports.create(
    {
      ...{ domain: 'shop.example', agent_name: 'child', parent_agent_id: agent_id, currency: 'EUR' },
      ...{ allowed_actions: ['payments.*'], monetary_actions: ['payments.*'], monetary_limit_per_txn: 500 },
      approval: { above: 50, count: 2 },
    },
    ben,
  );
  const key = await keyOf(dan);
  const intent = { agent_id: child.agent_id, action: 'payments.create' };
  const ask = (amount: number, approval_id?: string) =>
    service.verifyAs(key, {
      ...{ ...intent, parameters: { amount, currency: 'EUR' } },
      ...(approval_id !== undefined && { approval_id }),
    });
  const idOf = async (amount: number) => String((await ask(amount)).reasons[0]?.['approval_id']);
  const small = await idOf(60);
  expect(await service.approvals.get(small, ann)).toMatchObject({ needed: 2, by: 'anyone' });
  await approve(small, ann);
  await approve(small, ben);
  expect((await ask(60, small)).verdict).toBe('ALLOW');
  const large = await idOf(200);
  // ann and ben made the passports, so that cleo alone may approve.
  expect(await service.approvals.get(large, ann)).toMatchObject({
    ...{ needed: 2, by: 'another', missing_approvers: 1 },
  });
  await expect(approve(large, ann)).rejects.toMatchObject(barred('widened'));
  await expect(approve(large, ben)).rejects.toMatchObject(barred('widened'));
});

test('ten people are listed, and an eleventh changes nothing', async () => {
  const { request, approve, keyOf, person, dan } = await openTeam({ above: 100 });
  const id = await request(await keyOf(dan));
  for (let number = 0; number < 10; number += 1) await approve(id, await person(`p${number}`, 'approver'));
  expect((await approve(id, await person('late', 'approver'))).decisions).toHaveLength(10);
});

test.each([
  ['count', 0],
  ['count', 4],
  ['count', 1.5],
  ['count', '2'],
  ['by', 'others'],
  ['changes', 'true'],
])('a passport with approval.%s of %s is refused', async (field, value) => {
  const path = `/approval/${field}`;
  const wrong = openTeam({ above: 100, [field]: value } as never);
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_request', details: { errors: [{ path }] } });
});
