import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { AGENT, openJudge } from '../support/judge.ts';
import { listen } from '../support/servers.ts';
import { fragile } from './lost-answers.ts';

async function openAdmin() {
  const judge = await openJudge();
  const api = fragile(judge.opened.service);
  const baseUrl = `${await listen(api.listener)}/api`;
  return {
    ...api,
    token: judge.token,
    baseUrl,
    admin: createAdminClient({ baseUrl, accessToken: judge.token }),
  };
}

test('a remote change that would let more happen is refused with the comparison', async () => {
  const { admin, seen } = await openAdmin();
  const wider = admin.passports.update(AGENT, { allowed_actions: ['*'] }, { ifNarrower: true });
  await expect(wider).rejects.toMatchObject({
    code: 'would_widen',
    details: { change: { wider: [{ code: 'action_not_allowed' }] } },
  });
  const narrower = await admin.passports.update(AGENT, { allowed_actions: [] }, { ifNarrower: true });
  expect(narrower.allowed_actions).toEqual([]);
  expect(seen.filter((request) => request.endsWith('/replay'))).toHaveLength(2);
});

test('a service that does not know the condition changes nothing', async () => {
  const { baseUrl, token, admin } = await openAdmin();
  const older = createAdminClient({
    baseUrl,
    accessToken: token,
    fetch: (url, init) => fetch(String(url).replace('/replay', '/unknown'), init),
  });
  const refused = older.passports.update(AGENT, { allowed_actions: [] }, { ifNarrower: true });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_configuration' });
  expect((await admin.passports.get(AGENT)).version).toBe(1);
  const odd = admin.passports.update(AGENT, { allowed_actions: [] }, { ifNarrower: false as never });
  await expect(odd).rejects.toMatchObject({ code: 'invalid_request' });
});
