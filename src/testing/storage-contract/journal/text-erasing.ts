import type { Block } from '../../../ports/journal.ts';
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
  nameOf,
  opened,
  WRITER,
} from './fixtures.ts';

const FIRST: Block = block(1, { erasable: bytesOf('first', 60) });
const SECOND: Block = block(2, { to_ms: NOW_MS + 10 });
const TEXTS = bytesOf('erased', 50);
const ERASED: Block = { ...FIRST, erased: 1, erasable: TEXTS };
const INTO: Block = { ...SECOND, records: 2, erased: 2, erasable: bytesOf('into', 40) };

export const textErasing: readonly Claim[] = [
  [
    'texts that can be erased are replaced once for each number, also before the merge',
    async (storage) => {
      const { journal } = storage;
      await opened(storage);
      await filesEach(storage, [FIRST, SECOND]);
      await loads(storage, [FIRST, SECOND]);
      assertEqual(await journal.eraseTexts(nameOf(FIRST), 1, TEXTS), false, 'an erasure of another number');
      assertEqual(await journal.eraseTexts(nameOf(block(3)), 0, TEXTS), false, 'an erasure of no block');
      await loads(storage, [FIRST, SECOND]);
      assertEqual(await journal.eraseTexts(nameOf(FIRST), 0, TEXTS), true, 'the erasure');
      assertEqual(await journal.eraseTexts(nameOf(FIRST), 0, FIRST.data), false, 'a late erasure');
      await loads(storage, [ERASED, SECOND]);
      await lists(storage, {}, [SECOND, ERASED]);
      const filed = await journal.filed({ writer: WRITER, from: 0, to: 9, limit: 9 });
      assertEqual(filed, [ERASED, SECOND].map(headerOf), 'the headers of the writer');
      assertEqual(await journal.eraseTexts(nameOf(FIRST), 1, FIRST.data), true, 'a second erasure');
      await loads(storage, [{ ...ERASED, erased: 2, erasable: FIRST.data }]);
    },
  ],
  [
    'neither a compaction nor a rewriting brings erased texts back, and both replace texts',
    async (storage) => {
      const { journal } = storage;
      await opened(storage);
      await filesEach(storage, [FIRST, SECOND]);
      await merges(storage, merge(0, 2));
      assertEqual(await journal.eraseTexts(nameOf(FIRST), 0, TEXTS), true, 'the erasure');
      const before = [FIRST, SECOND].map(headerOf);
      assertEqual(await journal.compact(before, INTO), false, 'a compaction of what was read before');
      const into = { ...FIRST, data: bytesOf('new', 9) };
      const late = await journal.rewrite({ found: FIRST, into, rollups: [] });
      assertEqual(late, false, 'a rewriting of what was read before');
      await loads(storage, [ERASED, SECOND]);
      const now = [ERASED, SECOND].map(headerOf);
      assertEqual(await journal.compact(now, INTO), true, 'the compaction');
      await loads(storage, [INTO]);
      await lists(storage, {}, [INTO]);
      const next: Block = { ...block(2, { to_ms: NOW_MS + 10 }), data: bytesOf('rest', 8) };
      assertEqual(await journal.rewrite({ found: INTO, into: next, rollups: [] }), true, 'the rewriting');
      await loads(storage, [next]);
      await lists(storage, {}, [next]);
    },
  ],
];
