import { turn } from '../../../base/async/turns.ts';
import type { Block, BlockHeader, RollupDelta } from '../../../ports/journal.ts';
import type { StorageAdapter } from '../../../ports/storage.ts';
import { assert, assertEqual } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { NOW } from '../fixtures.ts';
import { block, delta, files, flush, nameOf, opened, writerId } from './fixtures.ts';
import { sumsOf } from './sums-fixtures.ts';

const WRITERS = ['one', 'two', 'three'].map(writerId);
const ACCOUNTS = ['acc_a', 'acc_b'];
const FLUSHES = 20;

/** Creates a block with a single byte. The test uses the value of this byte as the count of the block. */
function counted(writer: string, seq: number, account_id: string): Block {
  return block(seq, {
    writer,
    account_id,
    data: Uint8Array.of((seq * 7 + ACCOUNTS.indexOf(account_id)) % 200),
  });
}

function keyOf({ writer, seq }: BlockHeader): string {
  return `${writer}.${seq}`;
}

function deltaOf(given: Block): RollupDelta {
  return delta(keyOf(given), given.data[0] ?? 0, { account_id: given.account_id });
}

/** Merges the flushes since the writer's last merge, as any node may. Returns `true` if this call merged them. */
async function mergeUp({ journal }: StorageAdapter, writer: string): Promise<boolean> {
  const known = (await journal.writers()).find(({ id }) => id === writer);
  if (known === undefined || known.merged === known.flushed) return false;
  const { merged: from, flushed: to } = known;
  const rollups: RollupDelta[] = [];
  let after: { readonly seq: number; readonly account_id: string } | undefined;
  for (;;) {
    const page = await journal.filed({ writer, from, to, limit: 16, ...(after && { after }) });
    for (const found of await journal.load(page.map(nameOf))) {
      assert(found !== undefined, 'a block that was filed is stored');
      rollups.push(deltaOf(found));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < 16) break;
    after = { seq: last.seq, account_id: last.account_id };
  }
  return journal.merge({ writer, from, to, at: NOW, rollups });
}

async function readCounts(storage: StorageAdapter, account_id: string): Promise<ReadonlyMap<string, number>> {
  const { parts, unmerged } = await sumsOf(storage, { account_id });
  const counts = new Map((parts[0] ?? []).map(({ key, count }) => [key, count]));
  for (const found of unmerged) {
    const key = keyOf(found);
    assert(!counts.has(key), `${key} of ${account_id} is counted in the rollups and in the blocks`);
    counts.set(key, found.data[0] ?? 0);
  }
  return counts;
}

async function fileAll(
  storage: StorageAdapter,
  writer: string,
  stored: (key: string) => void,
): Promise<void> {
  for (let seq = 1; seq <= FLUSHES; seq += 1) {
    await files(
      storage,
      flush(
        seq,
        ACCOUNTS.map((account_id) => counted(writer, seq, account_id)),
        { writer },
      ),
    );
    stored(`${writer}.${seq}`);
  }
}

export const oneMoment: readonly Claim[] = [
  [
    'while writers file and several merge, sums and unmerged blocks together neither lose nor double a block',
    async (storage) => {
      await opened(storage, ...WRITERS);
      const stored = new Set<string>();
      let filing = WRITERS.length;
      let merged = 0;
      const work = [
        ...WRITERS.map(async (writer) => {
          try {
            await fileAll(storage, writer, (key) => stored.add(key));
          } finally {
            filing -= 1;
          }
        }),
        // Two for each writer: one of them comes too late each time.
        ...[...WRITERS, ...WRITERS].map(async (writer) => {
          // A storage without a thread of its own would leave the others no turn.
          for (; filing > 0; await turn()) if (await mergeUp(storage, writer)) merged += 1;
        }),
        ...ACCOUNTS.map(async (account_id) => {
          for (; filing > 0; await turn()) {
            const before = [...stored];
            const counts = await readCounts(storage, account_id);
            for (const key of before) assert(counts.has(key), `${key} of ${account_id} is not counted`);
            for (const [key, count] of counts) {
              assertEqual(count, expectedCount(key, account_id), `the count of ${key} of ${account_id}`);
            }
          }
        }),
      ];
      const outcomes = await Promise.allSettled(work);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      assert(merged > 0, 'there was a merge');
      for (const writer of WRITERS) await mergeUp(storage, writer);
      for (const account_id of ACCOUNTS) {
        const { unmerged } = await sumsOf(storage, { account_id });
        assertEqual(unmerged, [], 'what is left to merge');
        const counts = await readCounts(storage, account_id);
        assertEqual(counts.size, WRITERS.length * FLUSHES, 'the number of blocks that are counted');
      }
    },
  ],
];

function expectedCount(key: string, account_id: string): number {
  const [writer = '', seq = ''] = key.split('.');
  return counted(writer, Number(seq), account_id).data[0] ?? 0;
}
