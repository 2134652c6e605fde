/** One account's flood of verdicts costs no other account a record. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalBatch } from '../../src/ports/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { createJournalQueue } from '../../src/service/journal/journal-queue.ts';
import { openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import '../support/seed.ts';

const AGENT = 'did:web:example.com:agents:unknown';
const intents = Array.from({ length: 100 }, () => ({ agent_id: AGENT, action: 'flood' }));

function recordOf(decision_id: string): VerdictRecord {
  return {
    decision_id,
    verdict: 'ALLOW',
    reasons: [],
    agent_id: AGENT,
    action: 'orders.get',
    target: null,
    amount: null,
    currency: null,
    passport_version: 1,
    environment: 'live',
    key_id: null,
    request_id: null,
    dry_run: false,
    evaluated_at: '2026-11-20T12:00:00.000Z',
  };
}

test('a flood of one account leaves the records of the others, also of those who come last', async () => {
  const storage = probe();
  const { service, logs } = openLocalService({ storage });
  const stored: JournalBatch[] = [];
  const append = storage.append;
  storage.append = async (batch) => {
    await append(batch);
    stored.push(batch);
  };
  await service.verify({ agent_id: AGENT, action: 'first' }, { account_id: 'acc_quiet' });
  // Nothing is stored meanwhile: no timer has its turn.
  for (let batch = 0; batch < 120; batch += 1)
    await service.verifyBatch({ intents }, { account_id: 'acc_loud' });
  await service.verify({ agent_id: AGENT, action: 'last' }, { account_id: 'acc_quiet' });
  await service.close();
  const entries = stored.flatMap((batch) => batch.entries);
  const quiet = entries.filter(({ account_id }) => account_id === 'acc_quiet').map(({ action }) => action);
  expect(quiet.sort()).toEqual(['first', 'last']);
  expect(entries).toHaveLength(10_000);
  const dropped = stored.flatMap((batch) => batch.rollups).filter(({ kind }) => kind === 'dropped');
  expect(dropped.map(({ account_id }) => account_id)).toEqual(['acc_loud']);
  expect(dropped.reduce((sum, { count }) => sum + count, 0)).toBe(2_002);
  expect(logs.map(({ event }) => event)).toEqual(['journal_full', 'journal_dropped']);
  expect(logs[1]).toMatchObject({ dropped: 2_002 });
});

test('what has to leave is the latest of the account with most waiting, whatever was pushed and taken', () => {
  const accounts = fc.constantFrom('a', 'b', 'c', 'd');
  const steps = fc.array(
    fc.oneof({ weight: 9, arbitrary: accounts }, { weight: 1, arbitrary: fc.constant(null) }),
    {
      maxLength: 120,
    },
  );
  fc.assert(
    fc.property(steps, (given) => {
      const most = 12;
      const queue = createJournalQueue(5);
      let model: { id: string; account_id: string }[] = [];
      for (const [index, account_id] of given.entries()) {
        if (account_id === null) {
          const { entries } = queue.take();
          expect(entries.map(({ id }) => id)).toEqual(model.slice(0, entries.length).map(({ id }) => id));
          model = model.slice(entries.length);
          continue;
        }
        const id = `dec_${index}`;
        if (queue.length < most) {
          queue.push(recordOf(id), account_id, 1);
          model.push({ id, account_id });
          continue;
        }
        const waiting = (name: string) => model.filter((one) => one.account_id === name).length;
        const displaced = queue.displace(recordOf(id), account_id, 1);
        const largest = Math.max(...['a', 'b', 'c', 'd'].map(waiting));
        if (displaced === undefined) {
          expect(waiting(account_id) + 1).toBeGreaterThanOrEqual(largest);
          continue;
        }
        expect(waiting(displaced.account_id)).toBe(largest);
        expect(largest).toBeGreaterThan(waiting(account_id) + 1);
        const place = model.findLastIndex((one) => one.account_id === displaced.account_id);
        expect(displaced.place).toBe(place);
        model[place] = { id, account_id };
      }
      expect(queue.length).toBe(model.length);
    }),
  );
});

test('with strict each caller is told of the own record: stored, or pushed out', async () => {
  const storage = probe();
  const { service } = openLocalService({ storage, journal: 'strict', storageDeadlineMs: 60_000 });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  storage.fail = (call) => (call === 'append' ? held.then(() => undefined) : undefined);
  const loud = Array.from({ length: 10_200 }, (_, at) =>
    service.verify({ agent_id: AGENT, action: `a${at}` }, { account_id: 'acc_loud' }),
  );
  const settled = Promise.allSettled(loud);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const quiet = service.verify({ agent_id: AGENT, action: 'quiet' }, { account_id: 'acc_quiet' });
  storage.fail = undefined;
  release();
  await expect(quiet).resolves.toMatchObject({ verdict: 'DENY' });
  const told = await settled;
  const overloaded = told.filter(({ status }) => status === 'rejected');
  expect(overloaded.length).toBeGreaterThan(0);
  for (const one of overloaded) expect(one).toMatchObject({ reason: { code: 'overloaded' } });
  await service.close();
  const { entries } = await storage
    .read({ account_id: 'acc_quiet', limit: 10 })
    .catch(() => ({ entries: [] }));
  expect(entries.length).toBeLessThanOrEqual(1);
});
