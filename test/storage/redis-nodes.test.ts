import { afterAll, describe, expect, test } from 'vitest';
import { createIdentityService } from '../../src/index.ts';
import type { ChangeNotice, StorageAdapter } from '../../src/ports/index.ts';
import { entry } from '../../src/testing/storage-contract/journal-fixtures.ts';
import { insert } from './redis-fixtures.ts';
import { createOpener, hasRedis, newNamespace } from './redis-server.ts';

const AT = '2026-11-20T12:00:00.000Z';

function instant(ms: number): string {
  return new Date(Date.parse(AT) + ms).toISOString();
}

if (await hasRedis()) {
  const { open, end } = await createOpener();
  afterAll(end);

  async function withTwo(use: (one: StorageAdapter, two: StorageAdapter) => Promise<void>): Promise<void> {
    const namespace = newNamespace();
    const [one, two] = await Promise.all([open(namespace), open(namespace)]);
    try {
      await use(one, two);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  }

  describe('several of them', () => {
    test('a write by one is told to the other', async () => {
      await withTwo(async (one, two) => {
        const heard: (ChangeNotice | undefined)[] = [];
        two.subscribe?.((notice) => heard.push(notice));
        await expect.poll(() => heard).toEqual([undefined]);
        await one.write([insert('p'), insert('d', 'domains'), insert('a b\n', 'keys')]);
        await expect
          .poll(() => heard.slice(1))
          .toEqual([
            { collection: 'passports', id: 'p', version: 1 },
            { collection: 'keys', id: 'a b\n', version: 1 },
          ]);
        await one.write([{ op: 'remove', collection: 'passports', id: 'p', version: 1 }]);
        await expect.poll(() => heard.at(-1)).toEqual({ collection: 'passports', id: 'p', version: 2 });
      });
    });

    test('who opens an empty namespace at the same time opens the same store', async () => {
      const namespace = newNamespace();
      const nodes = await Promise.all(Array.from({ length: 8 }, () => open(namespace)));
      const results = await Promise.all(nodes.map((node) => node.write([insert('p')])));
      expect(results.filter(({ written }) => written)).toHaveLength(1);
      await Promise.all(nodes.map((node) => node.close()));
    });

    test('counters are exact under concurrency from two connections', async () => {
      await withTwo(async (one, two) => {
        const both = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? one : two));
        const step = { op: 'add', counter: 'n', by: 1, max: 60, at: AT } as const;
        const results = await Promise.all(both.map((storage) => storage.write([step])));
        expect(results.filter(({ written }) => written)).toHaveLength(60);
        expect(await one.count('n', AT)).toBe(60);
      });
    });

    test('namespaces do not see each other', async () => {
      const [one, two] = [await open('ais-test-a'), await open('ais-test-a.b')];
      await one.write([insert('p')]);
      await one.append({ id: 'b', at: AT, entries: [entry('e')], rollups: [] });
      expect(await two.get('passports', 'p')).toBeUndefined();
      expect(await two.list('passports', { where: {}, limit: 10 })).toEqual([]);
      expect((await two.read({ account_id: 'acc_a', limit: 10 })).entries).toEqual([]);
      expect(await two.write([insert('p')])).toEqual({ written: true });
      await Promise.all([one.close(), two.close()]);
    });

    test('a revoke by one service is seen by the next verify of the other', async () => {
      await withTwo(async (one, two) => {
        const [first, second] = [one, two].map((storage) => createIdentityService({ storage }));
        if (first === undefined || second === undefined) throw new Error('There are two.');
        const may = { allowed_actions: ['read'], monetary_limit_per_txn: 1 };
        const { agent_id } = await first.passports.create({ domain: 'example.com', agent_name: 'a', ...may });
        expect((await second.verify({ agent_id, action: 'read' })).verdict).toBe('ALLOW');
        await first.revoke({ agent_id });
        await expect
          .poll(async () => (await second.verify({ agent_id, action: 'read' })).verdict)
          .toBe('DENY');
        await Promise.all([first.close(), second.close()]);
      });
    });
  });

  describe('the journal', () => {
    test('keeps the newest of all accounts, and tells each from when it is whole', async () => {
      const storage = await open(newNamespace(), { journalCap: 10 });
      const append = (id: string, entries: readonly ReturnType<typeof entry>[]): Promise<void> =>
        storage.append({ id, at: AT, entries, rollups: [] });
      const of = (account_id: string, from: number, to: number): readonly ReturnType<typeof entry>[] =>
        Array.from({ length: to - from }, (_, at) =>
          entry(`${account_id}.${from + at}`, { account_id, created_at: instant(from + at) }),
        );
      const idsOf = async (account_id: string): Promise<readonly string[]> =>
        (await storage.read({ account_id, limit: 100 })).entries.map(({ id }) => id);

      await append('b1', [...of('a', 0, 4), ...of('b', 0, 6)]);
      expect([await storage.completeSince('a'), await storage.completeSince('b')]).toEqual([
        undefined,
        undefined,
      ]);
      await append('b2', of('b', 6, 9));
      expect(await idsOf('a')).toEqual(['a.3']);
      expect(await storage.completeSince('a')).toBe(instant(3));
      expect(await storage.completeSince('b')).toBeUndefined();
      await append('b3', of('b', 9, 40));
      expect(await idsOf('a')).toEqual([]);
      expect(await idsOf('b')).toEqual(
        of('b', 30, 40)
          .map(({ id }) => id)
          .reverse(),
      );
      expect(await storage.completeSince('a')).toBe(instant(4));
      expect(await storage.completeSince('b')).toBe(instant(30));
      await append('b4', [entry('a.0', { account_id: 'a', created_at: instant(50) })]);
      expect(await idsOf('a')).toEqual(['a.0']);
      expect(await storage.purge('verdicts', instant(60))).toBe(10);
      expect(await storage.completeSince('b')).toBe(instant(60));
      await storage.close();
    });

    test('a cap that was lowered is reached step by step', async () => {
      const namespace = newNamespace();
      const large = await open(namespace);
      const many = Array.from({ length: 1_500 }, (_, at) => entry(`e${at}`, { created_at: instant(at) }));
      await large.append({ id: 'b1', at: AT, entries: many, rollups: [] });
      const small = await open(namespace, { journalCap: 5 });
      for (const id of ['b2', 'b3']) await small.append({ id, at: AT, entries: [], rollups: [] });
      const { entries } = await small.read({ account_id: 'acc_a', limit: 1_000 });
      expect(entries.map(({ id }) => id)).toEqual(['e1499', 'e1498', 'e1497', 'e1496', 'e1495']);
      await Promise.all([large.close(), small.close()]);
    });
  });
}
