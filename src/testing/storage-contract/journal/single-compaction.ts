import { BLOCK_FLAGS, type Block } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import {
  block,
  bytesOf,
  filesEach,
  headerOf,
  lists,
  loads,
  merge,
  merges,
  NOW_MS,
  opened,
  WRITER,
} from './fixtures.ts';
import { isUnmerged } from './sums-fixtures.ts';

const [FIRST, SECOND] = [1, 2].map((seq) => block(seq, { to_ms: NOW_MS + seq * 10, records: seq })) as [
  Block,
  Block,
];
/** The first block with the flag `final`, which means that it is never changed again. */
const FINAL: Block = { ...FIRST, flags: FIRST.flags + BLOCK_FLAGS.final, data: bytesOf('final', 300) };

export const singleCompaction: readonly Claim[] = [
  [
    'one block that is not merged gives way to one of its counts, once, and waits for its merge as before',
    async (storage) => {
      const { journal } = storage;
      await opened(storage);
      await filesEach(storage, [FIRST, SECOND]);
      assertEqual(await journal.compact([headerOf(FIRST)], FINAL), true, 'the only one');
      await isUnmerged(storage, [FINAL, SECOND]);
      await loads(storage, [FINAL]);
      assertEqual(await journal.compact([headerOf(FIRST)], FINAL), false, 'the same again');
      assertEqual(await journal.compact([headerOf(FINAL)], FIRST), false, 'a final one');
      const filed = await journal.filed({ writer: WRITER, from: 0, to: 2, limit: 9 });
      assertEqual(filed, [FINAL, SECOND].map(headerOf), 'the headers of the writer');
      await merges(storage, merge(0, 2));
      await isUnmerged(storage, []);
      await lists(storage, {}, [SECOND, FINAL]);
    },
  ],
  [
    'blocks that are not merged are compacted neither together nor into one of other times or counts',
    async (storage) => {
      await opened(storage);
      await filesEach(storage, [FIRST, SECOND]);
      const headers = [FIRST, SECOND].map(headerOf);
      await refuses(storage, headers, { ...SECOND, flags: FINAL.flags }, 'two of them');
      await refuses(storage, headers.slice(0, 1), { ...FINAL, records: FINAL.records + 1 }, 'another count');
      await refuses(storage, headers.slice(0, 1), { ...FINAL, to_ms: FINAL.to_ms + 1 }, 'another time');
      await isUnmerged(storage, [FIRST, SECOND]);
    },
  ],
];

async function refuses(
  storage: StorageAdapter,
  found: Parameters<StorageAdapter['journal']['compact']>[0],
  into: Block,
  why: string,
): Promise<void> {
  assertEqual(await storage.journal.compact(found, into), false, why);
  await loads(storage, [FIRST, SECOND]);
}
