/** Changes of a passport that lets no person widen it alone: hidden, repeated, of another version, by an agent. */
import { describe, expect, test } from 'vitest';
import type { PassportPatch } from '../../../src/records.ts';
import { ED25519_KEYS, P256_KEYS } from '../../support/agent-keys.ts';
import { stores } from '../../support/stores.ts';
import { barred, openTeam, type Team } from './team-stage.ts';

const CHANGES = { above: 100, seconds: 600, changes: true };
const WIDER: PassportPatch = { monetary_limit_per_txn: 20_000 };

/** The approval that a refused change names. */
async function refused(change: Promise<unknown>): Promise<string> {
  const error = await change.then(
    () => expect.fail('The change was applied.'),
    (thrown: unknown) => thrown as { readonly details: { readonly approval_id: string } },
  );
  expect(error).toMatchObject({
    code: 'second_person_required',
    details: { approval_id: expect.any(String) },
  });
  return error.details.approval_id;
}

async function openChanges(openStore = stores[0]?.[1], approval: object = CHANGES) {
  const proofAudiences = ['https://id.example.com'];
  const team = await openTeam(approval, openStore, { proofAudiences });
  const eve = await team.person('eve', 'admin');
  const { service, agent_id } = team;
  const update = (patch: object, by: Team['ann'], approvalId?: string) =>
    service.passports.update(agent_id, patch as PassportPatch, {
      ...by,
      ...(approvalId !== undefined && { approvalId }),
    });
  const passport = () => service.passports.get(agent_id, team.ann);
  return { ...team, eve, update, passport };
}

describe.each(stores)('a passport with approval.changes in %s', (_, openStore) => {
  test('is widened by two people: one asks, another approves, and only then it is applied', async () => {
    const { service, agent_id, update, passport, approve, told, clock, ann, ben, dan, eve } =
      await openChanges(openStore);
    const id = await refused(update(WIDER, dan));
    expect(await service.approvals.get(id, ann)).toMatchObject({
      ...{ kind: 'change', status: 'pending', agent_id, environment: 'live', needed: 1, by: 'anyone' },
      ...{ requested_by: dan.member_id, expires_at: clock.instant(600_000), decisions: [] },
      change: { patch: WIDER, version: 1, result: 'wider', example: { code: 'amount_over_limit' } },
    });
    expect(await service.approvals.get(id, ann)).not.toHaveProperty('intent');
    expect(told.map((one) => one.id)).toEqual([id]);
    expect(await refused(update(WIDER, eve))).toBe(id);
    expect(await refused(update(WIDER, dan, id))).toBe(id);
    await expect(approve(id, dan)).rejects.toMatchObject(barred('requested'));
    expect((await approve(id, ben)).status).toBe('approved');
    expect(await refused(update(WIDER, dan))).toBe(id);
    expect((await passport()).version).toBe(1);
    clock.advance(1_000);
    expect(await update(WIDER, eve, id)).toMatchObject({ ...WIDER, version: 2 });
    expect(await service.approvals.get(id, ann)).toMatchObject({ status: 'used', decision_id: null });
    await expect(update({ monetary_limit_per_txn: 30_000 }, dan, id)).rejects.toMatchObject({
      code: 'not_found',
    });
    const { data } = await service.passports.versions(agent_id, {}, ann);
    expect(data[0]).toMatchObject({ version: 2, changed_by: eve.member_id });
  });

  test('is not widened twice by one approval, also at the same moment', async () => {
    const { update, approve, passport, ben, dan, eve } = await openChanges(openStore);
    const id = await refused(update(WIDER, dan));
    await approve(id, ben);
    const all = await Promise.allSettled([
      update(WIDER, dan, id),
      update(WIDER, eve, id),
      update(WIDER, dan, id),
    ]);
    expect((await passport()).version).toBe(2);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
  });
});

test('the person who asked and the one who applies do not approve, nor those who may not any more', async () => {
  const { service, update, approve, passport, ann, ben, cleo, dan, eve } = await openChanges();
  const id = await refused(update(WIDER, dan));
  await approve(id, eve);
  expect(await refused(update(WIDER, eve, id))).toBe(id);
  await service.members.update(eve.member_id, { role: 'viewer' }, ann);
  expect(await refused(update(WIDER, dan, id))).toBe(id);
  await approve(id, cleo);
  await service.members.remove(cleo.member_id, {}, ann);
  expect(await refused(update(WIDER, dan, id))).toBe(id);
  expect((await passport()).version).toBe(1);
  await approve(id, ben);
  expect((await update(WIDER, dan, id)).version).toBe(2);
});

test('count and by of the passport bind its changes: two people, of whom none has widened it', async () => {
  const { service, update, approve, ann, ben, cleo, dan } = await openChanges(undefined, {
    ...CHANGES,
    count: 2,
    by: 'another',
  });
  const id = await refused(update(WIDER, dan));
  expect(await service.approvals.get(id, ann)).toMatchObject({ needed: 2, by: 'another' });
  await expect(approve(id, ann)).rejects.toMatchObject(barred('widened'));
  await approve(id, ben);
  expect(await refused(update(WIDER, dan, id))).toBe(id);
  await approve(id, cleo);
  expect((await update(WIDER, dan, id)).version).toBe(2);
});

test('an author without a name approves no change', async () => {
  const { service, update, ann, dan } = await openChanges();
  const id = await refused(update(WIDER, dan));
  const nameless = service.approvals.approve(id, {}, { account_id: ann.account_id });
  await expect(nameless).rejects.toMatchObject({ code: 'second_person_required', details: {} });
  await refused(update(WIDER, dan, id));
});

test('the person who asked for a change is its widener, and not the one who applied it', async () => {
  const { service, update, approve, request, keyOf, ann, ben, dan, eve } = await openChanges(undefined, {
    ...CHANGES,
    by: 'another',
  });
  const asker = eve;
  const id = await refused(update(WIDER, asker));
  await approve(id, ben);
  await update(WIDER, dan, id);
  const intent = await request(await keyOf(dan));
  await expect(approve(intent, asker)).rejects.toMatchObject(barred('widened'));
  expect((await service.approvals.approve(intent, {}, ann)).status).toBe('approved');
});

const [KEY] = ED25519_KEYS;
const HIDDEN: readonly (readonly [string, object])[] = [
  [
    'a wider limit hidden behind fewer actions',
    { allowed_actions: ['payments.create'], monetary_limit_per_txn: 20_000 },
  ],
  ['approval.changes alone', { approval: { changes: null } }],
  ['approval.changes set to false', { approval: { changes: false } }],
  ['approval.changes with a stricter rest', { approval: { changes: null, above: 1, count: 3 } }],
  ['the whole approval', { approval: null }],
  ['a later end of an approval', { approval: { seconds: 601 } }],
  ['an added key', { public_keys: [KEY] }],
];

test.each(HIDDEN)('no person alone takes %s', async (_, patch) => {
  const { update, passport, dan } = await openChanges();
  await refused(update(patch, dan));
  expect((await passport()).version).toBe(1);
});

test('what narrows needs no second person, and a passport that allows nothing is not weakened on the way', async () => {
  const { service, agent_id, update, ann, dan } = await openChanges(undefined, {
    ...CHANGES,
    ...{ count: 2, by: 'another' },
  });
  const operator = { account_id: ann.account_id, operator: true };
  const proved = { public_keys: [KEY], proof: 'identity' } as PassportPatch;
  await service.passports.update(agent_id, proved, operator);
  const narrower = { monetary_limit_per_txn: 500, approval: { count: 3 }, proof: 'intent' };
  expect((await update(narrower, dan)).version).toBe(3);
  expect((await update({ description: 'a till' }, dan)).version).toBe(4);
  expect((await update({ allowed_actions: [] }, dan)).version).toBe(5);
  for (const approval of [{ changes: null }, { count: 2 }, { by: null }])
    await refused(update({ approval }, dan));
  await refused(update({ public_keys: [KEY, P256_KEYS[0]] }, dan));
  await refused(update({ proof: 'identity' }, dan));
  await refused(update({ allowed_actions: ['*'] }, dan));
  expect((await service.passports.get(agent_id, dan)).version).toBe(5);
  await service.suspend({ agent_id }, dan);
  await service.revoke({ agent_id }, dan);
});

test('an approval of another version, patch, agent, account or kind is not taken', async () => {
  const { service, agent_id, update, approve, request, keyOf, ann, ben, dan } = await openChanges();
  const id = await refused(update(WIDER, dan));
  await approve(id, ben);
  const notFound = { code: 'not_found' };
  await expect(update({ monetary_limit_per_txn: 20_001 }, dan, id)).rejects.toMatchObject(notFound);
  await expect(update(WIDER, dan, 'apr_unknown')).rejects.toMatchObject(notFound);
  const other = await service.passports.create(
    { ...(await copyOf(service, agent_id, ann)), agent_name: 'other' },
    ann,
  );
  const ofOther = { ...dan, approvalId: id };
  await expect(service.passports.update(other.agent_id, WIDER, ofOther)).rejects.toMatchObject(notFound);
  const intent = await request(await keyOf(dan));
  await approve(intent, ben);
  await expect(update(WIDER, dan, intent)).rejects.toMatchObject(notFound);
  await update({ description: 'narrower' }, dan);
  await expect(update(WIDER, dan, id)).rejects.toMatchObject({ code: 'conflict' });
  const next = await refused(update(WIDER, dan));
  expect(next).not.toBe(id);
  await service.approvals.reject(next, {}, ben);
  await expect(update(WIDER, dan, next)).rejects.toMatchObject({ code: 'conflict' });
  expect(await refused(update(WIDER, dan))).toBe(next);
});

async function copyOf(service: Team['service'], agent_id: string, actor: Team['ann']) {
  const {
    domain,
    agent_name,
    allowed_actions,
    monetary_actions,
    monetary_limit_per_txn,
    currency,
    approval,
  } = await service.passports.get(agent_id, actor);
  const fields = { domain, agent_name, allowed_actions, monetary_limit_per_txn };
  return {
    ...fields,
    ...(monetary_actions && { monetary_actions }),
    ...(currency && { currency }),
    ...(approval && { approval }),
  };
}

test('a change ends with its approval, and may be asked for again', async () => {
  const { update, approve, clock, ben, dan } = await openChanges();
  const id = await refused(update(WIDER, dan));
  await approve(id, ben);
  clock.advance(600_000);
  await expect(update(WIDER, dan, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await refused(update(WIDER, dan))).not.toBe(id);
});

test('a change that does not widen uses no approval, whatever it names', async () => {
  const { service, update, approve, ann, ben, dan } = await openChanges();
  const id = await refused(update(WIDER, dan));
  await approve(id, ben);
  expect((await update({ monetary_limit_per_txn: 5 }, dan, id)).version).toBe(2);
  expect((await service.approvals.get(id, ann)).status).toBe('approved');
});

test('evaluates the conditions of a change first', async () => {
  const { service, agent_id, ann, dan } = await openChanges();
  const wide = (options: object) => service.passports.update(agent_id, WIDER, { ...dan, ...options });
  await expect(wide({ ifVersion: [7] })).rejects.toMatchObject({ code: 'version_mismatch' });
  await expect(wide({ ifNarrower: true })).rejects.toMatchObject({ code: 'would_widen' });
  await expect(wide({ approvalId: 7 })).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await service.approvals.list({}, ann)).data).toEqual([]);
});

test('no intent of an agent makes, names or uses the approval of a change', async () => {
  const { service, agent_id, update, approve, keyOf, ann, ben, dan } = await openChanges();
  const key = await keyOf(dan);
  const id = await refused(update(WIDER, dan));
  await approve(id, ben);
  const change = { kind: 'change', agent_id, patch: WIDER, version: 1 };
  for (const parameters of [{}, change, WIDER] as const) {
    const intent = { agent_id, action: 'passport:update', parameters, approval_id: id };
    const { verdict, reasons } = await service.verifyAs(key, intent as never);
    expect([verdict, reasons[0]?.code]).toEqual(['DENY', 'action_not_allowed']);
  }
  const allowed = { agent_id, action: 'quotes.read', parameters: change, approval_id: id };
  const { reasons } = await service.verifyAs(key, allowed);
  expect(reasons.map(({ code }) => code)).toEqual(['approval_mismatch']);
  expect((await service.approvals.get(id, ann)).status).toBe('approved');
});

test('a key reads no change of a passport', async () => {
  const { service, update, ann, dan } = await openChanges();
  const id = await refused(update(WIDER, dan));
  const { account_id } = ann;
  const key = {
    account_id,
    key_id: 'key_a',
    scopes: ['verify'],
    environment: 'live',
    agent_ids: null,
  } as const;
  await expect(service.approvals.get(id, key)).rejects.toMatchObject({ code: 'not_found' });
});

test('the operator of the storage needs no second person', async () => {
  const { service, agent_id, ann, ben } = await openChanges(undefined, { ...CHANGES, by: 'another' });
  const operator = { account_id: ann.account_id, operator: true };
  expect((await service.passports.update(agent_id, { approval: null }, operator)).version).toBe(2);
  expect((await service.passports.versions(agent_id, {}, ben)).data[0]).toMatchObject({
    changed_by: 'operator',
  });
});

test('at most 100 changes wait', async () => {
  const { update, clock, dan } = await openChanges();
  for (let limit = 10_001; limit <= 10_100; limit += 1)
    await refused(update({ monetary_limit_per_txn: limit }, dan));
  await expect(update(WIDER, dan)).rejects.toMatchObject({
    code: 'second_person_required',
    details: { approval_id: null, expires_at: null, too_many: true },
  });
  clock.advance(600_000);
  await refused(update(WIDER, dan));
});
