import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import type { Block, StorageAdapter } from '../../src/ports/index.ts';
import { instant } from '../../src/testing/storage-contract/fixtures.ts';
import {
  block,
  bytesOf,
  delta,
  files,
  filesEach,
  flush,
  lists,
  loads,
  merge,
  merges,
  NOW_MS,
  nameOf,
  opened,
  WRITER,
  writerHas,
  writerId,
} from '../../src/testing/storage-contract/journal/fixtures.ts';
import { isUnmerged, sumsOf, sumsUp } from '../../src/testing/storage-contract/journal/sums-fixtures.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startProxy } from './redis-fixtures.ts';
import { createOpener, hasRedis, newNamespace, startPrivateRedis } from './redis-server.ts';

/** Blocks of these sizes, a second apart, of the account. */
function blocksOf(account_id: string, ...sizes: readonly number[]): readonly Block[] {
  return sizes.map((records, at) =>
    block(at + 1, { account_id, writer: writerId(account_id), records, to_ms: NOW_MS + at * 1_000 }),
  );
}

/** Files the blocks, each in a flush of its own, and merges all of them. */
async function filesMerged(storage: StorageAdapter, blocks: readonly Block[]): Promise<void> {
  for (const given of blocks) {
    await filesEach(storage, [given]);
    await merges(storage, merge(given.seq - 1, given.seq, { writer: given.writer }));
  }
}

if (await hasRedis()) {
  const { client, open, end } = await createOpener();
  afterAll(end);

  async function openFresh(rest?: object): Promise<StorageAdapter & { readonly namespace: string }> {
    const namespace = newNamespace();
    const storage = await open(namespace, rest);
    onTestFinished(() => storage.close());
    return { ...storage, namespace };
  }

  describe('the number of verdicts that are kept', () => {
    test('the oldest merged blocks of all accounts go, as long as more than the limit are left', async () => {
      const storage = await openFresh({ journalCap: 12 });
      const [a, b] = [blocksOf('a', 4, 4), blocksOf('b', 6, 6, 1)];
      await opened(storage, writerId('a'), writerId('b'));
      await filesMerged(storage, a);
      await filesMerged(storage, b.slice(0, 1));
      await lists(storage, { account_id: 'a' }, [...a].reverse());
      expect(await storage.journal.completeSince('a')).toBeUndefined();
      // 20 are 16 without the oldest, and without the next too few.
      await filesEach(storage, b.slice(1, 2));
      await lists(storage, { account_id: 'a' }, a.slice(1));
      await filesEach(storage, b.slice(2));
      await lists(storage, { account_id: 'a' }, a.slice(1));
      await lists(storage, { account_id: 'b' }, [...b].reverse());
      expect(await storage.journal.completeSince('a')).toBe(instant(0.001));
      expect(await storage.journal.completeSince('b')).toBeUndefined();
      expect(await storage.purge('verdicts', instant(60))).toBe(10);
      expect(await storage.journal.completeSince('b')).toBe(instant(60));
    });

    test('what is not merged stays, and so does one block that is larger', async () => {
      const storage = await openFresh({ journalCap: 10 });
      const blocks = blocksOf('a', 100, 3, 3);
      await opened(storage, writerId('a'));
      await filesEach(storage, blocks.slice(0, 2));
      await lists(storage, { account_id: 'a' }, [...blocks.slice(0, 2)].reverse());
      await merges(storage, merge(0, 2, { writer: writerId('a') }));
      await filesEach(storage, blocks.slice(2));
      await lists(storage, { account_id: 'a' }, [...blocks].reverse());
      expect(await storage.journal.completeSince('a')).toBeUndefined();
    });

    test('a cap that was lowered is reached step by step', async () => {
      const { namespace, ...large } = await openFresh();
      const writer = writerId('a');
      await opened(large, writer);
      const blocks = blocksOf('a', ...Array.from({ length: 120 }, () => 1));
      await filesMerged(large, blocks);
      const small = await open(namespace, { journalCap: 5 });
      onTestFinished(() => small.close());
      const left = async (): Promise<number> =>
        (await small.journal.blocks({ account_id: 'a', limit: 256 })).length;
      await files(small, flush(121, [], { writer }));
      expect(await left()).toBe(70);
      for (const seq of [122, 123]) await files(small, flush(seq, [], { writer }));
      expect(await left()).toBe(5);
      await lists(small, { account_id: 'a' }, [...blocks].reverse().slice(0, 5));
      expect(await small.journal.completeSince('a')).toBe(instant(114.001));
    });

    test('a compaction changes it by what is no record', async () => {
      const storage = await openFresh();
      await opened(storage, writerId('a'));
      const blocks = blocksOf('a', 2, 3, 4);
      await filesMerged(storage, blocks);
      const into = { ...block(3, { writer: writerId('a'), account_id: 'a' }), records: 8 };
      expect(await storage.journal.compact(blocks, into)).toBe(true);
      const key = `{${storage.namespace}}:journal:records`;
      expect(await client.sendCommand(['GET', key])).toBe('8');
    });
  });

  describe('what is much', () => {
    test('more blocks and bytes than one script gives back are loaded and summed up whole', async () => {
      const storage = await openFresh();
      await opened(storage);
      const large = Array.from({ length: 8 }, (_, at) =>
        block(at + 1, { data: bytesOf(`${at}`, 400_000), filter: bytesOf('f', 4_096) }),
      );
      const small = Array.from({ length: 600 }, (_, at) => block(at + 9));
      for (const given of large) await files(storage, flush(given.seq, [given]));
      await Promise.all([loads(storage, large), loads(storage, [...large].reverse())]);
      await filesEach(storage, small);
      await isUnmerged(storage, [...large, ...small]);
    });

    test('more starts and names than one script sums up or one command writes are merged and summed up whole', async () => {
      const storage = await openFresh();
      await opened(storage);
      await files(storage, flush(1, []));
      const starts = Array.from({ length: 1_100 }, (_, at) => instant(at * 60));
      const names = Array.from({ length: 2_500 }, (_, at) => `n${at}`);
      const rollups = [
        ...starts.map((minute) => delta('ALLOW', 2, { minute })),
        ...names.map((name) => delta(name, 3, { kind: 'action' })),
      ];
      await merges(storage, merge(0, 1, { rollups }));
      const all = { from: instant(0), to: instant(1_100 * 60) };
      await sumsUp(storage, all, [{ key: 'ALLOW', count: 2_200 }]);
      await sumsUp(
        storage,
        { kinds: ['action'] },
        names.map((key) => ({ kind: 'action', key, count: 3 })),
      );
      await sumsUp(
        storage,
        { ...all, byStart: true },
        starts.map((start) => ({ start, key: 'ALLOW', count: 2 })),
      );
    });

    test('sums that are read in steps while others merge are of one moment', async () => {
      const storage = await openFresh();
      await opened(storage);
      await files(storage, flush(1, []));
      const starts = Array.from({ length: 1_100 }, (_, at) => instant(at * 60));
      let merged = 0;
      const mergeOnce = async (): Promise<void> => {
        const rollups = starts.map((minute) => delta('ALLOW', 1, { minute }));
        await merges(storage, merge(merged, merged + 1, { rollups }));
        merged += 1;
      };
      await mergeOnce();
      let isReading = true;
      const merging = (async () => {
        while (isReading) await mergeOnce();
      })();
      const part = { resolution: 'minute', kinds: ['verdict'], byStart: true } as const;
      const parts = [{ ...part, from: instant(0), to: instant(1_100 * 60) }];
      for (let round = 0; round < 5; round += 1) {
        const { parts: sums } = await sumsOf(storage, { parts });
        const counts = new Set(sums.flat().map(({ count }) => count));
        expect([sums.flat().length, counts.size]).toEqual([1_100, 1]);
      }
      isReading = false;
      await merging;
      expect(merged).toBeGreaterThan(5);
    });

    test('what was merged long ago is no longer looked at for what is not', async () => {
      const storage = await openFresh();
      await opened(storage, WRITER, writerId('other'));
      const blocks = Array.from({ length: 40 }, (_, at) => block(at + 1, { to_ms: NOW_MS + at }));
      await filesEach(storage, blocks);
      await merges(storage, merge(0, 39));
      const theirs = Array.from({ length: 20 }, (_, at) =>
        block(at + 1, { writer: writerId('other'), to_ms: NOW_MS + 100 + at }),
      );
      await filesEach(storage, theirs);
      await isUnmerged(storage, [...blocks.slice(39), ...theirs]);
      const key = `{${storage.namespace}}:journal:unmerged:acc_a`;
      expect(await client.sendCommand(['ZCARD', key])).toBe(21);
    });
  });

  describe('what is lost', () => {
    test('a block that the server has dropped is named wherever it should be found', async () => {
      const storage = await openFresh();
      await opened(storage);
      const [kept, dropped] = [block(1), block(2)];
      await filesEach(storage, [kept, dropped]);
      await client.sendCommand(['DEL', `{${storage.namespace}}:jb:${WRITER}.${'2'.padStart(11, '0')}:acc_a`]);
      const { journal } = storage;
      const lost = 'LOSTRECORD a block that is listed is missing';
      await expect(journal.load([kept, dropped].map(nameOf))).rejects.toThrow(lost);
      await expect(journal.filed({ writer: WRITER, from: 0, to: 9, limit: 9 })).rejects.toThrow(lost);
      await expect(sumsOf(storage)).rejects.toThrow(lost);
      const query = { account_id: 'acc_a', limit: 9, names: [[1]] };
      await expect(journal.blocks(query)).rejects.toThrow(lost);
      await merges(storage, merge(0, 2));
      await expect(storage.purge('verdicts', instant(60))).rejects.toThrow(lost);
      await loads(storage, [kept]);
    });

    test('a flush that was given up and comes late changes nothing', async () => {
      const server = await startPrivateRedis();
      const proxy = await startProxy(server.url);
      const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
      await opened(storage);
      const scripts = async (): Promise<number> => {
        const stats = String(await server.client.sendCommand(['INFO', 'commandstats']));
        return [...stats.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        );
      };
      // Behind the same flush, sent again, and behind the next one.
      for (const [lost, next] of [
        [1, 1],
        [2, 3],
      ] as const) {
        const late = await redisStorage({ url: proxy.url, timeoutMs: 300 });
        const release = proxy.hold();
        const given = block(lost, { data: bytesOf('late', 9) });
        await expect(late.journal.file(flush(lost, [given]))).rejects.toThrow('did not answer');
        await files(storage, flush(next, [block(next)]));
        const before = await scripts();
        release();
        await expect.poll(scripts).toBeGreaterThan(before);
        await lists(storage, {}, next === 1 ? [block(1)] : [block(3), block(1)]);
        await loads(storage, [block(next)]);
        await writerHas(storage, next, 0);
        await late.close();
      }
      await storage.close();
    });
  });

  test('a server that is full stores no part of a call, and lets go of what is old', async () => {
    const server = await startPrivateRedis();
    const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
    onTestFinished(() => storage.close());
    const { journal } = storage;
    await opened(storage);
    const [first, second] = [block(1), block(2)];
    await filesEach(storage, [first, second]);
    await merges(storage, merge(0, 1));
    await server.client.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
    for (const call of [
      journal.open(writerId('other'), instant(0)),
      journal.file(flush(3, [block(3)])),
      journal.file(flush(3, [])),
      journal.merge(merge(1, 2, { rollups: [delta('ALLOW', 1)] })),
      journal.merge(merge(1, 2)),
      journal.compact([first], first),
    ]) {
      await expect(call).rejects.toThrow('OOM');
    }
    await lists(storage, {}, [second, first]);
    await loads(storage, [first, second]);
    await isUnmerged(storage, [second]);
    await sumsUp(storage, {}, []);
    await writerHas(storage, 2, 1);
    expect(await storage.purge('verdicts', instant(1))).toBe(1);
    await server.client.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
    await files(storage, flush(3, [block(3)]));
    await isUnmerged(storage, [second, block(3)]);
  });
}
