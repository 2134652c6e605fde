/** A writer is removed a day after its last flush and merge, but not while a log may lack leaves of its blocks. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOG_STATE } from '../../../src/ports/storage.ts';
import { fixtures, insert, replace } from '../../../src/testing/storage-contract/fixtures.ts';
import { eventually } from '../../support/eventually.ts';
import { HOUR, openLocalService } from '../../support/service.ts';

const EVERY_MS = 15 * 60_000;
const [GONE, LATER] = ['gone', 'later'].map((name) => name.padEnd(18, '0')) as [string, string];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function openWriters() {
  const opened = openLocalService({ clockOk: true });
  const { storage, clock } = opened;
  const { journal } = storage;
  for (const writer of [GONE, LATER]) {
    const at = clock.instant();
    await journal.open(writer, at);
    await journal.file({ writer, seq: 1, at, blocks: [] });
    await journal.merge({ writer, from: 0, to: 1, at, rollups: [] });
    clock.advance(HOUR);
  }
  const known = async () => (await journal.writers()).map(({ id }) => id).sort();
  const purged = () => opened.logs.filter(({ event }) => event === 'retention_removed').length;
  const pass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      clock.advance(HOUR);
      await storage.time(clock.instant());
    }
  };
  /** Asks for rounds until it is so: one that still runs takes the place of the next. */
  const afterRounds = (look: () => unknown) =>
    eventually(() => {
      vi.advanceTimersByTime(EVERY_MS);
      return look();
    });
  return { ...opened, known, pass, purged, afterRounds };
}

test('a writer is removed 25 hours after it was seen', async () => {
  const { known, pass, afterRounds } = await openWriters();
  await pass(24);
  await afterRounds(async () => expect(await known()).toEqual([LATER]));
  await pass(1);
  await afterRounds(async () => expect(await known()).toEqual([]));
});

test('with logs on, a writer stays until its blocks have their leaves, and so do younger ones', async () => {
  const { storage, clock, known, pass, purged, afterRounds } = await openWriters();
  const state = (from: object) => JSON.stringify({ at: clock.instant(-HOUR), from });
  const [off, on] = [state({ [LATER]: 1 }), state({ [LATER]: 1, [GONE]: 1 })];
  await storage.write([insert('shared_texts', fixtures.shared_texts(LOG_STATE, { text: off }))]);
  await storage.write([
    { op: 'add', counter: 'ended', by: 1, at: clock.instant(), expires_at: clock.instant(HOUR) },
  ]);
  await pass(48);
  await afterRounds(() => expect(purged()).toBe(1));
  expect(await known()).toEqual([GONE, LATER]);
  const next = fixtures.shared_texts(LOG_STATE, { text: on, version: 2 });
  await storage.write([replace('shared_texts', next, 1)]);
  await pass(1);
  await afterRounds(async () => expect(await known()).toEqual([]));
});

test('a service that is silent for a day goes on with a new writer, and says nothing', async () => {
  const { service, clock, logs, known } = await openWriters();
  const intent = { agent_id: 'did:web:example.com:agents:nobody', action: 'orders.list' };
  await service.verify(intent);
  await service.verifications.list();
  const [first = ''] = (await known()).filter((id) => id !== GONE && id !== LATER);
  clock.advance(13 * HOUR);
  await service.verify(intent);
  expect((await service.verifications.list()).data).toHaveLength(2);
  expect((await known()).filter((id) => ![GONE, LATER, first].includes(id))).toHaveLength(1);
  expect(logs.filter(({ event }) => event === 'journal_writer_renewed')).toEqual([]);
});
