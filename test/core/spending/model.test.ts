/** Random histories of spends against a plain list of them, while the clock, the budgets and the passport change. */
import fc from 'fast-check';
import { test } from 'vitest';
import { nightly, sized } from '../../support/runs.ts';
import { namedStores, openOne } from '../../support/stores.ts';
import { histories, starts } from './histories.ts';
import { History, openForHistories } from './history.ts';

/** The full size takes some minutes. */
const RUNS = nightly(100_000, sized(500, 60));
/** How many histories share a service. */
const AT_ONCE = 200;

test(
  'every history spends, holds, lapses and gives back as a plain list does',
  async () => {
    let opened = openForHistories();
    let played = 0;
    await fc.assert(
      fc.asyncProperty(starts, histories, async (start, steps) => {
        if (played > 0 && played % AT_ONCE === 0) {
          await opened.service.close();
          opened = openForHistories();
        }
        const history = await History.begin(opened, start, `shopper-${played++}`);
        for (const step of steps) await history.play(step);
        await history.compare();
      }),
      { numRuns: RUNS },
    );
    await opened.service.close();
  },
  nightly(3_600_000, 120_000),
);

test.each((await namedStores()).slice(1))(
  '%s counts a few histories as a plain list does',
  async (_, store) => {
    const opened = openForHistories(await openOne(store));
    let played = 0;
    await fc.assert(
      fc.asyncProperty(starts, histories, async (start, steps) => {
        const history = await History.begin(opened, start, `shopper-${played++}`);
        for (const step of steps) await history.play(step);
        await history.compare();
      }),
      { numRuns: sized(200, 12), endOnFailure: true },
    );
    await opened.service.close();
  },
  60_000,
);
