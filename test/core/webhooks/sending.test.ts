import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { MINUTE, manualClock } from '../../support/service.ts';
import { AGENT, issue, openWebhooks, type Received } from './stage.ts';

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function headersOf({ headers }: Received): Record<string, string> {
  return Object.fromEntries(HEADERS.map((name) => [name, String(headers[name])]));
}

/** Returns whether the library of a third party takes it. */
function isTaken(secret: string, received: Received, changed: Partial<Record<string, string>> = {}): boolean {
  const { body = received.body, ...headers } = changed;
  try {
    new Webhook(secret).verify(body, { ...headersOf(received), ...headers } as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

test('an event arrives once, as the stream tells it, and standardwebhooks verifies it', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, arrived, create, logged } = stage;
  const stream = await service.events.open({ types: ['passport.*'] }, actor);
  const { id, secret } = await create();
  await issue(stage);
  await arrived(1);
  const [got] = received;
  if (got === undefined) expect.fail('Nothing came.');
  const [told] = (await stream.read(1_000)) ?? [];
  expect([got.url, got.event]).toEqual(['/in', JSON.parse(JSON.stringify(told))]);
  expect(got.event).toMatchObject({ type: 'passport.created', data: { agent_id: AGENT } });
  expect(got.headers['webhook-id']).toBe(got.event.id);
  expect(got.headers['content-type']).toBe('application/json');
  expect(isTaken(secret, got)).toBe(true);
  expect(isTaken(secret, got, { body: `${got.body} ` })).toBe(false);
  expect(isTaken(secret, got, { 'webhook-id': `${got.event.id}x` })).toBe(false);
  const other = `${Number(got.headers['webhook-timestamp']) + 1}`;
  expect(isTaken(secret, got, { 'webhook-timestamp': other })).toBe(false);
  expect(isTaken((await create()).secret, got)).toBe(false);
  const delivered = { event_id: got.event.id, status: 'delivered', attempt: 1, http_status: 204 };
  await logged(id, [{ ...delivered, event_type: 'passport.created', next_attempt_at: null }]);
  expect(await service.webhooks.get(id, actor)).toMatchObject({
    failures_in_a_row: 0,
    last_failure_at: null,
  });
});

test('a stamp that is six minutes old is refused by standardwebhooks', async () => {
  const stage = await openWebhooks({}, manualClock(Date.now() - 6 * MINUTE));
  const { secret } = await stage.create();
  await issue(stage);
  await stage.arrived(1);
  const [got] = stage.received;
  expect(got && isTaken(secret, got)).toBe(false);
});

test('for the grace of a rotation both secrets verify, then the new one alone; a second rotation ends the first', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, arrived, create, secrets, clock } = stage;
  const first = await create();
  const rotate = async (grace_seconds: number) => {
    const { secret } = await service.webhooks.rotate(first.id, { grace_seconds }, actor);
    secrets.add(secret);
    return secret;
  };
  const takenBy = async (name: string, ...all: readonly string[]) => {
    const before = received.length;
    await issue(stage, name);
    await arrived(before + 1);
    const got = received.at(-1) as Received;
    return all.map((secret) => isTaken(secret, got));
  };
  const second = await rotate(60);
  expect(await takenBy('a', first.secret, second)).toEqual([true, true]);
  const third = await rotate(120);
  expect(await takenBy('b', first.secret, second, third)).toEqual([false, true, true]);
  clock.advance(120_000);
  expect(await takenBy('c', first.secret, second, third)).toEqual([false, false, true]);
  const fourth = await rotate(0);
  expect(await takenBy('d', third, fourth)).toEqual([false, true]);
});

test('only events of its types come, of its account, and from when it was made or made active on', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, arrived, create, timers, clock } = stage;
  await issue(stage, 'before');
  clock.advance(1);
  const { id } = await create(['passport.revoked', 'passport.created']);
  const { id: account_id } = await service.accounts.create({
    email: 'bob@example.com',
    password: 'b'.repeat(12),
  });
  await service.passports.create(
    { domain: 'bob.example', agent_name: 'x', allowed_actions: [], monetary_limit_per_txn: 0 },
    { account_id },
  );
  await issue(stage, 'one');
  await service.suspend({ agent_id: AGENT.replace('shopper', 'one') }, actor);
  await service.revoke({ agent_id: AGENT.replace('shopper', 'one') }, actor);
  await arrived(2);
  await service.webhooks.update(id, { status: 'disabled' }, actor);
  await timers.pass(5_000);
  await issue(stage, 'meanwhile');
  await timers.pass(5_000);
  await service.webhooks.update(id, { status: 'active' }, actor);
  await issue(stage, 'after');
  await arrived(3);
  const told = received.map(({ event }) => [
    event.type,
    String(event.data['agent_id']).slice(AGENT.length - 7),
  ]);
  expect(told.sort()).toEqual([
    ['passport.created', 'after'],
    ['passport.created', 'one'],
    ['passport.revoked', 'one'],
  ]);
});

test('a test is sent once, also to a webhook that is disabled, and reports the result', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, create, logged, clock } = stage;
  const { id, secret } = await create();
  await service.webhooks.update(id, { status: 'disabled' }, actor);
  const { delivery } = await service.webhooks.test(id, actor);
  expect(delivery).toMatchObject({ event_type: 'webhook.test', status: 'delivered', http_status: 204 });
  expect(received.map(({ event }) => [event.type, event.data])).toEqual([
    ['webhook.test', { webhook_id: id }],
  ]);
  expect(received.map((got) => isTaken(secret, got))).toEqual([true]);
  stage.answer = (_, response) => void response.writeHead(500).end('no detail of this is shown');
  clock.advance(1);
  const failed = await service.webhooks.test(id, actor);
  expect(failed.delivery).toMatchObject({ status: 'failed', http_status: 500, next_attempt_at: null });
  expect(JSON.stringify(failed)).not.toContain('no detail');
  await logged(id, [{ status: 'failed' }, { status: 'delivered' }]);
});

test('an event is sent again on demand, with the same id', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, arrived, create, logged } = stage;
  const { id } = await create();
  await issue(stage);
  await arrived(1);
  await logged(id, [{ status: 'delivered' }]);
  const [{ id: delivery } = { id: '' }] = (await service.webhooks.deliveries(id, {}, actor)).data;
  expect(await service.webhooks.redeliver(id, delivery, actor)).toMatchObject({ status: 'pending' });
  await arrived(2);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await logged(id, [{ status: 'delivered', attempt: 1 }]);
  await expect(service.webhooks.redeliver(id, 'dlv_none', actor)).rejects.toMatchObject({
    code: 'not_found',
  });
  await service.webhooks.update(id, { status: 'disabled' }, actor);
  await expect(service.webhooks.redeliver(id, delivery, actor)).rejects.toMatchObject({ code: 'conflict' });
});

test('of more than ten verdicts in a second the last one says how many were left out', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, arrived, create, timers } = stage;
  const { agent_id } = await issue(stage);
  await create(['verdict.denied']);
  for (let count = 0; count < 25; count += 1)
    await service.verify({ agent_id, action: 'refused.action' }, actor);
  await expect
    .poll(async () => {
      await timers.pass(1_000);
      return received.length;
    })
    .toBe(11);
  await arrived(11);
  const dropped = received.map(({ event }) => event.data['dropped']).filter((count) => count !== undefined);
  expect(dropped).toEqual([14]);
});
