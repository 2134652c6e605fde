import { assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';
import { fixtures, holds, insert, instant, lacks, NOW, purgeAll, written } from './fixtures.ts';
import { addsRollups, block, delta, filesMerged, lists, NOW_MS, writerId } from './journal/fixtures.ts';
import { sumsUp } from './journal/sums-fixtures.ts';

export const retention: readonly Claim[] = [
  [
    'purge removes the rollups from before the instant, of every kind, and says how many',
    async (storage) => {
      // Two minutes before and two after, each pair with an hour of its own, and the day of them all.
      const rollups = [-120, -60, 0, 60].map((second) => delta('ALLOW', 1, { minute: instant(second) }));
      const others = [
        delta('ALLOW', 1, { minute: instant(-60), account_id: 'acc_b' }),
        delta('x', 1, { minute: instant(0), kind: 'agent', environment: 'test', agent_id: 'a' }),
      ];
      const old = block(1, { to_ms: NOW_MS - 60_000 });
      await filesMerged(storage, old, NOW);
      await addsRollups(storage, writerId('one'), rollups);
      await addsRollups(storage, writerId('two'), others);
      assertEqual(
        await storage.purge('rollups', NOW),
        3 + 2 + 3,
        'the number of minutes, hours and days removed',
      );
      await sumsUp(storage, { from: instant(-999) }, [{ key: 'ALLOW', count: 2 }]);
      await sumsUp(storage, { from: instant(-86_400), resolution: 'day' }, []);
      await sumsUp(storage, { environment: 'test', agent_id: 'a', kinds: ['agent'], resolution: 'hour' }, [
        { kind: 'agent', key: 'x', count: 1 },
      ]);
      assertEqual(await storage.purge('rollups', NOW), 0, 'the number removed by the next');
      await lists(storage, {}, [old]);
      await addsRollups(storage, writerId('three'), rollups);
      await sumsUp(storage, { from: instant(-999) }, [{ key: 'ALLOW', count: 6 }]);
    },
  ],
  [
    'purge removes at most 1,000 rollups at a time',
    async (storage) => {
      // Three rollups each.
      const rollups = Array.from({ length: 335 }, (_, at) => delta(`n${at}`, 1, { agent_id: `a${at % 3}` }));
      await addsRollups(storage, writerId('one'), rollups);
      assertEqual(await purgeAll(storage, 'rollups', instant(1)), 1_005, 'the number of them all');
    },
  ],
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
  [
    'purge removes the entries of logs that ended before the instant',
    async (storage) => {
      const entry = (id: string, seconds: number) =>
        fixtures.log_entries(id, { expires_at: instant(seconds) });
      await written(
        storage,
        ...[entry('before', -0.001), entry('at', 0)].map((it) => insert('log_entries', it)),
      );
      assertEqual(await storage.purge('log_entries', NOW), 1, 'the number removed');
      await lacks(storage, 'log_entries', 'before');
      await holds(storage, 'log_entries', entry('at', 0));
    },
  ],
  [
    'purge removes the links of members that ended before the instant, and no login',
    async (storage) => {
      const link = (id: string, seconds: number) =>
        fixtures.logins(id, { kind: 'link', password_hash: null, expires_at: instant(seconds) });
      const kept = [fixtures.logins('login'), link('at', 0)];
      await written(storage, ...[...kept, link('before', -0.001)].map((it) => insert('logins', it)));
      assertEqual(await storage.purge('sessions', NOW), 0, 'the number of sessions');
      assertEqual(await storage.purge('logins', NOW), 1, 'the number removed');
      await lacks(storage, 'logins', 'before');
      for (const it of kept) await holds(storage, 'logins', it);
    },
  ],
  [
    'purge removes the events that ended before the instant',
    async (storage) => {
      const record = (id: string, seconds: number) => fixtures.events(id, { expires_at: instant(seconds) });
      await written(
        storage,
        ...[record('before', -0.001), record('at', 0)].map((it) => insert('events', it)),
      );
      assertEqual(await storage.purge('sessions', NOW), 0, 'the number of sessions');
      assertEqual(await storage.purge('events', NOW), 1, 'the number removed');
      await lacks(storage, 'events', 'before');
      await holds(storage, 'events', record('at', 0));
    },
  ],
];
