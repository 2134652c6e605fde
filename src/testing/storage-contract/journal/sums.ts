import type { RollupKind } from '../../../ports/journal.ts';
import { assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { instant, NOW } from '../fixtures.ts';
import {
  addsRollups,
  block,
  bytesOf,
  delta,
  files,
  filesEach,
  flush,
  merge,
  merges,
  opened,
  WRITER,
  writerId,
} from './fixtures.ts';
import { inOrder, isUnmerged, OF_THE_HOUR, sumsOf, sumsUp, whole } from './sums-fixtures.ts';

const KINDS: readonly RollupKind[] = [
  'verdict',
  'agent',
  'action',
  'reason',
  'latency',
  'dropped',
  'outcome',
];
const DAY = `${NOW.slice(0, 10)}T00:00:00.000Z`;
const NEXT_DAY = `${instant(86_400).slice(0, 10)}T00:00:00.000Z`;

const rollups: readonly Claim[] = [
  ['sums of nothing are empty', async (storage) => sumsUp(storage, { kinds: KINDS }, [])],
  [
    'blocks alone are not in the rollups',
    async (storage) => {
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      await sumsUp(storage, { kinds: KINDS }, []);
    },
  ],
  [
    'deltas of the same coordinates add up, within a merge and over merges',
    async (storage) => {
      const given = [delta('ALLOW', 1), delta('DENY', 10), delta('ALLOW', 2)];
      await addsRollups(storage, writerId('one'), given);
      await addsRollups(storage, writerId('two'), given);
      await sumsUp(storage, {}, [
        { key: 'ALLOW', count: 6 },
        { key: 'DENY', count: 20 },
      ]);
    },
  ],
  [
    'rollups of different starts are summed up, or kept apart by start',
    async (storage) => {
      const starts = [0, 60, 120].map(instant);
      const given = starts.flatMap((start, at) => [
        delta('ALLOW', at + 1, { minute: start }),
        delta('7', 10, { minute: start, kind: 'latency' }),
      ]);
      await addsRollups(storage, WRITER, [...given, delta('DENY', 5, { minute: instant(60) })]);
      await sumsUp(storage, { kinds: ['verdict', 'latency'] }, [
        { key: 'ALLOW', count: 6 },
        { key: 'DENY', count: 5 },
        { kind: 'latency', key: '7', count: 30 },
      ]);
      await sumsUp(storage, { byStart: true }, [
        ...starts.map((start, at) => ({ start, key: 'ALLOW', count: at + 1 })),
        { start: instant(60), key: 'DENY', count: 5 },
      ]);
    },
  ],
  [
    'a start that is from is counted, one that is to is not',
    async (storage) => {
      const given = [-60, 0, 60, 120].map((second, at) =>
        delta('ALLOW', 10 ** at, { minute: instant(second) }),
      );
      await addsRollups(storage, WRITER, given);
      await sumsUp(storage, { from: NOW, to: instant(120) }, [{ key: 'ALLOW', count: 110 }]);
      await sumsUp(storage, { from: instant(0.001), to: instant(60.001) }, [{ key: 'ALLOW', count: 100 }]);
      await sumsUp(storage, { from: NOW, to: NOW }, []);
      await sumsUp(storage, { from: instant(120), to: instant(-60) }, []);
    },
  ],
  [
    'only the kinds that are asked for are counted, each once',
    async (storage) => {
      await addsRollups(
        storage,
        WRITER,
        KINDS.map((kind, at) => delta('same', at + 1, { kind })),
      );
      for (const [at, kind] of KINDS.entries()) {
        await sumsUp(storage, { kinds: [kind] }, [{ kind, key: 'same', count: at + 1 }]);
      }
      const all = KINDS.map((kind, at) => ({ kind, key: 'same', count: at + 1 }));
      await sumsUp(storage, { kinds: [...KINDS, ...KINDS] }, all);
      await sumsUp(storage, { kinds: [] }, []);
    },
  ],
  [
    'a delta counts in its minute, its hour and its day, each by its start in UTC',
    async (storage) => {
      const minutes = [NOW, instant(3_540), instant(3_660), instant(86_400)];
      await addsRollups(
        storage,
        writerId('one'),
        minutes.map((minute, at) => delta('ALLOW', 10 ** at, { minute })),
      );
      await addsRollups(storage, writerId('two'), [delta('ALLOW', 5, { minute: instant(60) })]);
      const span = { from: DAY, to: instant(90_000), byStart: true };
      await sumsUp(storage, { ...span, resolution: 'minute' }, [
        ...minutes.map((start, at) => ({ start, key: 'ALLOW', count: 10 ** at })),
        { start: instant(60), key: 'ALLOW', count: 5 },
      ]);
      await sumsUp(storage, { ...span, resolution: 'hour' }, [
        { start: NOW, key: 'ALLOW', count: 16 },
        { start: instant(3_600), key: 'ALLOW', count: 100 },
        { start: instant(86_400), key: 'ALLOW', count: 1_000 },
      ]);
      await sumsUp(storage, { ...span, resolution: 'day' }, [
        { start: DAY, key: 'ALLOW', count: 116 },
        { start: NEXT_DAY, key: 'ALLOW', count: 1_000 },
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
      await addsRollups(
        storage,
        WRITER,
        apart.map((fields, at) => delta('ALLOW', at + 1, fields)),
      );
      for (const [at, fields] of apart.entries()) {
        await sumsUp(storage, fields, [{ key: 'ALLOW', count: at + 1 }]);
      }
      await sumsUp(storage, { account_id: 'acc_c' }, []);
      await sumsUp(storage, { account_id: 'acc_b', environment: 'test' }, []);
      await sumsUp(storage, { agent_id: 'did:web:a.example:agents:' }, []);
    },
  ],
];

const together: readonly Claim[] = [
  [
    'several parts are answered in their order, each separately',
    async (storage) => {
      const minutes = [NOW, instant(60), instant(3_600), instant(7_200)];
      await addsRollups(
        storage,
        WRITER,
        minutes.map((minute, at) => delta('ALLOW', 10 ** at, { minute })),
      );
      const minute = { ...OF_THE_HOUR, byStart: true };
      const { parts } = await sumsOf(storage, {
        parts: [
          { ...OF_THE_HOUR, from: instant(60) },
          { ...OF_THE_HOUR, resolution: 'hour', from: instant(3_600), to: instant(10_800) },
          minute,
          { ...OF_THE_HOUR, kinds: ['agent'] },
          minute,
        ],
      });
      const apart = [
        { start: NOW, key: 'ALLOW', count: 1 },
        { start: instant(60), key: 'ALLOW', count: 10 },
      ];
      const expected = [
        [{ key: 'ALLOW', count: 10 }],
        [{ key: 'ALLOW', count: 1_100 }],
        apart,
        [],
        apart,
      ].map(whole);
      assertEqual(parts.map(inOrder), expected, 'the parts');
    },
  ],
  [
    'no parts are answered by the blocks alone',
    async (storage) => {
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      const { parts, unmerged } = await sumsOf(storage, { parts: [] });
      assertEqual(parts, [], 'the parts');
      assertEqual(unmerged, [block(1)], 'the blocks');
    },
  ],
  [
    '300 blocks that are not merged are all answered, of any size',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: 300 }, (_, at) =>
        block(at + 1, { data: bytesOf(`${at}`, at % 50 === 0 ? 200_000 : 3_000) }),
      );
      await filesEach(storage, blocks);
      await isUnmerged(storage, blocks);
    },
  ],
  [
    'unmerged are exactly the blocks of the account above merged of their writer, of either environment',
    async (storage) => {
      const ids = ['one', 'two', 'three'].map(writerId);
      await opened(storage, ...ids);
      const blocks = ids.flatMap((writer) =>
        [1, 2, 3, 4].map((seq) => block(seq, { writer, flags: seq, records: seq % 2 })),
      );
      await filesEach(storage, blocks);
      const theirs = ids.map((writer) => block(5, { writer, account_id: 'acc_b' }));
      await filesEach(storage, theirs);
      const merged = [0, 2, 5];
      for (const [at, to] of merged.entries()) {
        if (to > 0) await merges(storage, merge(0, to, { writer: ids[at] ?? '' }));
      }
      const isLeft = ({ writer, seq }: { writer: string; seq: number }): boolean =>
        seq > (merged[ids.indexOf(writer)] ?? 0);
      await isUnmerged(storage, blocks.filter(isLeft));
      await isUnmerged(storage, theirs.filter(isLeft), 'acc_b');
      await isUnmerged(storage, [], 'acc_c');
    },
  ],
];

export const sums: readonly Claim[] = [...rollups, ...together];
