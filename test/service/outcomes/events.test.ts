import { expect, test } from 'vitest';
import type { IdentityEvent } from '../../../src/records/event.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import type { IdentityService } from '../../../src/service.ts';
import { HOUR, MINUTE, openService } from '../../support/service.ts';

const OWNER = { account_id: 'acc_1' };
type Stream = Awaited<ReturnType<IdentityService['events']['open']>>;

/** Reads events until there are as many as wanted. */
async function take(
  stream: Stream,
  count: number,
  pass: () => Promise<void>,
): Promise<readonly IdentityEvent[]> {
  const found: IdentityEvent[] = [];
  for (let tries = 0; found.length < count && tries < 200; tries += 1) {
    let isRead = false;
    const reading = stream.read(100).finally(() => {
      isRead = true;
    });
    while (!isRead) await pass();
    found.push(...((await reading) ?? []));
  }
  return found.filter(({ type }) => type !== 'events.gap');
}

test('a report is an event, live and after a break, also of a verdict of hours ago', async () => {
  const { service, clock, timers } = openService();
  const input = { domain: 'shop.example', agent_name: 'a', allowed_actions: ['orders.read'] };
  const { agent_id } = await service.passports.create({ ...input, monetary_limit_per_txn: 0 }, OWNER);
  const records: VerdictRecord[] = [];
  for (let count = 0; count < 3; count += 1)
    records.push(await service.verify({ agent_id, action: 'orders.read' }, OWNER));
  clock.advance(2 * HOUR);
  const types = ['outcome.*'];
  const pass = () => timers.pass(1_000);
  const stream = await service.events.open({ types }, OWNER);
  const report = async (index: number, outcome: 'failed' | 'succeeded') => {
    const { decision_id = '', evaluated_at = '' } = records[index] ?? {};
    await service.outcomes.report([{ decision_id, evaluated_at, agent_id, outcome }], OWNER);
    // Stores it.
    await service.verifications.list({ limit: 1 }, OWNER);
  };
  await report(0, 'failed');
  const [first] = await take(stream, 1, pass);
  expect(first).toMatchObject({
    type: 'outcome.failed',
    data: { decision_id: records[0]?.decision_id, agent_id, outcome: 'failed', environment: 'live' },
  });
  stream.close();
  clock.advance(MINUTE);
  await report(1, 'succeeded');
  clock.advance(MINUTE);
  const resumed = await service.events.open({ types, after: first?.id ?? '' }, OWNER);
  const missed = await take(resumed, 1, pass);
  expect(missed.map(({ type }) => type)).toEqual(['outcome.succeeded']);
  await report(2, 'failed');
  const [last] = await take(resumed, 1, pass);
  expect(last).toMatchObject({ type: 'outcome.failed', data: { decision_id: records[2]?.decision_id } });
  resumed.close();
});
