/** Lists, cursors, CSV and analytics of a shared journal are those of plain lists, whatever happens to it. */
import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { nightly, sized } from '../support/runs.ts';
import { sharedStores } from '../support/stores.ts';
import { replay } from './histories/replay.ts';
import { histories, SERVICES } from './histories/steps.ts';
import '../support/seed.ts';

/** How many histories: by night, in CI and at the desk. */
const RUNS: Readonly<Record<string, readonly [nightly: number, inCi: number, atDesk: number]>> = {
  memory: [10_000, 300, 10],
  SQLite: [2_000, 60, 3],
  PostgreSQL: [200, 20, 1],
  Redis: [200, 20, 1],
};
/** A new store after this number of histories: opening one takes longer than to live through one. */
const A_STORE = 20;

describe.each(await sharedStores())('on $name', ({ name, open }) => {
  const [byNight, inCi, atDesk] = RUNS[name] ?? [1, 1, 1];

  test('several services answer as plain lists do', { timeout: 3_600_000 }, async () => {
    let shared = await open(SERVICES);
    let lived = 0;
    const end = async (): Promise<void> => {
      for (const storage of shared.storages) await storage.close();
      await shared.end();
    };
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        lived += 1;
        if (lived % A_STORE === 0) {
          await end();
          shared = await open(SERVICES);
        }
        await replay(shared.storages, steps);
      }),
      { numRuns: nightly(byNight, sized(inCi, atDesk)) },
    );
    await end();
  });
});
