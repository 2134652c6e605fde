/** What events of approvals take in a storage, and what is told of them. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';
import { stores } from '../../support/stores.ts';
import { openWebhooks } from '../webhooks/stage.ts';
import { idIn, openShop, SHOPPER, type Shop } from './stage.ts';

const DAY = 86_400_000;
/** How many kinds of records a round of retention removes. */
const PURGED = 9;
const LARGE = { amount: 250, currency: 'EUR', note: 'x'.repeat(16_000) };

/** The bytes that are stored of approvals and of what has happened to them. */
async function storedBytes({ storage }: Shop): Promise<number> {
  const where = { account_id: 'acc_local' };
  const approvals = await storage.list('approvals', { where, limit: 100 });
  const events = await storage.list('events', { where, limit: 100 });
  const told = events.filter(({ type }) => String(type).startsWith('approval.'));
  expect([approvals.length, told.length]).toEqual([1, 2]);
  return JSON.stringify([...approvals, ...told]).length;
}

describe.each(stores)('on %s', (_, open) => {
  test('an approval that was asked for and decided keeps its intent once', async () => {
    const shop = await openShop(open);
    await shop.approved({ parameters: LARGE });
    expect(await storedBytes(shop)).toBeLessThan(16_000 + 4_000);
  });
});

test('streams and webhooks are told the whole approval, as it was when it happened', async () => {
  const { service, actor, create, arrived, received, clock } = await openWebhooks();
  await create(['approval.*']);
  const stream = await service.events.open({ types: ['approval.*'] }, actor);
  const { agent_id } = await service.passports.create({ ...SHOPPER, domain: 'example.com' }, actor);
  const intent = { agent_id, action: 'payments.create', parameters: LARGE };
  const id = idIn((await service.verify(intent, actor)).reasons);
  const pending = await service.approvals.get(id, actor);
  clock.advance(1);
  const approved = await service.approvals.approve(id, { note: 'yes' }, actor);
  expect((await service.verify({ ...intent, approval_id: id }, actor)).verdict).toBe('ALLOW');
  expect((await service.approvals.get(id, actor)).status).toBe('used');
  expect(JSON.stringify(await service.audit.list({}, actor))).not.toContain('#/approvals/');
  const url = `https://id.example.net/#/approvals/${id}`;
  const told = [
    { ...pending, changed_by: actor.account_id, url },
    { ...approved, changed_by: actor.account_id },
  ];
  expect(told[0]?.intent?.parameters).toEqual(LARGE);
  const again = await service.events.open({ types: ['approval.*'], after: stream.begin }, actor);
  for (const events of [stream, again]) {
    const found = [];
    while (found.length < 2) found.push(...((await events.read(2_000)) ?? []));
    expect(found.map(({ data }) => JSON.stringify(data))).toEqual(told.map((data) => JSON.stringify(data)));
  }
  await arrived(2);
  expect(received.map(({ event }) => event.data)).toEqual(expect.arrayContaining(told));
});

test('without a public URL a request names no page', async () => {
  const { service } = openService({ identity: {} });
  const actor = { account_id: 'acc_1' };
  const stream = await service.events.open({ types: ['approval.*'] }, actor);
  const { agent_id } = await service.passports.create({ ...SHOPPER, domain: 'example.com' }, actor);
  await service.verify({ agent_id, action: 'payments.create', parameters: LARGE }, actor);
  const [event] = (await stream.read(2_000)) ?? [];
  expect(event?.type).toBe('approval.requested');
  expect(event?.data).not.toHaveProperty('url');
  expect(JSON.stringify(await service.audit.list({}, actor))).not.toContain('#/approvals/');
});

test('an approval is kept as long as its events, however short the retention is', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const storage = probe();
  const options = { retentionDays: 1, clockOk: true };
  const { approved, approvals, service, clock } = await openShop(async () => storage, {}, options);
  /** Removes what is too old, after a day each. */
  const pass = async (days: number): Promise<void> => {
    for (let day = 0; day < days; day += 1) {
      clock.advance(DAY);
      await storage.time(clock.instant());
    }
    const purges = (): number => storage.calls.filter((call) => call === 'purge').length;
    const known = purges();
    vi.advanceTimersByTime(15 * 60_000);
    await eventually(() => expect(purges()).toBeGreaterThanOrEqual(known + PURGED));
  };
  const { begin } = await service.events.open();
  const id = await approved();
  await pass(6);
  const stream = await service.events.open({ types: ['approval.*'], after: begin });
  expect((await stream.read(2_000))?.map(({ type }) => type)).toEqual([
    'approval.requested',
    'approval.decided',
  ]);
  await pass(2);
  await eventually(() => expect(approvals.get(id)).rejects.toMatchObject({ code: 'not_found' }));
});
