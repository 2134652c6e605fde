/** What waits for a merge shortens the time to the next one, which a long merge has made longer. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { namedBlock, packRecords } from '../../../src/blocks/index.ts';
import { secureRandom } from '../../../src/platform/random.ts';
import { createMaintenance } from '../../../src/service/journal/merge/maintenance.ts';
import type { Context } from '../../../src/service/shared/context.ts';
import { recordOf } from '../../blocks/records.ts';

const WRITER = 'w'.repeat(18);
/** A merge that takes as long makes the next one wait for the longest time, and more time makes no difference. */
const LONG_MS = 250;
const USUAL_MS = 10_000;
const SOON_MS = 2_000;

/** A maintenance whose timers are started by hand. */
async function opened() {
  const { journal } = memoryStorage();
  const at = new Date().toISOString();
  await journal.open(WRITER, at);
  const timers: { readonly ms: number; isLive: boolean; readonly run: () => void }[] = [];
  let merges = 0;
  const context = {
    clock: { now: Date.now },
    random: secureRandom,
    log: () => undefined,
    logState: { read: async () => ({ at, from: {} }) },
    after(ms: number, run: () => void) {
      const timer = { ms, run, isLive: true };
      timers.push(timer);
      return () => {
        timer.isLive = false;
      };
    },
    store: {
      journal: {
        ...journal,
        async merge(merge: Parameters<typeof journal.merge>[0]) {
          await pause(LONG_MS);
          merges += 1;
          return journal.merge(merge);
        },
      },
    },
  };
  const maintenance = createMaintenance(context as unknown as Context);
  let seq = 0;
  const file = async () => {
    seq += 1;
    const [packed] = packRecords([{ record: recordOf(seq), bucket: 1 }]);
    if (packed === undefined) throw new Error('There is no block.');
    const block = namedBlock(packed, { account_id: 'a', writer: WRITER, seq });
    await journal.file({ writer: WRITER, seq, at, blocks: [block] });
    maintenance.note([block]);
  };
  const live = () => timers.filter(({ isLive }) => isLive).map(({ ms }) => ms);
  const fire = () => {
    const timer = timers.find(({ isLive }) => isLive);
    if (timer === undefined) throw new Error('No timer runs.');
    timer.isLive = false;
    timer.run();
  };
  return { maintenance, file, live, fire, merges: () => merges };
}

test('a merge that something waits for comes after two seconds, and is asked for once', async () => {
  const { maintenance, file, live, fire, merges } = await opened();
  await file();
  expect(live()).toEqual([SOON_MS]);
  maintenance.hurry();
  expect(live()).toEqual([SOON_MS]);
  fire();
  await vi.waitFor(() => expect(merges()).toBe(1), { timeout: 60_000 });
  await vi.waitFor(() => expect(live().length).toBe(1), { timeout: 60_000 });
  await file();
  expect(live()).toEqual([USUAL_MS]);
  maintenance.hurry();
  const [first] = live();
  maintenance.hurry();
  expect([first, live()]).toEqual([SOON_MS, [SOON_MS]]);
  fire();
  await vi.waitFor(() => expect(merges()).toBe(2), { timeout: 60_000 });
  await maintenance.close();
});
