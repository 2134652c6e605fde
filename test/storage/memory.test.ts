import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { Block } from '../../src/ports/index.ts';
import {
  block,
  files,
  filesEach,
  flush,
  headerOf,
  lists,
  loads,
  merge,
  merges,
  NOW_MS,
  nameOf,
  opened,
  readBlocks,
} from '../../src/testing/storage-contract/journal/fixtures.ts';

/** Blocks of a tenth of what is kept of an account, one a second. */
function tenths(from: number, to: number): readonly Block[] {
  const seqs = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return seqs.map((seq) => block(seq, { records: 100_000, to_ms: NOW_MS + seq * 1_000 }));
}

function since(seq: number): string {
  return new Date(NOW_MS + seq * 1_000 + 1).toISOString();
}

function newestFirst(blocks: readonly Block[]): readonly Block[] {
  return [...blocks].reverse();
}

test('memory keeps the newest 1,000,000 verdicts of each account, in whole blocks', async () => {
  const storage = memoryStorage();
  await opened(storage);
  const blocks = tenths(1, 13);
  await filesEach(storage, blocks.slice(0, 10));
  const other = block(11, { account_id: 'acc_b' });
  await files(storage, flush(11, [other]));
  await merges(storage, merge(0, 11));
  await lists(storage, {}, newestFirst(blocks.slice(0, 10)));
  expect(await storage.journal.completeSince('acc_a')).toBeUndefined();
  await filesEach(storage, blocks.slice(11));
  await merges(storage, merge(11, 12));
  await lists(storage, {}, newestFirst([...blocks.slice(2, 10), ...blocks.slice(11)]));
  expect(await storage.journal.load([1, 2, 3].map((seq) => nameOf(block(seq))))).toEqual([
    undefined,
    undefined,
    blocks[2],
  ]);
  expect(await storage.journal.completeSince('acc_a')).toBe(since(2));
  expect(await storage.journal.completeSince('acc_b')).toBeUndefined();
  await lists(storage, { account_id: 'acc_b' }, [other]);
});

test('memory lets no block go without which fewer than 1,000,000 verdicts are left', async () => {
  const storage = memoryStorage();
  await opened(storage);
  const large = block(1, { records: 8_192 });
  const others = tenths(2, 11).map((given) => ({ ...given, records: 99_999 }));
  await filesEach(storage, [large, ...others]);
  await merges(storage, merge(0, 11));
  await lists(storage, {}, newestFirst([large, ...others]));
  const small = block(12, { records: 10, to_ms: NOW_MS + 12_000 });
  await filesEach(storage, [small]);
  await merges(storage, merge(11, 12));
  await lists(storage, {}, newestFirst([...others, small]));
  expect(await storage.journal.completeSince('acc_a')).toBe(since(0));
});

test('memory lets no block go that is not merged, and the oldest merged ones instead', async () => {
  const storage = memoryStorage();
  await opened(storage);
  const writer = 'other0000000000000';
  await opened(storage, writer);
  const late = { ...block(1, { records: 100_000 }), writer };
  await files(storage, flush(1, [late], { writer }));
  const blocks = tenths(2, 13);
  await filesEach(storage, blocks);
  await lists(storage, {}, newestFirst([late, ...blocks]));
  await merges(storage, merge(0, 13));
  await lists(storage, {}, newestFirst([late, ...blocks.slice(3)]));
  expect(await storage.journal.completeSince('acc_a')).toBe(since(4));
  await merges(storage, merge(0, 1, { writer }));
  await lists(storage, {}, newestFirst([late, ...blocks.slice(3)]));
  await filesEach(storage, [block(14, { records: 100_000, to_ms: NOW_MS + 14_000 })]);
  await merges(storage, merge(13, 14));
  // It ended before those that were let go.
  expect((await readBlocks(storage)).map(({ writer: of }) => of)).not.toContain(writer);
  expect(await storage.journal.completeSince('acc_a')).toBe(since(4));
});

test('a list of many blocks is of one moment, though others have their turn meanwhile', async () => {
  const storage = memoryStorage();
  await opened(storage);
  const blocks = Array.from({ length: 6_000 }, (_, at) => block(at + 1, { to_ms: NOW_MS + at }));
  await filesEach(storage, blocks);
  await merges(storage, merge(0, 6_000));
  const rare = { ...block(2, { to_ms: NOW_MS + 1 }), flags: 2 };
  expect(await storage.journal.compact([{ ...rare, flags: 1 }], rare)).toBe(true);
  let isAnswered = false;
  const listing = storage.journal.blocks({ account_id: 'acc_a', flags: 2, limit: 9 }).then((found) => {
    isAnswered = true;
    return found;
  });
  const into = { ...block(6_000, { to_ms: NOW_MS + 5_999 }), flags: 3 };
  expect(await storage.journal.compact([rare, { ...into, flags: 1 }], into)).toBe(true);
  expect(isAnswered).toBe(false);
  expect(await listing).toEqual([headerOf(rare)]);
  await lists(storage, { flags: 2 }, [into]);
  await lists(
    storage,
    { limit: 256 },
    newestFirst([...blocks.filter(({ seq }) => seq !== 2).slice(0, -1), into]),
  );
});

test('what is given back is frozen, and is not what was given', async () => {
  const storage = memoryStorage();
  await opened(storage);
  const given = block(1);
  await files(storage, flush(1, [given]));
  await loads(storage, [given]);
  const [found] = await storage.journal.load([nameOf(given)]);
  expect(found).not.toBe(given);
  expect(Object.isFrozen(found)).toBe(true);
  expect(Object.isFrozen(given)).toBe(false);
});

test('one block cannot stand for two in a compaction', async () => {
  const storage = memoryStorage();
  await opened(storage);
  await filesEach(storage, [block(1), block(2)]);
  await merges(storage, merge(0, 2));
  const one = block(1);
  expect(await storage.journal.compact([one, one], block(1))).toBe(false);
  await lists(storage, {}, [block(2), block(1)]);
});

test('memoryStorage refuses options, because it has none', () => {
  expect(() => memoryStorage({ cap: 10 } as never)).toThrow('there is no option "cap"');
  expect(memoryStorage({})).toHaveProperty('get');
});
