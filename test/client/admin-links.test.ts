import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { listen } from '../support/servers.ts';
import { PASSWORD } from '../support/service.ts';
import { openVerdictStage } from '../support/verdict-stage.ts';
import { fragile } from './lost-answers.ts';

const NEW_PASSWORD = 'Ein-Neues-Kennwort-8';

test('reads and uses a link without a login, and its own session goes on', async () => {
  const { opened, token } = await openVerdictStage();
  const { service } = opened;
  opened.secrets.add(NEW_PASSWORD);
  const { account_id } = await service.authenticateSession(token);
  const { seen, listener } = fragile(service);
  const baseUrl = `${await listen(listener)}/api`;
  const admin = createAdminClient({ baseUrl, email: 'owner@example.com', password: PASSWORD });
  const { link } = await service.members.invite({ role: 'viewer', email: 'ben@example.com' }, { account_id });
  opened.secrets.add(link.token);
  const facts = { role: 'viewer', email: 'ben@example.com', name: null, resets: false };
  expect(await admin.readLink({ token: link.token })).toEqual({ ...facts, expires_at: link.expires_at });
  const session = await admin.acceptLink({ token: link.token, password: NEW_PASSWORD });
  expect(seen).toEqual(['POST /api/auth/link', 'POST /api/auth/accept']);
  expect(await service.authenticateSession(session.access_token)).toMatchObject({ role: 'viewer' });
  expect((await admin.account()).member).toMatchObject({ role: 'owner' });
  for (const call of [
    () => admin.readLink({ token: link.token }),
    () => admin.acceptLink({ token: link.token, password: NEW_PASSWORD }),
    () => service.as({ account_id }).readLink({ token: link.token }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' });
  const aborted = { signal: AbortSignal.abort(new Error('no more')) };
  for (const methods of [admin, service.as({ account_id })])
    await expect(methods.readLink({ token: link.token }, aborted)).rejects.toThrow('no more');
});
