import { expect, test } from 'vitest';
import { createEndpointSlots, type EndpointSlots } from '../../../src/webhooks/endpoint-slots.ts';
import { PASSWORD } from '../../support/service.ts';
import { HOST, issue, openWebhooks, type WebhookStage } from './stage.ts';

/** Another account with a webhook, and what makes an event of it. */
async function openOther({ service, secrets }: WebhookStage, path: string) {
  const { id: account_id } = await service.accounts.create({ email: 'bob@example.com', password: PASSWORD });
  const other = { account_id };
  const made = await service.webhooks.create({ url: `https://${HOST}${path}`, types: ['key.*'] }, other);
  secrets.add(made.secret);
  return () => service.keys.create({ name: 'k' }, other);
}

test('ten webhooks of one account whose receiver does not answer keep no event of another account away', async () => {
  const stage = await openWebhooks();
  const { received, create } = stage;
  stage.answer = ({ url }, response) => void (url === '/dead' || response.writeHead(204).end());
  const act = await openOther(stage, '/alive');
  for (let count = 0; count < 10; count += 1) await create(['passport.*'], '/dead');
  const events = 12;
  for (let count = 0; count < events; count += 1) await issue(stage, `a${count}`);
  const dead = () => received.filter(({ url }) => url === '/dead').length;
  await expect.poll(dead).toBeGreaterThanOrEqual(16);
  for (let count = 0; count < 3; count += 1) await act();
  // No time passes: none of those that hang has ended.
  const alive = () => received.filter(({ url }) => url === '/alive').length;
  await expect.poll(alive).toBe(3);
  expect(dead()).toBe(16);
});

test('a test takes a slot of its endpoint, and is rate_limited where all are taken', async () => {
  const stage = await openWebhooks();
  const { service, actor, create, arrived, timers, received } = stage;
  stage.answer = () => {};
  const { id } = await create(['key.*']);
  const tests = Array.from({ length: 8 }, () => service.webhooks.test(id, actor));
  await arrived(8);
  const refused = { code: 'rate_limited', details: { retryAfterSeconds: 15 } };
  await expect(service.webhooks.test(id, actor)).rejects.toMatchObject(refused);
  await timers.pass(15_000);
  const ended = await Promise.all(tests);
  expect(ended.map(({ delivery }) => delivery.status)).toEqual(Array(8).fill('failed'));
  // One that failed has one request at a time.
  const again = service.webhooks.test(id, actor);
  await arrived(9);
  await expect(service.webhooks.test(id, actor)).rejects.toMatchObject(refused);
  expect(received).toHaveLength(9);
  await timers.pass(15_000);
  expect((await again).delivery.status).toBe('failed');
});

const at = (account_id: string, webhook: number) => ({ account_id, webhook_id: `${account_id}.${webhook}` });

/** Takes all slots that the ten webhooks of an account can have; their number. */
function takeAll(slots: EndpointSlots, account_id: string): number {
  let taken = 0;
  for (let tried = 0; tried < 1_000; tried += 1) if (slots.enter(at(account_id, tried % 10), 0)) taken += 1;
  return taken;
}

test('twelve accounts that take all that they may leave a slot to another one', () => {
  const slots = createEndpointSlots();
  const taken = Array.from({ length: 12 }, (_, index) => takeAll(slots, `acc_${index}`));
  expect(taken[0]).toBe(16);
  expect(taken).toEqual([...taken].sort((a, b) => b - a));
  expect(Math.min(...taken)).toBeGreaterThanOrEqual(1);
  expect(slots.free).toBeGreaterThanOrEqual(1);
  expect(slots.enter(at('acc_new', 0), 0)).toBe(true);
});

test('an endpoint that takes longer than 5 s has one request at a time until it is faster', () => {
  const slots = createEndpointSlots();
  const endpoint = at('acc_a', 0);
  const count = (now: number) => {
    let entered = 0;
    while (slots.enter(endpoint, now)) entered += 1;
    return entered;
  };
  const leave = (number: number, tookMs: number) => {
    for (let left = 0; left < number; left += 1) slots.leave(endpoint, { isSuccess: true, tookMs });
  };
  expect(count(0)).toBe(8);
  leave(1, 100);
  // The others have been under way for too long.
  expect(slots.enter(endpoint, 5_001)).toBe(false);
  leave(7, 14_000);
  expect(count(14_000)).toBe(1);
  // Those that wait stand in a line, one every 14 s.
  expect([slots.waitMs(endpoint, 14_000), slots.waitMs(endpoint, 14_000)]).toEqual([14_000, 28_000]);
  leave(1, 100);
  expect(count(14_000)).toBe(8);
});

test('an account that has all that it may have lines its events up out of the way of others', () => {
  const slots = createEndpointSlots();
  for (const webhook of [0, 1])
    for (let count = 0; count < 8; count += 1) slots.enter(at('acc_a', webhook), 0);
  expect(slots.waitMs(at('acc_a', 2), 0)).toBeGreaterThan(0);
  expect(slots.waitMs(at('acc_b', 0), 0)).toBe(0);
});
