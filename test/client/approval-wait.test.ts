import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import { nodeListener } from '../../src/http/index.ts';
import { issue, makeKey, openApi, signIn } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { openService } from '../support/service.ts';

/** A service over HTTP with a shopper whose payments a person approves; `answer` may stand before it. */
async function openShop() {
  const opened = openService();
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const agent_id = await issue(api, token, {
    ...{ currency: 'EUR', monetary_actions: ['payments.create'], approval: { above: 50 } },
  });
  const { key: apiKey } = await makeKey(api, token);
  const whole = nodeListener(opened.service);
  let instead: RequestListener | undefined;
  const baseUrl = await listen((request, response) => (instead ?? whole)(request, response));
  const client = createIdentityClient({ baseUrl: `${baseUrl}/api`, apiKey });
  const admin = createAdminClient({ baseUrl: `${baseUrl}/api`, accessToken: token });
  const intent = { agent_id, action: 'payments.create', parameters: { amount: 80, currency: 'EUR' } };
  const request = async () => String((await client.verify(intent)).reasons[0]?.['approval_id']);
  const setInstead = (listener: RequestListener | undefined): void => {
    instead = listener;
  };
  return { ...opened, client, admin, intent, request, setInstead };
}

test('a client waits until a person has decided, and goes on with the approval', async () => {
  const { client, admin, intent, request } = await openShop();
  const id = await request();
  const waits = [client.approvals.wait(id), admin.approvals.wait(id)];
  await admin.approvals.approve(id, { note: 'yes' });
  for (const approval of await Promise.all(waits))
    expect(approval).toMatchObject({ id, status: 'approved', note: 'yes' });
  expect((await client.verify({ ...intent, approval_id: id })).verdict).toBe('ALLOW');
});

test('a rejection, the end of an approval and a signal end the wait', async () => {
  const { client, admin, request, clock } = await openShop();
  const rejected = await request();
  const wait = client.approvals.wait(rejected);
  await admin.approvals.reject(rejected);
  expect(await wait).toMatchObject({ status: 'rejected' });
  clock.advance(3_601_000);
  const expired = await request();
  const late = client.approvals.wait(expired);
  clock.advance(3_601_000);
  expect(await late).toMatchObject({ status: 'expired' });
  const controller = new AbortController();
  const { signal } = controller;
  const given = client.approvals.wait(await request(), { signal });
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 50);
  await expect(given).rejects.toBe(reason);
});

test('a service that is away for a while is waited for; one that is away at first is not', async () => {
  const { client, admin, request, setInstead } = await openShop();
  const id = await request();
  const seen = { looks: 0 };
  const wait = client.approvals.wait(id);
  await expect(client.approvals.wait('apr_0')).rejects.toMatchObject({ code: 'not_found' });
  setInstead((incoming) => {
    seen.looks += 1;
    incoming.socket.destroy();
  });
  await expect(client.approvals.wait(id)).rejects.toMatchObject({ code: 'service_unreachable' });
  await expect.poll(() => seen.looks, { timeout: 3_000 }).toBeGreaterThan(3);
  setInstead(undefined);
  await admin.approvals.approve(id);
  expect(await wait).toMatchObject({ status: 'approved' });
});

test('a key that is revoked meanwhile ends the wait', async () => {
  const { client, admin, request } = await openShop();
  const wait = client.approvals.wait(await request());
  const ended = expect(wait).rejects.toMatchObject({ code: 'unauthenticated' });
  for await (const { data } of admin.keys.list()) for (const { id } of data) await admin.keys.revoke(id);
  await ended;
});
