import { afterAll, describe, expect, test } from 'vitest';
import { createIdentityService } from '../../src/index.ts';
import type { ChangeNotice, StorageAdapter } from '../../src/ports/index.ts';
import { block, filesEach, lists, opened } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { insert } from './redis-fixtures.ts';
import { createOpener, hasRedis, newNamespace } from './redis-server.ts';

const AT = '2026-11-20T12:00:00.000Z';

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
    test('a write by one sends a notice to the other', async () => {
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
      await opened(one);
      await filesEach(one, [block(1)]);
      expect(await two.get('passports', 'p')).toBeUndefined();
      expect(await two.list('passports', { where: {}, limit: 10 })).toEqual([]);
      await lists(two, {}, []);
      expect(await two.journal.writers()).toEqual([]);
      expect(await two.write([insert('p')])).toMatchObject({ written: true });
      await Promise.all([one.close(), two.close()]);
    });

    test('a revoke by one service is seen by the next verify of the other', async () => {
      await withTwo(async (one, two) => {
        const [first, second] = [one, two].map((storage) =>
          createIdentityService({ storageDeadlineMs: PATIENT_MS, storage }),
        );
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
}
