import { expect, test } from 'vitest';
import type { EventStream } from '../../../src/core.ts';
import { BLOCK_FLAGS } from '../../../src/ports/journal.ts';
import type { IdentityEvent } from '../../../src/records/event.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { HOUR, MINUTE, openService } from '../../support/service.ts';

const OWNER = { account_id: 'acc_1' };
type Stream = EventStream;

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

/** A passport, verdicts of these minutes from now on, and what reports one of them and waits until it is stored. */
async function openReports(minutes: readonly number[]) {
  const opened = openService();
  const { service, clock } = opened;
  const input = { domain: 'shop.example', agent_name: 'a', allowed_actions: ['orders.read'] };
  const { agent_id } = await service.passports.create({ ...input, monetary_limit_per_txn: 0 }, OWNER);
  const records: VerdictRecord[] = [];
  let passed = 0;
  for (const minute of minutes) {
    clock.advance((minute - passed) * MINUTE);
    passed = minute;
    records.push(await service.verify({ agent_id, action: 'orders.read' }, OWNER));
  }
  const report = async (index: number, outcome: 'failed' | 'succeeded') => {
    const { decision_id = '', evaluated_at = '' } = records[index] ?? {};
    await service.outcomes.report([{ decision_id, evaluated_at, agent_id, outcome }], OWNER);
    // Stores it.
    await service.verifications.list({ limit: 1 }, OWNER);
  };
  return { ...opened, agent_id, records, report };
}

test('a report is an event, live and after a break, also of a verdict of hours ago', async () => {
  const { service, clock, timers, agent_id, records, report } = await openReports([0, 0, 0]);
  clock.advance(2 * HOUR);
  const types = ['outcome.*'];
  const pass = () => timers.pass(1_000);
  const stream = await service.events.open({ types }, OWNER);
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

test('reports of verdicts of more and of less than ten minutes ago are all events when their blocks are joined', async () => {
  const old = Array.from({ length: 7 }, () => 1);
  const { service, storage, clock, timers, records, report } = await openReports([...old, 7]);
  // The blocks of the old verdicts are looked at twice a minute, that of the recent one at once.
  clock.advance(6 * MINUTE);
  const stream = await service.events.open({ types: ['outcome.*'] }, OWNER);
  for (const index of records.keys()) await report(index, 'failed');
  await timers.pass(400);
  const blocks = () =>
    storage.journal
      .blocks({ ...OWNER, flags: BLOCK_FLAGS.outcomes, limit: 100 })
      .then(({ length }) => length);
  expect(await blocks()).toBe(records.length);
  for (let tries = 0; (await blocks()) > 1 && tries < 100; tries += 1) await timers.pass(100);
  expect(await blocks()).toBe(1);
  const found = await take(stream, records.length, () => timers.pass(1_000));
  const reported = found.map(({ data }) => ('decision_id' in data ? data.decision_id : undefined));
  expect(new Set(reported)).toEqual(new Set(records.map(({ decision_id }) => decision_id)));
  stream.close();
});
