/** One account's flood of verdicts costs no other account a record. */
import { expect, test } from 'vitest';
import { FLOOD, flood, floodOf } from '../support/flood.ts';
import { recordsIn } from '../support/journal.ts';
import { openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

const AGENT = 'did:web:example.com:agents:unknown';
const OPEN = { close: async () => {} };

test('a flood of one account leaves the records of the others, also of those who come last', async () => {
  const storage = probe();
  const { service, logs } = openLocalService({ storage: { ...storage, ...OPEN } });
  const quiet = { account_id: 'acc_quiet' };
  const actionsOf = async () => (await recordsIn(storage, 'acc_quiet')).map(({ action }) => action);
  storage.fail = (call) => (call === 'file' ? Promise.reject(new Error('full')) : undefined);
  await service.verify({ agent_id: AGENT, action: 'first' }, quiet);
  await flood(service, 'acc_loud');
  await service.verify({ agent_id: AGENT, action: 'last' }, quiet);
  storage.fail = undefined;
  const { journal_dropped: none } = await service.analytics({}, quiet);
  expect(none).toBe(0);
  await service.close();
  expect((await actionsOf()).sort()).toEqual(['first', 'last']);
  const kept = (await recordsIn(storage, 'acc_loud')).length;
  expect(kept).toBeLessThan(FLOOD);
  const full = logs.filter(
    ({ event }) => event.startsWith('journal_full') || event.startsWith('journal_dropped'),
  );
  expect(full).toMatchObject([
    { event: 'journal_full' },
    { event: 'journal_dropped', dropped: FLOOD - kept },
  ]);
  const { service: next } = openLocalService({ storage });
  expect((await next.analytics({}, { account_id: 'acc_loud' })).journal_dropped).toBe(FLOOD - kept);
});

test('with strict each caller learns the fate of its own record: stored, or pushed out', async () => {
  const storage = probe();
  const { service } = openLocalService({
    storage: { ...storage, ...OPEN },
    journal: 'strict',
    storageDeadlineMs: 60_000,
  });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { open } = storage.journal;
  storage.journal.open = async (writer, at) => {
    await held;
    return open(writer, at);
  };
  const loud = [...floodOf()].flatMap((intents) =>
    intents.map((intent) => service.verify(intent, { account_id: 'acc_loud' })),
  );
  const settled = Promise.allSettled(loud);
  const quiet = service.verify({ agent_id: AGENT, action: 'quiet' }, { account_id: 'acc_quiet' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  await expect(quiet).resolves.toMatchObject({ verdict: 'DENY' });
  const told = await settled;
  const overloaded = told.filter(({ status }) => status === 'rejected');
  expect(overloaded.length).toBeGreaterThan(0);
  for (const one of overloaded) expect(one).toMatchObject({ reason: { code: 'overloaded' } });
  await service.close();
  const answered = told.flatMap((one) => (one.status === 'fulfilled' ? one.value.decision_id : []));
  const stored = (await recordsIn(storage, 'acc_loud')).map(({ decision_id }) => decision_id);
  // No list of all of them where that fails.
  expect(stored.sort().join() === answered.sort().join()).toBe(true);
  expect(await recordsIn(storage, 'acc_quiet')).toHaveLength(1);
});
