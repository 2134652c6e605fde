/** Approvals that nobody in the account can complete say so while they wait. */
import { expect, test } from 'vitest';
import { openTeam } from './team-stage.ts';

test('an approval says while it waits how many approvers the account lacks', async () => {
  const { service, ask, request, approve, keyOf, person, ann, ben, cleo } = await openTeam({
    ...{ above: 100, count: 3, by: 'another' },
  });
  const key = await keyOf(ann);
  const id = await request(key);
  const missing = async () => {
    const { data } = await service.approvals.list({ status: 'pending' }, ann);
    const shown = await service.approvals.get(id, ann);
    expect(data).toEqual([shown]);
    return shown.missing_approvers;
  };
  // ann asked, and dan is an editor: ben and cleo are left.
  expect(await missing()).toBe(1);
  await approve(id, ben);
  expect(await missing()).toBe(1);
  await service.members.update(cleo.member_id, { role: 'viewer' }, ann);
  expect(await missing()).toBe(2);
  const [eve, fay] = [await person('eve', 'admin'), await person('fay', 'approver')];
  expect(await missing()).toBeUndefined();
  await approve(id, eve);
  expect(await approve(id, fay)).toMatchObject({ status: 'approved' });
  expect(await service.approvals.get(id, ann)).not.toHaveProperty('missing_approvers');
  expect((await ask(key, id)).verdict).toBe('ALLOW');
});
