import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { listen } from '../support/servers.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';
import { fragile } from './lost-answers.ts';

async function openAdmin() {
  const stage = await openVerdictStage();
  const api = fragile(stage.opened.service);
  const baseUrl = `${await listen(api.listener)}/api`;
  return {
    ...api,
    admin: createAdminClient({ baseUrl, accessToken: stage.token }),
  };
}

test('a remote change that would let more happen is refused with the comparison', async () => {
  const { admin } = await openAdmin();
  const wider = admin.passports.update(AGENT, { allowed_actions: ['*'] }, { ifNarrower: true });
  await expect(wider).rejects.toMatchObject({
    code: 'would_widen',
    details: { change: { wider: [{ code: 'action_not_allowed' }] } },
  });
  const narrower = await admin.passports.update(AGENT, { allowed_actions: [] }, { ifNarrower: true });
  expect(narrower.allowed_actions).toEqual([]);
});

test('a condition that is not true is refused, and changes nothing', async () => {
  const { admin } = await openAdmin();
  const odd = admin.passports.update(AGENT, { allowed_actions: [] }, { ifNarrower: false as never });
  await expect(odd).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await admin.passports.get(AGENT)).version).toBe(1);
});
