/** The instant that a denial of a pace names, on every storage. */
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { manualClock } from '../../support/service.ts';
import { namedStores, openOne } from '../../support/stores.ts';

const PACES = [
  { name: 'five', actions: ['five'], max: 5, seconds: 7 },
  { name: 'two', actions: ['two'], max: 2, seconds: 604_800 },
  { name: 'one', actions: ['one'], max: 1, seconds: 3 },
] as const;

test.each(await namedStores())(
  '%s denies a millisecond before the instant, and allows at it',
  async (_, store) => {
    const storage = await openOne(store);
    const clock = manualClock(Date.parse('2026-11-20T12:00:00.123Z'));
    const service = createIdentityService({
      // The clock of the store is the clock of the test.
      storage: { ...storage, time: async (at) => ({ at, isMark: false }) },
      clock,
      storageDeadlineMs: PATIENT_MS,
      after: () => () => {},
      log: () => {},
    });
    onTestFinished(() => service.close());
    const { agent_id } = await service.passports.create({
      domain: 'mail.example',
      agent_name: 'mailer',
      allowed_actions: ['*'],
      monetary_limit_per_txn: 0,
      pace: PACES,
    });
    for (const { name, max } of PACES) {
      const ask = (more: object = {}) => service.verify({ agent_id, action: name, ...more });
      for (let round = 0; round < 3; round += 1) {
        // Each part of the time has some of them.
        let allowed = 0;
        for (; (await ask()).verdict === 'ALLOW'; allowed += 1) clock.advance(457);
        expect(allowed).toBeGreaterThan(0);
        expect(allowed).toBeLessThanOrEqual(max);
        const [reason] = (await ask()).reasons;
        expect(reason).toMatchObject({ code: 'pace_exceeded', pace: name });
        const until = Date.parse(`${reason?.['until']}`);
        clock.advance(until - 1 - clock.now());
        expect((await ask()).reasons).toEqual([reason]);
        clock.advance(1);
        expect((await ask({ dry_run: true })).verdict).toBe('ALLOW');
      }
    }
  },
  60_000,
);
