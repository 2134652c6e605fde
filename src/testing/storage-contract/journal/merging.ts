import { assertEqual, assertRejects } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { instant, NOW } from '../fixtures.ts';
import { lookalikes, names, texts } from '../hostile-data.ts';
import {
  addsRollups,
  block,
  delta,
  files,
  filesEach,
  flush,
  merge,
  merges,
  opened,
  WRITER,
  writerHas,
  writerId,
} from './fixtures.ts';
import { isUnmerged, sumsUp } from './sums-fixtures.ts';

const MOST = Number.MAX_SAFE_INTEGER;

const once: readonly Claim[] = [
  [
    'a merge adds to the rollups and moves merged, and the blocks up to there are merged',
    async (storage) => {
      await opened(storage);
      const blocks = [1, 2, 3].map((seq) => block(seq));
      await filesEach(storage, blocks);
      await isUnmerged(storage, blocks);
      await merges(storage, merge(0, 2, { rollups: [delta('ALLOW', 2)] }));
      await writerHas(storage, 3, 2);
      await sumsUp(storage, {}, [{ key: 'ALLOW', count: 2 }]);
      await isUnmerged(storage, blocks.slice(2));
      await merges(storage, merge(2, 3, { rollups: [] }));
      await isUnmerged(storage, []);
    },
  ],
  [
    'a merge that does not begin at merged, or is of an unknown writer, changes nothing',
    async (storage) => {
      await opened(storage);
      await filesEach(
        storage,
        [1, 2, 3].map((seq) => block(seq)),
      );
      const rollups = [delta('ALLOW', 1)];
      assertEqual(await storage.journal.merge(merge(1, 2, { rollups })), false, 'one from further on');
      await merges(storage, merge(0, 2, { rollups }));
      assertEqual(await storage.journal.merge(merge(0, 2, { rollups })), false, 'the same again');
      assertEqual(await storage.journal.merge(merge(0, 3, { rollups })), false, 'one from before');
      assertEqual(await storage.journal.merge(merge(1, 3, { rollups })), false, 'one from between');
      const writer = writerId('other');
      assertEqual(await storage.journal.merge(merge(0, 1, { rollups, writer })), false, 'an unknown writer');
      await sumsUp(storage, {}, [{ key: 'ALLOW', count: 1 }]);
      await writerHas(storage, 3, 2);
      await isUnmerged(storage, [block(3)]);
    },
  ],
  [
    'of eight merges of one range at the same time one is done, and counted once',
    async (storage) => {
      await opened(storage);
      for (let seq = 1; seq <= 6; seq += 1) {
        await files(storage, flush(seq, [block(seq)]));
        const rollups = [delta('ALLOW', 1), delta(`own ${seq}`, 3, { agent_id: 'a' })];
        const given = merge(seq - 1, seq, { rollups });
        const results = await Promise.all(Array.from({ length: 8 }, () => storage.journal.merge(given)));
        assertEqual(results.filter((isDone) => isDone).length, 1, 'the number of merges that were done');
        await sumsUp(storage, {}, [{ key: 'ALLOW', count: seq }]);
      }
      const own = [1, 2, 3, 4, 5, 6].map((seq) => ({ key: `own ${seq}`, count: 3 }));
      await sumsUp(storage, { agent_id: 'a' }, own);
    },
  ],
  [
    'of merges of overlapping ranges at the same time one is done',
    async (storage) => {
      await opened(storage);
      await filesEach(
        storage,
        [1, 2, 3, 4].map((seq) => block(seq)),
      );
      const ends = [1, 2, 3, 4];
      const results = await Promise.all(
        ends.map((to) => storage.journal.merge(merge(0, to, { rollups: [delta('ALLOW', 10 ** to)] }))),
      );
      const done = ends.filter((_, at) => results[at]);
      assertEqual(done.length, 1, 'the number of merges that were done');
      const to = done[0] ?? 0;
      await sumsUp(storage, {}, [{ key: 'ALLOW', count: 10 ** to }]);
      await writerHas(storage, 4, to);
    },
  ],
  [
    'merges of many writers at the same time add up exactly, in any order of their rollups',
    async (storage) => {
      const ids = Array.from({ length: 12 }, (_, at) => writerId(`W${at}x`));
      await opened(storage, ...ids);
      for (const writer of ids) await files(storage, flush(1, [block(1, { writer })], { writer }));
      await Promise.all(
        ids.map((writer, at) => {
          const rollups = Array.from({ length: 40 }, (_, key) => delta(`k${key}`, at + 1));
          return merges(
            storage,
            merge(0, 1, { writer, rollups: at % 2 === 0 ? rollups : rollups.reverse() }),
          );
        }),
      );
      await sumsUp(
        storage,
        {},
        Array.from({ length: 40 }, (_, key) => ({ key: `k${key}`, count: 78 })),
      );
    },
  ],
  [
    'the caller of a merge changes its list afterwards, and nothing that is counted',
    async (storage) => {
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      const rollups = [{ ...delta('ALLOW', 1) }, delta('DENY', 2)];
      const merging = storage.journal.merge(merge(0, 1, { rollups }));
      Object.assign(rollups[0] ?? {}, { count: 9, key: 'other' });
      rollups.length = 0;
      assertEqual(await merging, true, 'the merge');
      await sumsUp(storage, {}, [
        { key: 'ALLOW', count: 1 },
        { key: 'DENY', count: 2 },
      ]);
    },
  ],
];

const bounds: readonly Claim[] = [
  [
    'counts reach 2^53 - 1 exactly',
    async (storage) => {
      await addsRollups(storage, writerId('one'), [delta('ALLOW', MOST - 1)]);
      await addsRollups(storage, writerId('two'), [delta('ALLOW', 1)]);
      await sumsUp(storage, {}, [{ key: 'ALLOW', count: MOST }]);
      await sumsUp(storage, { resolution: 'hour' }, [{ key: 'ALLOW', count: MOST }]);
    },
  ],
  [
    'a merge that would bring a count above 2^53 - 1 rejects, adds nothing, and can be done once it is mended',
    async (storage) => {
      await addsRollups(storage, writerId('full'), [delta('DENY', MOST)]);
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      const others = Array.from({ length: 300 }, (_, at) => delta(`k${at}`, 1));
      for (const rollups of [
        [...others, delta('DENY', 1)],
        [delta('DENY', 1), ...others],
        [...others, delta('near', MOST), delta('near', 1)],
      ]) {
        await assertRejects(storage.journal.merge(merge(0, 1, { rollups })), 'the merge');
        await sumsUp(storage, {}, [{ key: 'DENY', count: MOST }]);
        await writerHas(storage, 1, 0);
        await isUnmerged(storage, [block(1)]);
      }
      await merges(storage, merge(0, 1, { rollups: [delta('ALLOW', 2)] }));
      await sumsUp(storage, {}, [
        { key: 'DENY', count: MOST },
        { key: 'ALLOW', count: 2 },
      ]);
    },
  ],
  [
    'a merge that rejects leaves nothing to be purged, in any order of its minutes',
    async (storage) => {
      await opened(storage);
      await files(storage, flush(1, [block(1)]));
      const minutes = [instant(60), NOW, instant(120), instant(3_600)];
      const rollups = minutes.map((minute, at) => delta('x', at === 3 ? MOST : 1, { minute }));
      await assertRejects(storage.journal.merge(merge(0, 1, { rollups })), 'the merge');
      assertEqual(await storage.purge('rollups', instant(90_000)), 0, 'the number removed');
      assertEqual(await storage.journal.completeSince('acc_a'), undefined, 'from when on all is there');
    },
  ],
  [
    '2,000 rollups are one merge',
    async (storage) => {
      const keys = Array.from({ length: 2_000 }, (_, at) => `k${at}`);
      await addsRollups(
        storage,
        WRITER,
        keys.map((key, at) => delta(key, at + 1)),
      );
      await sumsUp(
        storage,
        {},
        keys.map((key, at) => ({ key, count: at + 1 })),
      );
    },
  ],
];

const kept: readonly Claim[] = [
  ...[
    ...Object.entries(texts),
    ...names.map((name) => [`the name ${JSON.stringify(name)}`, name] as const),
  ].map(
    ([what, text]): Claim => [
      `a rollup keeps any text: ${what}`,
      async (storage) => {
        const key = [...text].slice(0, 200).join('');
        const mine = { agent_id: key, account_id: key };
        const other = { agent_id: `${key}.`, account_id: key };
        await addsRollups(storage, WRITER, [delta(key, 3, mine), delta(`${key}.`, 4, other)]);
        await sumsUp(storage, mine, [{ key, count: 3 }]);
        await sumsUp(storage, other, [{ key: `${key}.`, count: 4 }]);
      },
    ],
  ),
  ...Object.entries(lookalikes).map(
    ([what, [one, other]]): Claim => [
      `keys, agents and accounts of rollups that differ in ${what} are different`,
      async (storage) => {
        await addsRollups(storage, WRITER, [
          ...[delta(one, 1), delta(other, 2)],
          ...[delta('k', 3, { agent_id: one }), delta('k', 4, { agent_id: other })],
          ...[delta('k', 5, { account_id: one }), delta('k', 6, { account_id: other })],
        ]);
        await sumsUp(storage, {}, [
          { key: one, count: 1 },
          { key: other, count: 2 },
        ]);
        await sumsUp(storage, { agent_id: one }, [{ key: 'k', count: 3 }]);
        await sumsUp(storage, { agent_id: other }, [{ key: 'k', count: 4 }]);
        await sumsUp(storage, { account_id: one }, [{ key: 'k', count: 5 }]);
        await sumsUp(storage, { account_id: other }, [{ key: 'k', count: 6 }]);
      },
    ],
  ),
];

export const merging: readonly Claim[] = [...once, ...bounds, ...kept];
