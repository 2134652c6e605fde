/** An erasure is cut off between any two calls of the storage, and another node finishes it. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { probe } from '../../support/storage-probe.ts';
import { merged, openNode, recordsOf, type Shift, settle } from './stage.ts';

const MOST_CUTS = 200;

test('whichever call is the last of a node that dies, the next node leaves nothing but the ids', {
  timeout: 300_000,
}, async () => {
  const inner = memoryStorage();
  // The store of all nodes does not end with the first of them.
  const shared: StorageAdapter = { ...inner, close: async () => {} };
  const shift: Shift = { ms: 0 };
  const host = openNode(shared, shift);
  const mine = await settle(host, inner, 'vergissmich');
  const theirs = await settle(host, inner, 'behaltmich');
  await merged(inner);
  await host.close();
  const before = (await recordsOf(inner)).filter(([, { account_id }]) => account_id === theirs.account_id);
  const beginning = openNode(shared, shift);
  await beginning.accounts.delete(mine.account_id);
  await beginning.close();

  let cuts = 0;
  for (let isOver = false; !isOver; cuts += 1) {
    if (cuts === MOST_CUTS) throw new Error('The erasure does not end.');
    // Each node is answered a few calls more than the one before it, and then none any more.
    const storage = probe(shared);
    let budget = 3 + 2 * cuts;
    storage.fail = () => {
      budget -= 1;
      return budget < 0 ? Promise.reject(new Error('The node is dead.')) : undefined;
    };
    shift.ms += 40_000;
    const node = openNode(storage, shift);
    await node.erasures.run().then(
      () => undefined,
      () => undefined,
    );
    await node.close().catch(() => undefined);
    isOver = (await inner.list('erasures', { where: {}, limit: 1 })).length === 0;
  }
  expect(cuts).toBeGreaterThan(5);
  const all = await recordsOf(inner);
  const left = all.filter(([, record]) => JSON.stringify(record).includes('vergissmich'));
  expect(left.map(([name, { id }]) => `${name} ${id}`).sort()).toEqual(
    mine.agents.map((id) => `passports ${id}`).sort(),
  );
  expect(all.filter(([, { account_id }]) => account_id === theirs.account_id)).toEqual(before);
  expect(await inner.journal.blocks({ account_id: mine.account_id, limit: 1 })).toEqual([]);
  expect((await inner.journal.blocks({ account_id: theirs.account_id, limit: 1 })).length).toBe(1);
});
