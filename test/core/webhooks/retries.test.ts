import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../support/service.ts';
import { issue, openWebhooks, type WebhookStage } from './stage.ts';

/** The table of Standard Webhooks, in milliseconds from each attempt to the next. */
const TABLE = [...[5_000, 5 * MINUTE, 30 * MINUTE], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** How long after its last attempt it is tried next; settles after this number of attempts. */
async function nextIn(stage: WebhookStage, id: string, attempt: number): Promise<number | undefined> {
  const { service, actor, timers, received } = stage;
  const read = async () => (await service.webhooks.deliveries(id, {}, actor)).data[0];
  const attempts = async () => {
    if (received.length < attempt) await timers.pass(1_000);
    return (await read())?.attempt;
  };
  await expect.poll(attempts).toBe(attempt);
  expect(received.length).toBe(attempt);
  const { next_attempt_at = null } = (await read()) ?? {};
  return next_attempt_at === null ? undefined : Date.parse(next_attempt_at) - (received.at(-1)?.at ?? 0);
}

test('what fails is tried ten times by the table, each a fifth sooner or later at most, then the webhook is disabled', async () => {
  const stage = await openWebhooks();
  const { service, actor, clock, timers, received, create, trail } = stage;
  stage.answer = (_, response) => void response.writeHead(500).end();
  const { id } = await create();
  await issue(stage);
  const waits: number[] = [];
  for (let attempt = 1; attempt < 10; attempt += 1) {
    const wait = (await nextIn(stage, id, attempt)) ?? Number.NaN;
    waits.push(wait / (TABLE[attempt - 1] ?? 0));
    clock.advance(wait - (clock.now() - (received.at(-1)?.at ?? 0)) - 3_001);
    await timers.pass(3_000);
    expect(received).toHaveLength(attempt);
  }
  expect(await nextIn(stage, id, 10)).toBeUndefined();
  for (const share of waits) {
    expect(share).toBeGreaterThanOrEqual(0.8);
    expect(share).toBeLessThanOrEqual(1.2);
  }
  expect(new Set(waits.map((share) => share.toFixed(3))).size).toBeGreaterThan(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  const webhook = await service.webhooks.get(id, actor);
  expect(webhook).toMatchObject({ status: 'disabled', disabled_reason: 'failures', failures_in_a_row: 10 });
  expect(trail.filter(({ event }) => event === 'webhook.disabled')).toMatchObject([
    { level: 'warn', webhook_id: id, account_id: actor.account_id, reason: 'failures' },
  ]);
});

test('one that works again ends the failures in a row', async () => {
  const stage = await openWebhooks();
  const { service, actor, timers, received, create, arrived, logged } = stage;
  stage.answer = (_, response) => void response.writeHead(received.length === 1 ? 503 : 200).end();
  const { id } = await create();
  await issue(stage);
  await arrived(1);
  await logged(id, [{ status: 'pending', attempt: 1, http_status: 503 }]);
  expect(await service.webhooks.get(id, actor)).toMatchObject({
    failures_in_a_row: 1,
    last_success_at: null,
  });
  await timers.pass(7_000);
  await arrived(2);
  await logged(id, [{ status: 'delivered', attempt: 2, http_status: 200 }]);
  const { failures_in_a_row, last_success_at, last_failure_at } = await service.webhooks.get(id, actor);
  expect([failures_in_a_row, last_success_at, last_failure_at]).toEqual([
    0,
    expect.stringMatching(/:00\.000Z$/),
    expect.any(String),
  ]);
});

test.each([
  [503, '3600', HOUR],
  [429, '3600', HOUR],
  [503, 'a while', 5_000],
  [503, '999999999', 24 * HOUR],
  [500, '3600', 5_000],
])('status %i with Retry-After %s', async (status, retryAfter, expected) => {
  const stage = await openWebhooks();
  stage.answer = (_, response) => void response.writeHead(status, { 'retry-after': retryAfter }).end();
  const { id } = await stage.create();
  await issue(stage);
  const wait = (await nextIn(stage, id, 1)) ?? 0;
  if (expected === 5_000) {
    expect(wait).toBeGreaterThanOrEqual(4_000);
    expect(wait).toBeLessThanOrEqual(6_000);
  } else expect(wait).toBe(expected);
});

test('a Retry-After may be a date', async () => {
  const stage = await openWebhooks();
  const at = Math.floor(stage.clock.now() / 1_000) * 1_000 + 2 * HOUR;
  const date = new Date(at).toUTCString();
  stage.answer = (_, response) => void response.writeHead(503, { 'retry-after': date }).end();
  const { id } = await stage.create();
  await issue(stage);
  expect(await nextIn(stage, id, 1)).toBe(at - stage.clock.now());
});

test('410 disables the webhook at once, and what waits is not sent', async () => {
  const stage = await openWebhooks();
  const { service, actor, clock, timers, received, create, logged } = stage;
  stage.answer = (_, response) => void response.writeHead(received.length === 1 ? 500 : 410).end();
  const { id } = await create();
  await issue(stage, 'one');
  await logged(id, [{ status: 'pending', attempt: 1 }]);
  clock.advance(1);
  await issue(stage, 'two');
  await logged(id, [{ status: 'failed', http_status: 410 }, { status: 'pending' }]);
  expect(await service.webhooks.get(id, actor)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'gone',
  });
  await timers.pass(10_000);
  await logged(id, [{ status: 'failed' }, { status: 'failed', attempt: 1 }]);
  expect(received).toHaveLength(2);
});

test('a redirect is a failure, and is not followed', async () => {
  const stage = await openWebhooks();
  const { web, received, create, logged } = stage;
  stage.answer = (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end();
  const { id } = await create();
  await issue(stage);
  await logged(id, [{ status: 'pending', attempt: 1, http_status: 302 }]);
  expect([received.map(({ url }) => url), web.dialled.length]).toEqual([['/in'], 1]);
});

test('an endpoint that does not answer in 15 s has failed', async () => {
  const stage = await openWebhooks();
  const { timers, arrived, create, logged } = stage;
  stage.answer = () => {};
  const { id } = await create();
  await issue(stage);
  await arrived(1);
  await timers.pass(14_000);
  await logged(id, [{ status: 'pending', attempt: 0, next_attempt_at: null }]);
  await timers.pass(1_000);
  await logged(id, [{ status: 'pending', attempt: 1, http_status: null, duration_ms: 15_000 }]);
});

test('of an answer without an end 64 KiB are read, and its status counts', async () => {
  const stage = await openWebhooks();
  let written = 0;
  stage.answer = (_, response) => {
    const piece = Buffer.alloc(16 * 1_024);
    const more = (): void => {
      if (response.destroyed) return;
      written += piece.length;
      response.write(piece, () => setImmediate(more));
    };
    response.writeHead(200);
    more();
  };
  const { id } = await stage.create();
  await issue(stage);
  await stage.logged(id, [{ status: 'delivered', http_status: 200 }]);
  expect(written).toBeGreaterThan(64 * 1_024);
});

test('an endpoint that never answers keeps no event from another', async () => {
  const stage = await openWebhooks();
  const { received, create, clock } = stage;
  stage.answer = ({ url }, response) => void (url === '/dead' || response.writeHead(204).end());
  await create(['passport.*'], '/dead');
  await create(['passport.*'], '/alive');
  for (let count = 0; count < 70; count += 1) {
    clock.advance(1);
    await issue(stage, `a${count}`);
  }
  const alive = () => received.filter(({ url }) => url === '/alive').length;
  await expect.poll(alive).toBe(70);
  expect(received.filter(({ url }) => url === '/dead').length).toBeLessThanOrEqual(8);
});

test('what waits for an endpoint that was slow for a moment is sent within seconds', async () => {
  const stage = await openWebhooks();
  const { service, actor, create, received, arrived, timers } = stage;
  const held: ServerResponse[] = [];
  stage.answer = (_, response) => void held.push(response);
  const { id } = await create(['passport.created']);
  // More than a page.
  const events = 120;
  for (let made = 0; made < events; made += 1) await issue(stage, `a${made}`);
  await arrived(8);
  await timers.pass(2_000);
  expect(received).toHaveLength(8);
  stage.answer = (_, response) => void response.writeHead(204).end();
  for (const response of held) response.writeHead(204).end();
  const delivered = async () => {
    const first = await service.webhooks.deliveries(id, { limit: 100 }, actor);
    const rest = await service.webhooks.deliveries(id, { cursor: first.next_cursor ?? '' }, actor);
    return [...first.data, ...rest.data].filter(({ status }) => status === 'delivered').length;
  };
  // The others of its first page wait.
  await expect.poll(delivered).toBe(events - 100);
  await timers.pass(3_000);
  await arrived(events);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(events);
});

test('an endpoint that answers slowly but steadily, with more than a page waiting, keeps no event from another', async () => {
  const stage = await openWebhooks();
  const { service, actor, create, received, arrived, timers } = stage;
  const held: ServerResponse[] = [];
  stage.answer = ({ url }, response) =>
    void (url === '/slow' ? held.push(response) : response.writeHead(204).end());
  const { id } = await create(['passport.created'], '/slow');
  for (let made = 0; made < 150; made += 1) await issue(stage, `a${made}`);
  await arrived(8);
  const logged = async () => {
    const first = await service.webhooks.deliveries(id, { limit: 100 }, actor);
    const rest = await service.webhooks.deliveries(
      id,
      { limit: 100, cursor: first.next_cursor ?? '' },
      actor,
    );
    return [...first.data, ...rest.data];
  };
  await expect.poll(async () => (await logged()).length).toBe(150);
  await create(['passport.suspended'], '/quick');
  const { agent_id } = await issue(stage, 'last');
  await service.suspend({ agent_id }, actor);
  const delivered = async () => (await logged()).filter(({ status }) => status === 'delivered').length;
  const quick = () => received.filter(({ url }) => url === '/quick').length;
  // Each is under way for 4 s, and one ends every half a second.
  for (let ended = 1; ended <= 24; ended += 1) {
    await timers.pass(500);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.writeHead(204).end();
    await expect.poll(delivered).toBe(ended);
  }
  await expect.poll(quick).toBe(1);
  expect(await delivered()).toBeLessThan(50);
  stage.answer = (_, response) => void response.writeHead(204).end();
  for (const response of held) response.writeHead(204).end();
});
