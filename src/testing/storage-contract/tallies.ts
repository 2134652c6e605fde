import type { RollupKind } from '../../ports/stored.ts';
import type { Claim } from './case.ts';
import { instant, NOW } from './fixtures.ts';
import { batch, delta, entry, tallies } from './journal-fixtures.ts';

const KINDS: readonly RollupKind[] = ['verdict', 'agent', 'action', 'reason', 'latency', 'dropped'];

/** Rollups are summed up by exactly what was asked. */
export const journalTallies: readonly Claim[] = [
  ['a tally of nothing is empty', async (storage) => tallies(storage, { kinds: KINDS }, [])],
  [
    'verdicts alone count nothing',
    async (storage) => {
      await storage.append(batch('b', { entries: [entry('id')] }));
      await tallies(storage, { kinds: KINDS }, []);
    },
  ],
  [
    'deltas of the same coordinates add up, within a batch and over batches',
    async (storage) => {
      const rollups = [delta('ALLOW', 1), delta('DENY', 10), delta('ALLOW', 2)];
      await storage.append(batch('b1', { rollups }));
      await storage.append(batch('b2', { rollups }));
      await tallies(storage, {}, [
        { key: 'ALLOW', count: 6 },
        { key: 'DENY', count: 20 },
      ]);
    },
  ],
  [
    'rollups of different starts are summed up, or kept apart by start',
    async (storage) => {
      const starts = [0, 60, 120].map(instant);
      const rollups = starts.flatMap((start, at) => [
        delta('ALLOW', at + 1, { minute: start }),
        delta('7', 10, { minute: start, kind: 'latency' }),
      ]);
      await storage.append(batch('b', { rollups: [...rollups, delta('DENY', 5, { minute: instant(60) })] }));
      await tallies(storage, { kinds: ['verdict', 'latency'] }, [
        { key: 'ALLOW', count: 6 },
        { key: 'DENY', count: 5 },
        { kind: 'latency', key: '7', count: 30 },
      ]);
      await tallies(storage, { byStart: true }, [
        ...starts.map((start, at) => ({ start, key: 'ALLOW', count: at + 1 })),
        { start: instant(60), key: 'DENY', count: 5 },
      ]);
    },
  ],
  [
    'a start that is from is counted, one that is to is not',
    async (storage) => {
      const rollups = [-60, 0, 60, 120].map((second, at) =>
        delta('ALLOW', 10 ** at, { minute: instant(second) }),
      );
      await storage.append(batch('b', { rollups }));
      await tallies(storage, { from: NOW, to: instant(120) }, [{ key: 'ALLOW', count: 110 }]);
      await tallies(storage, { from: instant(0.001), to: instant(60.001) }, [{ key: 'ALLOW', count: 100 }]);
      await tallies(storage, { from: NOW, to: NOW }, []);
      await tallies(storage, { from: instant(120), to: instant(-60) }, []);
    },
  ],
  [
    'only the kinds that are asked for are counted, each once',
    async (storage) => {
      await storage.append(batch('b', { rollups: KINDS.map((kind, at) => delta('same', at + 1, { kind })) }));
      for (const [at, kind] of KINDS.entries()) {
        await tallies(storage, { kinds: [kind] }, [{ kind, key: 'same', count: at + 1 }]);
      }
      const all = KINDS.map((kind, at) => ({ kind, key: 'same', count: at + 1 }));
      await tallies(storage, { kinds: [...KINDS, ...KINDS] }, all);
      await tallies(storage, { kinds: [] }, []);
    },
  ],
  [
    'a delta counts in its minute, its hour and its day, each by its start in UTC',
    async (storage) => {
      const hour = instant(3_600);
      const day = `${NOW.slice(0, 10)}T00:00:00.000Z`;
      const next = instant(86_400);
      const minutes = [NOW, instant(3_540), instant(3_660), next];
      await storage.append(
        batch('b1', { rollups: minutes.map((minute, at) => delta('ALLOW', 10 ** at, { minute })) }),
      );
      await storage.append(batch('b2', { rollups: [delta('ALLOW', 5, { minute: instant(60) })] }));
      const span = { from: day, to: instant(90_000), byStart: true };
      await tallies(storage, { ...span, resolution: 'minute' }, [
        ...minutes.map((start, at) => ({ start, key: 'ALLOW', count: 10 ** at })),
        { start: instant(60), key: 'ALLOW', count: 5 },
      ]);
      await tallies(storage, { ...span, resolution: 'hour' }, [
        { start: NOW, key: 'ALLOW', count: 16 },
        { start: hour, key: 'ALLOW', count: 100 },
        { start: next, key: 'ALLOW', count: 1_000 },
      ]);
      await tallies(storage, { ...span, resolution: 'day' }, [
        { start: day, key: 'ALLOW', count: 116 },
        { start: `${next.slice(0, 10)}T00:00:00.000Z`, key: 'ALLOW', count: 1_000 },
      ]);
    },
  ],
  [
    'all agents together, each agent, environment and account are counted apart',
    async (storage) => {
      const apart = [
        {},
        { agent_id: 'did:web:a.example:agents:a' },
        { agent_id: 'did:web:a.example:agents:A' },
        { environment: 'test' },
        { account_id: 'acc_b' },
      ] as const;
      await storage.append(
        batch('b', { rollups: apart.map((fields, at) => delta('ALLOW', at + 1, fields)) }),
      );
      for (const [at, fields] of apart.entries()) {
        await tallies(storage, fields, [{ key: 'ALLOW', count: at + 1 }]);
      }
      await tallies(storage, { account_id: 'acc_c' }, []);
      await tallies(storage, { account_id: 'acc_b', environment: 'test' }, []);
      await tallies(storage, { agent_id: 'did:web:a.example:agents:' }, []);
    },
  ],
  [
    'counts reach 2^53 - 1 exactly',
    async (storage) => {
      await storage.append(batch('b1', { rollups: [delta('ALLOW', Number.MAX_SAFE_INTEGER - 1)] }));
      await storage.append(batch('b2', { rollups: [delta('ALLOW', 1)] }));
      await tallies(storage, {}, [{ key: 'ALLOW', count: Number.MAX_SAFE_INTEGER }]);
      await tallies(storage, { byStart: true }, [
        { start: NOW, key: 'ALLOW', count: Number.MAX_SAFE_INTEGER },
      ]);
    },
  ],
];
