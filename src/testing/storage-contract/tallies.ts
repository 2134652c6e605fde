import type { RollupKind } from '../../ports.ts';
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
        delta('ALLOW', at + 1, { start }),
        delta('7', 10, { start, kind: 'latency' }),
      ]);
      await storage.append(batch('b', { rollups: [...rollups, delta('DENY', 5, { start: instant(60) })] }));
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
        delta('ALLOW', 10 ** at, { start: instant(second) }),
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
    'all agents together, each agent, environment, account and resolution are counted apart',
    async (storage) => {
      const apart = [
        {},
        { agent_id: 'did:web:a.example:agents:a' },
        { agent_id: 'did:web:a.example:agents:A' },
        { environment: 'test' },
        { account_id: 'acc_b' },
        { resolution: 'hour' },
        { resolution: 'day' },
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
