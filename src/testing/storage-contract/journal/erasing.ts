import { type Block, MAX_PURGED_BLOCKS } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assert, assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { instant } from '../fixtures.ts';
import {
  addsRollups,
  block,
  bytesOf,
  delta,
  filesEach,
  lists,
  loads,
  merge,
  merges,
  NOW_MS,
  nameOf,
  opened,
  writerId,
} from './fixtures.ts';
import { isUnmerged, type OF_THE_HOUR, sumsOf, sumsUp } from './sums-fixtures.ts';

const FOUND: Block = block(1, { records: 3, denied: 1, data: bytesOf('found', 90) });
const INTO: Block = block(1, { to_ms: NOW_MS - 10, records: 2, data: bytesOf('into', 60) });
const OTHER: Block = block(2);
const GONE = [delta('ALLOW', -1), delta('DENY', -1)];

async function prepare(storage: StorageAdapter): Promise<void> {
  await opened(storage);
  await filesEach(storage, [FOUND, OTHER]);
  await merges(storage, merge(0, 1, { rollups: [delta('ALLOW', 3), delta('DENY', 1)] }));
}

async function refuses(storage: StorageAdapter, found: Block, into: Block, why: string): Promise<void> {
  const isDone = await storage.journal.rewrite({ found, into, rollups: GONE }).catch(() => false);
  assertEqual(isDone, false, why);
  await loads(storage, [FOUND, OTHER]);
  await sumsUp(storage, {}, [
    { key: 'ALLOW', count: 3 },
    { key: 'DENY', count: 1 },
  ]);
}

async function erases(
  storage: StorageAdapter,
  of: { account_id: string; agent_id?: string },
): Promise<number> {
  let pieces = 0;
  for (let from: string | null = ''; from !== null; pieces += 1) {
    assert(pieces < 1_000, 'the pieces do not end');
    from = await storage.journal.erase(from === '' && pieces === 0 ? of : { ...of, from });
  }
  return pieces;
}

export const erasing: readonly Claim[] = [
  [
    'a merged block is rewritten with what that takes from the sums',
    async (storage) => {
      await prepare(storage);
      assertEqual(
        await storage.journal.rewrite({ found: FOUND, into: INTO, rollups: GONE }),
        true,
        'the rewriting',
      );
      await loads(storage, [INTO, OTHER]);
      await lists(storage, {}, [OTHER, INTO]);
      const { parts } = await sumsOf(storage);
      assertEqual(parts[0]?.find(({ key }) => key === 'ALLOW')?.count, 2, 'what was allowed');
      assertEqual(parts[0]?.find(({ key }) => key === 'DENY')?.count ?? 0, 0, 'what was denied');
      await isUnmerged(storage, [OTHER]);
    },
  ],
  [
    'a merged block is removed with what that takes from the sums',
    async (storage) => {
      await prepare(storage);
      assertEqual(await storage.journal.rewrite({ found: FOUND, rollups: GONE }), true, 'the removal');
      assertEqual(await storage.journal.load([nameOf(FOUND)]), [undefined], 'the block');
      await lists(storage, {}, [OTHER]);
      assertEqual(await storage.journal.rewrite({ found: FOUND, rollups: GONE }), false, 'it again');
    },
  ],
  [
    'a block is rewritten only as it was found, merged, and under its own name',
    async (storage) => {
      await prepare(storage);
      await refuses(storage, { ...FOUND, records: 4 }, INTO, 'another header');
      await refuses(storage, { ...FOUND, data: bytesOf('found', 91) }, INTO, 'other bytes');
      await refuses(storage, { ...FOUND, seq: 3 }, { ...INTO, seq: 3 }, 'a block that is not stored');
      await refuses(storage, FOUND, { ...INTO, seq: 2 }, 'another name');
      await refuses(storage, OTHER, { ...INTO, seq: 2 }, 'a block that is not merged');
    },
  ],
  [
    'of eight rewritings of a block at the same time one is done',
    async (storage) => {
      await prepare(storage);
      const rewriting = { found: FOUND, into: INTO, rollups: [delta('ALLOW', -1)] };
      const results = await Promise.all(Array.from({ length: 8 }, () => storage.journal.rewrite(rewriting)));
      assertEqual(results.filter((isDone) => isDone).length, 1, 'the number of them');
      await sumsUp(storage, {}, [
        { key: 'ALLOW', count: 2 },
        { key: 'DENY', count: 1 },
      ]);
    },
  ],
  [
    'all blocks and sums of an account are erased, merged or not, and those of others stay',
    async (storage) => {
      await opened(storage);
      const mine = Array.from({ length: MAX_PURGED_BLOCKS + 5 }, (_, at) => block(at + 1));
      const theirs = block(mine.length + 1, { account_id: 'acc_ab' });
      await filesEach(storage, [...mine, theirs]);
      const minutes = [-86_400 * 3, -86_400, 0].map((seconds) => ({ minute: instant(seconds) }));
      const rollups = minutes.flatMap((at) => [
        delta('ALLOW', 1, at),
        delta('DENY', 1, { ...at, agent_id: 'did:web:example.com:agents:buyer', environment: 'test' }),
        delta('ALLOW', 2, { ...at, account_id: 'acc_ab' }),
      ]);
      await merges(storage, merge(0, 3, { rollups }));
      const pieces = await erases(storage, { account_id: 'acc_a' });
      assert(pieces >= 2, 'there are several pieces');
      await lists(storage, {}, []);
      await isUnmerged(storage, []);
      await lists(storage, { account_id: 'acc_ab' }, [theirs]);
      const whole = { from: instant(-86_400 * 9), to: instant(86_400) };
      for (const resolution of ['minute', 'hour', 'day'] as const) {
        await sumsUp(storage, { ...whole, resolution }, []);
        const agent_id = 'did:web:example.com:agents:buyer';
        await sumsUp(storage, { ...whole, resolution, agent_id, environment: 'test' }, []);
        await sumsUp(storage, { ...whole, resolution, account_id: 'acc_ab' }, [{ key: 'ALLOW', count: 6 }]);
      }
      await merges(storage, merge(3, mine.length + 1));
      await erases(storage, { account_id: 'acc_a' });
      await erases(storage, { account_id: 'acc_missing' });
      await lists(storage, { account_id: 'acc_ab' }, [theirs]);
    },
  ],
  [
    'the sums of one agent are erased, with what counts nothing any more, and no block is',
    async (storage) => {
      const of = { account_id: 'acc_a', agent_id: 'one' };
      await prepare(storage);
      await addsRollups(storage, writerId('sums'), [
        delta('ALLOW', 1, { agent_id: 'one' }),
        delta('ALLOW', 5, { agent_id: 'two' }),
        delta('pay', 0, { kind: 'action' }),
        delta('refund', -1, { kind: 'action' }),
        delta('ship', 4, { kind: 'action' }),
        delta('pay', 7, { kind: 'action', account_id: 'acc_b' }),
      ]);
      await erases(storage, of);
      await loads(storage, [FOUND, OTHER]);
      await sumsUp(storage, { agent_id: 'one' }, []);
      await sumsUp(storage, { agent_id: 'two' }, [{ key: 'ALLOW', count: 5 }]);
      const kinds: (typeof OF_THE_HOUR)['kinds'] = ['verdict', 'action'];
      await sumsUp(storage, { kinds }, [
        { key: 'ALLOW', count: 3 },
        { key: 'DENY', count: 1 },
        { kind: 'action', key: 'ship', count: 4 },
      ]);
      await sumsUp(storage, { kinds, account_id: 'acc_b' }, [{ kind: 'action', key: 'pay', count: 7 }]);
    },
  ],
];
