import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { eventId } from '../../../src/base/bytes/event-position.ts';
import { systemAfter } from '../../../src/core/shared/timers.ts';
import type { EventStream } from '../../../src/core.ts';
import { eventBody } from '../../../src/http/exchange.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { IdentityEvent } from '../../../src/records/event.ts';
import { openService, PASSWORD } from '../../support/service.ts';

const DAY_MS = 86_400_000;
const AGENT = 'did:web:example.com:agents:shopper';
const CHANGES = { types: ['passport.updated'] } as const;

async function stage() {
  const opened = openService();
  const { service, clock } = opened;
  const { id: account_id } = await service.accounts.create({
    email: 'owner@example.com',
    password: PASSWORD,
  });
  const actor = { account_id };
  await service.passports.create(
    { domain: 'example.com', agent_name: 'shopper', allowed_actions: [], monetary_limit_per_txn: 1 },
    actor,
  );
  /** Changes the passport some seconds later; its new version. */
  async function change(ms = 20_000): Promise<number> {
    clock.advance(ms);
    const { version } = await service.passports.update(AGENT, { description: clock.instant() }, actor);
    return version;
  }
  return { ...opened, actor, change };
}

/** The first events of a stream, which is closed then. */
async function take(stream: EventStream, count: number): Promise<readonly IdentityEvent[]> {
  const found: IdentityEvent[] = [];
  for await (const event of stream) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
}

const versionsIn = (events: readonly IdentityEvent[]) =>
  events.map(({ type, data }) => (type === 'events.gap' ? type : (data as { version: number }).version));

test('behind an id that was never issued comes a gap, and then everything that is kept', async () => {
  const { service, actor, change, clock } = await stage();
  for (let count = 0; count < 3; count += 1) await change();
  const invented = eventId({ ms: clock.now() - 30_000, source: 'c', name: 'x'.repeat(16) });
  const events = await take(await service.events.open({ ...CHANGES, after: invented }, actor), 4);
  expect(versionsIn(events)).toEqual(['events.gap', 2, 3, 4]);
  expect(events[0]?.data).toEqual({ since: clock.instant(-7 * DAY_MS) });
});

test('behind an id that is older than what is kept, too, and the stream goes on behind the gap', async () => {
  const { service, actor, change, clock, storage } = await stage();
  const opened = await service.events.open(CHANGES, actor);
  await change();
  const [first] = await take(opened, 1);
  await change(8 * DAY_MS);
  await storage.purge('events', clock.instant());
  const after = first?.id ?? '';
  const [gap, next] = await take(await service.events.open({ ...CHANGES, after }, actor), 2);
  expect([gap?.type, next?.data]).toEqual(['events.gap', expect.objectContaining({ version: 3 })]);
  await change();
  const again = await service.events.open({ ...CHANGES, after: gap?.id ?? '' }, actor);
  expect(versionsIn(await take(again, 2)).filter((version) => version !== 'events.gap')).toContain(3);
});

test.each(['its expiry', 'the end of its grace'])('the stream of a key ends with %s', async (end) => {
  const { service, actor, clock, timers } = await stage();
  const isExpiring = end === 'its expiry';
  const expires_at = clock.instant(30_000);
  const { id, key } = await service.keys.create(
    { name: 'a', scopes: ['events'], ...(isExpiring && { expires_at }) },
    actor,
  );
  if (!isExpiring) await service.keys.rotate(id, { grace_seconds: 30 }, actor);
  const caller = await service.serving.authenticateKey(key);
  const stream = await service.events.open({}, caller);
  await timers.pass(28_000);
  expect(stream.closed.aborted).toBe(false);
  await timers.pass(4_000);
  expect(stream.closed.aborted).toBe(true);
});

test('what is repeated from before the beginning has no id in its frame, so that no subscriber goes back by it', async () => {
  const { service, actor, change } = await stage();
  const opened = await service.events.open(CHANGES, actor);
  for (let count = 0; count < 3; count += 1) await change(1_000);
  const events = await take(opened, 3);
  const after = events[1]?.id ?? '';
  const body = eventBody(await service.events.open({ ...CHANGES, after }, actor))[Symbol.asyncIterator]();
  expect((await body.next()).value).toBe(`retry: 2000\nid: ${after}\n\n`);
  const text: string = (await body.next()).value ?? '';
  const frames = text.split('\n\n').slice(0, -1);
  expect(frames.map((frame) => frame.split('\n')[0])).toEqual([
    'event: passport.updated',
    `id: ${events[2]?.id}`,
  ]);
  await body.return?.();
});

test('a stream that has nothing to say says so every 15 seconds', async () => {
  const { service, actor, timers } = await stage();
  const stream = await service.events.open(CHANGES, actor);
  const body = eventBody(stream)[Symbol.asyncIterator]();
  expect((await body.next()).value).toBe(`retry: 2000\nid: ${stream.begin}\n\n`);
  for (let round = 0; round < 3; round += 1) {
    let isSettled = false;
    const next = body.next().finally(() => {
      isSettled = true;
    });
    // The wait begins some steps after the call.
    await new Promise((resolve) => setImmediate(resolve));
    await timers.pass(14_000);
    expect(isSettled).toBe(false);
    await timers.pass(1_000);
    expect((await next).value).toBe(': still here\n\n');
  }
  await body.return?.();
  expect(stream.closed.aborted).toBe(true);
});

test('a resumed stream reads what is stored once, and then waits, also where a read takes some milliseconds', async () => {
  const storage = memoryStorage();
  let reads = 0;
  const slow: StorageAdapter = {
    ...storage,
    async list(...asked) {
      reads += 1;
      await pause(3);
      return storage.list(...asked);
    },
  };
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const { service } = openService({ storage: slow, clock, after: systemAfter });
  const { id: account_id } = await service.accounts.create({
    email: 'owner@example.com',
    password: PASSWORD,
  });
  const actor = { account_id };
  const passport = { domain: 'example.com', agent_name: 'shopper', allowed_actions: [] };
  await service.passports.create({ ...passport, monetary_limit_per_txn: 1 }, actor);
  const { begin } = await service.events.open({}, actor);
  await service.passports.update(AGENT, { description: 'a' }, actor);
  const stream = await service.events.open({ ...CHANGES, after: begin }, actor);
  expect(versionsIn((await stream.read(5_000)) ?? [])).toEqual([2]);
  expect(await stream.read(200)).toEqual([]);
  const before = reads;
  expect(await stream.read(500)).toEqual([]);
  // The feed looks once a second.
  expect(reads - before).toBeLessThanOrEqual(3);
});
