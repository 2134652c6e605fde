import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { readEventId } from '../../../src/base/bytes/event-position.ts';
import { makeKey, openApi, PASSPORT, signIn } from '../../support/api.ts';
import { AGENT, openWebhooks, type Received } from './stage.ts';

const SUBJECT = 'user-4711';

/** Two accounts over HTTP with a webhook each, and an allowed verdict of the first one. */
async function openReports() {
  const stage = await openWebhooks({ registration: 'open' });
  const { service, timers, received, secrets } = stage;
  const api = openApi(stage);
  const { token, account_id } = await signIn(stage, api, 'owner@example.net');
  await api.ask('POST', '/passports', { token, json: PASSPORT });
  const { key, id: key_id } = await makeKey(api, token);
  const otherAccount = await signIn(stage, api, 'other@example.net');
  const hooks = [];
  for (const [one, path] of [
    [account_id, '/in'],
    [otherAccount.account_id, '/other'],
  ] as const) {
    const hook = await service.webhooks.create(
      { url: `https://hooks.example${path}`, types: ['outcome.*'] },
      { account_id: one },
    );
    secrets.add(hook.secret);
    hooks.push(hook);
  }
  const intent = { agent_id: AGENT, action: PASSPORT.allowed_actions[0], subject: SUBJECT };
  const { body } = await api.ask('POST', '/verify', { key, json: intent });
  expect(body).toMatchObject({ verdict: 'ALLOW', subject: SUBJECT });
  const of = {
    ...{ decision_id: String(body['decision_id']), evaluated_at: String(body['evaluated_at']) },
    agent_id: AGENT,
  };
  const report = async (...outcomes: readonly object[]) => {
    const json = { outcomes: outcomes.map((one) => ({ ...of, ...one })) };
    expect((await api.ask('POST', '/verifications/outcomes', { key, json })).status).toBe(200);
  };
  const arrived = (count: number) =>
    expect
      .poll(async () => {
        await timers.pass(1_000);
        return received.length;
      })
      .toBe(count);
  return {
    stage,
    account_id,
    key_id,
    of,
    report,
    arrived,
    secret: hooks[0]?.secret ?? '',
    id: hooks[0]?.id ?? '',
  };
}

function verified(secret: string, { headers, body }: Received): unknown {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return new Webhook(secret).verify(
    body,
    Object.fromEntries(names.map((name) => [name, String(headers[name])])),
  );
}

test('a report arrives once at the webhooks of its account, signed, without the subject and without a secret', async () => {
  const { stage, account_id, key_id, of, report, arrived, secret, id } = await openReports();
  await report({ outcome: 'failed', code: 'timeout' });
  await arrived(1);
  const [got] = stage.received;
  if (got === undefined) expect.fail('Nothing came.');
  const reported_at = String(got.event.data['reported_at']);
  expect(verified(secret, got)).toEqual({
    id: got.headers['webhook-id'],
    type: 'outcome.failed',
    timestamp: reported_at,
    data: { ...of, environment: 'live', outcome: 'failed', code: 'timeout', reported_at, key_id },
  });
  expect(got.url).toBe('/in');
  const sent = `${got.body}${JSON.stringify(got.headers)}`;
  for (const hidden of [SUBJECT, ...stage.secrets]) expect(sent).not.toContain(hidden);
  // The verdict is no event of an outcome, and a repeated report has no event either.
  await report({ outcome: 'failed', code: 'timeout' });
  await stage.timers.pass(5_000);
  expect(stage.received).toHaveLength(1);
  const { data } = await stage.service.webhooks.deliveries(id, {}, { account_id });
  expect(data).toMatchObject([{ event_type: 'outcome.failed', status: 'delivered', attempt: 1 }]);
  // The body is stored with the delivery, because the report has no place of its own.
  await stage.service.webhooks.redeliver(id, data[0]?.id ?? '', { account_id });
  await arrived(2);
  expect(stage.received[1]?.body).toBe(got.body);
});

test('reports of one verdict in one millisecond are events of their own, with the same ids live and stored', async () => {
  const { stage, account_id, report, arrived } = await openReports();
  const live = await stage.service.events.open({ types: ['outcome.*'] }, { account_id });
  const codes = [null, 'timeout', 'refused'];
  await report(
    { outcome: 'unknown' },
    { outcome: 'failed', code: 'timeout' },
    { outcome: 'failed', code: 'refused' },
  );
  await arrived(codes.length);
  const ids = new Set(stage.received.map(({ event }) => event.id));
  expect(new Set(stage.received.map(({ event }) => event.data['code']))).toEqual(new Set(codes));
  expect(ids.size).toBe(codes.length);
  for (const id of ids) expect(readEventId(id)).toMatchObject({ source: 'o' });
  expect(new Set((await live.read(1_000))?.map((event) => event.id))).toEqual(ids);
  live.close();
  const stored = await stage.service.events.open({ types: ['outcome.*'], after: live.begin }, { account_id });
  const found = [];
  while (found.length < codes.length) found.push(...((await stored.read(1_000)) ?? []));
  stored.close();
  expect(new Set(found.map((event) => event.id))).toEqual(ids);
});
