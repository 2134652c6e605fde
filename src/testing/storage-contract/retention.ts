import type { Purgeable } from '../../ports/storage.ts';
import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { fixtures, holds, insert, instant, lacks, NOW, purgeAll, written } from './fixtures.ts';
import { batch, delta, entry, reads, tallies } from './journal-fixtures.ts';

const starts = [-120, -60, -0.001, 0, 60] as const;

/** What is kept for a time goes when it is over, and nothing else with it. */
export const retention: readonly Claim[] = [
  [
    'purge removes the verdicts from before the instant, of every account, and says how many',
    async (storage) => {
      const entries = starts.map((second) => entry(`e${second}`, { created_at: instant(second) }));
      const other = entry('other', { account_id: 'acc_b', created_at: instant(-1) });
      await storage.append(batch('b', { entries: [...entries, other], rollups: [delta('ALLOW', 6)] }));
      assertEqual(await storage.purge('verdicts', NOW), 4, 'the number removed');
      await reads(storage, {}, [...entries.slice(3)].reverse());
      await reads(storage, { account_id: 'acc_b' }, []);
      assertEqual(await storage.purge('verdicts', NOW), 0, 'the number removed by the next');
      await tallies(storage, {}, [{ key: 'ALLOW', count: 6 }]);
      await storage.append(batch('b2', { entries: [other] }));
      await reads(storage, { account_id: 'acc_b' }, [other]);
    },
  ],
  [
    'purge removes the rollups from before the instant, of every kind, and says how many',
    async (storage) => {
      // Two minutes before and two after, each pair with an hour of its own, and the day of them all.
      const rollups = [-120, -60, 0, 60].map((second) => delta('ALLOW', 1, { minute: instant(second) }));
      const others = [
        delta('ALLOW', 1, { minute: instant(-60), account_id: 'acc_b' }),
        delta('x', 1, { minute: instant(0), kind: 'agent', environment: 'test', agent_id: 'a' }),
      ];
      await storage.append(batch('b', { entries: [entry('old', { created_at: instant(-60) })], rollups }));
      await storage.append(batch('b2', { rollups: others }));
      assertEqual(
        await storage.purge('rollups', NOW),
        3 + 2 + 3,
        'the number of minutes, hours and days removed',
      );
      await tallies(storage, { from: instant(-999) }, [{ key: 'ALLOW', count: 2 }]);
      await tallies(storage, { from: instant(-86_400), resolution: 'day' }, []);
      await tallies(storage, { environment: 'test', agent_id: 'a', kinds: ['agent'], resolution: 'hour' }, [
        { kind: 'agent', key: 'x', count: 1 },
      ]);
      assertEqual(await storage.purge('rollups', NOW), 0, 'the number removed by the next');
      await reads(storage, {}, [entry('old', { created_at: instant(-60) })]);
      await storage.append(batch('b3', { rollups }));
      await tallies(storage, { from: instant(-999) }, [{ key: 'ALLOW', count: 6 }]);
    },
  ],
  ...(['verdicts', 'rollups'] as const satisfies readonly Purgeable[]).map(
    (what): Claim => [
      `purge removes at most 1,000 ${what} at a time`,
      async (storage) => {
        const names = Array.from({ length: 1_005 }, (_, at) => `n${at}`);
        const entries = names.map((name, at) => entry(name, { account_id: `acc_${at % 3}` }));
        // Three rollups each.
        const rollups = names.slice(0, 335).map((name, at) => delta(name, 1, { agent_id: `a${at % 3}` }));
        await storage.append(batch('b', { entries, rollups }));
        assertEqual(await purgeAll(storage, what, instant(1)), 1_005, 'the number of them all');
      },
    ],
  ),
  [
    'purge removes the idempotency records that ended before the instant',
    async (storage) => {
      const record = (id: string, seconds: number) =>
        fixtures.idempotency(id, { expires_at: instant(seconds) });
      await written(
        storage,
        ...[record('before', -0.001), record('at', 0)].map((it) => insert('idempotency', it)),
      );
      assertEqual(await storage.purge('sessions', NOW), 0, 'the number of sessions');
      assertEqual(await storage.purge('idempotency', NOW), 1, 'the number removed');
      await lacks(storage, 'idempotency', 'before');
      await holds(storage, 'idempotency', record('at', 0));
    },
  ],
];
